const REST_MAX_MS = 1_000

type Run = <Result>(work: () => Promise<Result>) => Promise<Result>

// For what uses the machine, and not for the wait for a provider. Messages may wait, purchases may not, and both need the same cores
// and the same PostgreSQL. The process's priority alone does not help: PostgreSQL works for both with the same one. A turn takes many
// messages at once, so fewer turns also cost less for each message.
export interface Pace {
  // At once, or while the machine is full one after another with a rest before each.
  inTurn: Run
  // What may not wait. The next turn rests for it too.
  atOnce: Run
}

// `rest`: how many times as long as the work took; 0 while there is room.
export function createPace(rest: () => number): Pace {
  let last: Promise<unknown> = Promise.resolve()
  let restsUntil = 0
  const timed: Run = async (work) => {
    const began = performance.now()
    try {
      return await work()
    } finally {
      const now = performance.now()
      restsUntil = Math.min(now + REST_MAX_MS, Math.max(now, restsUntil) + rest() * (now - began))
    }
  }
  return {
    async inTurn(work) {
      if (rest() === 0) return timed(work)
      const before = last
      const over = Promise.withResolvers<void>()
      last = over.promise
      await before
      try {
        const ms = restsUntil - performance.now()
        if (rest() > 0 && ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
        return await timed(work)
      } finally {
        over.resolve()
      }
    },
    atOnce: timed,
  }
}
