import { watchCores } from '#app/cores.ts'

// Of all cores, by others than this process. Messages alone stay below it, however many there are.
const FULL = 0.7
const REST = 1 // times as long as the work took
const REST_MAX_MS = 1_000

// Runs work at once, or in turn with a rest after each while the machine is full.
export type Pace = <Result>(work: () => Promise<Result>) => Promise<Result>

// Messages may wait, purchases may not, and both need the same cores and the same PostgreSQL. The process's priority
// alone does not help: PostgreSQL works for both with the same one. A turn takes all messages that wait, up to a limit,
// so fewer turns also cost less for each message.
export function createPace(isFull: () => boolean = watchCores(FULL, { withoutOwn: true })): Pace {
  let last = Promise.resolve()
  return async (work) => {
    if (!isFull()) return work()
    const before = last
    const rested = Promise.withResolvers<void>()
    last = rested.promise
    await before
    const began = performance.now()
    try {
      return await work()
    } finally {
      setTimeout(rested.resolve, Math.min(REST_MAX_MS, REST * (performance.now() - began)))
    }
  }
}
