import { AsyncLocalStorage } from 'node:async_hooks'
import { Batcher } from './batch.ts'

// Runs what it is given, few at a time.
export type WorkQueue = <Result>(kind: string, work: () => Promise<Result>) => Promise<Result>

const LIMITS = { maxSize: 1, maxInFlight: 3, maxWaiting: 1_000, maxAlike: 500 }

// All unauthenticated work shares this many connections, so that purchases always find one. A flood of one kind waits
// behind itself and leaves room in the queue for the others.
export function createWorkQueue({ maxInFlight = LIMITS.maxInFlight } = {}): WorkQueue {
  interface Waiting {
    kind: string
    work(): Promise<unknown>
  }
  const few = new Batcher<Waiting, unknown>({
    run: async ([one]) => [await one!.work()],
    apartKey: ({ kind }) => kind,
    ...LIMITS,
    maxInFlight,
  })
  // Work that waited is begun by the end of another's. Bound, it still runs for its own caller (base/acting.ts).
  return <Result>(kind: string, work: () => Promise<Result>) =>
    few.submit({ kind, work: AsyncLocalStorage.bind(work) }) as Promise<Result>
}
