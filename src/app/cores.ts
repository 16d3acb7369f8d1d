import { cpus } from 'node:os'

const SAMPLE_MS = 1_000

interface Times {
  idle: number
  all: number
  // Of this process, where it is left out.
  own: number
}

interface Watching {
  // What this process uses itself is no reason for it to wait.
  withoutOwn?: boolean
}

// Whether the cores were busy for this share of their time, over the last second in which it was asked. In a container the cores
// are the machine's, however many of them are its own.
export function watchCores(share: number, { withoutOwn = false }: Watching = {}): () => boolean {
  let since = { at: performance.now(), ...times(withoutOwn) }
  let wasBusy = false
  return () => {
    if (performance.now() - since.at < SAMPLE_MS) return wasBusy
    const now = { at: performance.now(), ...times(withoutOwn) }
    wasBusy = usedShare(since, now) >= share
    since = now
    return wasBusy
  }
}

// The share of their time that the cores were busy since it was last asked.
export function measureCores(): () => number {
  let since = times(false)
  return () => {
    const now = times(false)
    const share = usedShare(since, now)
    since = now
    return share
  }
}

export function usedShare(before: Times, after: Times): number {
  const all = after.all - before.all
  const used = all - (after.idle - before.idle) - (after.own - before.own)
  return all > 0 ? used / all : 0
}

function times(withoutOwn: boolean): Times {
  const each = cpus().map((core) => core.times)
  const { user, system } = withoutOwn ? process.cpuUsage() : { user: 0, system: 0 }
  return {
    idle: each.reduce((sum, { idle }) => sum + idle, 0),
    all: each.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
    own: (user + system) / 1000, // the cores' times are milliseconds
  }
}
