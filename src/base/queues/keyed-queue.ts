import { Unavailable } from '#base/db/errors.ts'
import { QueueFull } from './batch.ts'

// Too many wait for one key already. The key's own callers are asking too often: others are served as before.
export class TooManyOfOneKey extends QueueFull {}

export interface QueueOptions {
  // Before all that do not say so.
  first?: boolean
  // Ends the wait: the caller is gone, or has waited long enough. Work that has begun continues.
  signal?: AbortSignal
}

// Runs what it is given, so many of one key at once; the others wait in their order.
export type KeyedQueue = <Result>(
  key: string,
  work: () => Promise<Result>,
  options?: QueueOptions,
) => Promise<Result>

interface Line {
  running: number
  first: (() => void)[]
  others: (() => void)[]
}

interface QueueLimits {
  atOnce: number
  maxWaiting: number
  // The error for callers whose wait was ended.
  late?: (reason: string) => Error
}

export function createKeyedQueue({ atOnce, maxWaiting, late = tooLate }: QueueLimits): KeyedQueue {
  const lines = new Map<string, Line>()

  async function enter(key: string, { first = false, signal }: QueueOptions): Promise<Line> {
    if (signal?.aborted) throw late(String(signal.reason))
    const line = lines.get(key) ?? { running: 0, first: [], others: [] }
    if (line.running < atOnce) {
      line.running += 1
      lines.set(key, line)
      return line
    }
    const queue = first ? line.first : line.others
    if (queue.length >= maxWaiting) throw new TooManyOfOneKey()
    await wait(queue, signal, late)
    return line
  }

  // The next in line takes over the place, so that no other caller slips in between.
  function leave(key: string, line: Line): void {
    const next = line.first.shift() ?? line.others.shift()
    if (!next) line.running -= 1
    if (line.running === 0) lines.delete(key)
    next?.()
  }

  return async (key, work, options = {}) => {
    const line = await enter(key, options)
    try {
      return await work()
    } finally {
      leave(key, line)
    }
  }
}

const tooLate = (reason: string) => new Unavailable(reason)

function wait(
  queue: (() => void)[],
  signal: AbortSignal | undefined,
  late: (reason: string) => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      queue.splice(queue.indexOf(begin), 1)
      reject(late(String(signal?.reason)))
    }
    queue.push(begin)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
