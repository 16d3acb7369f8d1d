import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Shares of the time that the event loop was busy.
const BUSY = 0.2
const QUIET = 0.05
const WINDOW_MS = 5_000
// Windows in a row. Code that V8 compiled for the kinds of objects that requests have is dropped with the last of these
// objects. It would be missed if the next load came soon.
const QUIET_WINDOWS = 3

interface Timing {
  // The share of the time since it was last asked.
  busyShare?(): number
  windowMs?: number
}

// V8 keeps the memory that a load took until the next load. So the heap is collected once, when a quarter of a minute was
// quiet after a busy time; the start counts as one. It stops the process for a tenth of a second. V8's own reducer of memory
// is off (package.json), as it does not wait. What it returns ends the watch.
export function returnMemory(
  collect: () => void = collectHeap,
  { busyShare = busyShareOfLoop(), windowMs = WINDOW_MS }: Timing = {},
): () => void {
  let wasBusy = true
  let quiet = 0
  const timer = setInterval(() => {
    const share = busyShare()
    if (share >= BUSY) wasBusy = true
    quiet = share > QUIET ? 0 : quiet + 1
    if (!wasBusy || quiet < QUIET_WINDOWS) return
    wasBusy = false
    collect()
  }, windowMs).unref()
  return () => clearInterval(timer)
}

function busyShareOfLoop(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

// V8 hands its collector out to a context that is made after this flag.
export function collectHeap(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
