import { cpus } from 'node:os'

const SAMPLE_MS = 1_000
const FULL = 0.9 // of all cores
const REST = 1 // times as long as the work took
const REST_MAX_MS = 1_000

// Runs work at once, or in turn with a rest after each while the machine is full.
export type Pace = <Result>(work: () => Promise<Result>) => Promise<Result>

// Messages may wait, purchases may not, and both need the same cores and the same PostgreSQL. The process's priority
// alone does not help: PostgreSQL works for both with the same one. A turn takes all messages that wait, up to a limit,
// so fewer turns also cost less for each message.
export function createPace(isFull: () => boolean = watchCores()): Pace {
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

// Over the last second in which it was asked. In a container the cores are the machine's, whatever its own share is.
function watchCores(): () => boolean {
  let since = { at: performance.now(), ...times() }
  let isFull = false
  return () => {
    const at = performance.now()
    if (at - since.at < SAMPLE_MS) return isFull
    const now = { at, ...times() }
    isFull = isBusy(since, now)
    since = now
    return isFull
  }
}

interface Times {
  idle: number
  all: number
}

export function isBusy(before: Times, after: Times): boolean {
  const all = after.all - before.all
  return all > 0 && 1 - (after.idle - before.idle) / all >= FULL
}

function times(): Times {
  const each = cpus().map((core) => core.times)
  return {
    idle: each.reduce((sum, { idle }) => sum + idle, 0),
    all: each.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  }
}
