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
  const look = () => ({ at: performance.now(), ...times(withoutOwn) })
  let since = look()
  let wasBusy = false
  return () => {
    if (performance.now() - since.at < SAMPLE_MS) return wasBusy
    const now = look()
    wasBusy = isBusy(share, since, now)
    since = now
    return wasBusy
  }
}

export function isBusy(share: number, before: Times, after: Times): boolean {
  const all = after.all - before.all
  const used = all - (after.idle - before.idle) - (after.own - before.own)
  return all > 0 && used / all >= share
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
