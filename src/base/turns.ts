import { QueueFull } from '#base/batch.ts'

// Too many wait for one key already. The key's own callers are asking too often: others are served as before.
export class TooManyOfOneKey extends QueueFull {}

// Runs what it is given, so many of one key at once; the others wait in their order.
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

interface Line {
  running: number
  waiting: (() => void)[]
}

export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Turns {
  const lines = new Map<string, Line>()

  async function enter(key: string): Promise<Line> {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    if (line.running < atOnce) {
      line.running += 1
      lines.set(key, line)
      return line
    }
    if (line.waiting.length >= maxWaiting) throw new TooManyOfOneKey()
    await new Promise<void>((resolve) => line.waiting.push(resolve))
    return line
  }

  // Whoever waits takes over the place, so that nobody slips in between.
  function leave(key: string, line: Line): void {
    const next = line.waiting.shift()
    if (!next) line.running -= 1
    if (line.running === 0) lines.delete(key)
    next?.()
  }

  return async (key, work) => {
    const line = await enter(key)
    try {
      return await work()
    } finally {
      leave(key, line)
    }
  }
}
