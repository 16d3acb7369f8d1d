export interface CircuitOptions {
  // So many failed calls in a row open it.
  failures?: number | undefined
  firstPauseMs?: number | undefined
  maxPauseMs?: number | undefined
}

export interface Circuit<T> {
  isClosed(): boolean
  // Undefined: the circuit is open and nothing was called.
  run(call: () => Promise<T>): Promise<T | undefined>
}

// One lost connection is weather, five are an outage; after it a single call tries the way every 1 s to 60 s.
const FAILURES = 5
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

// Pauses are measured by the clock that only goes forward. By the time of day, a clock that was an hour ahead and is set right
// would keep the circuit open for that hour (decisions/0092).
export function createCircuit<T>(
  options: CircuitOptions,
  isFailure: (result: T) => boolean,
  onChange: (open: boolean) => void,
  nowMs = () => performance.now(),
): Circuit<T> {
  const { failures = FAILURES, firstPauseMs = FIRST_PAUSE_MS, maxPauseMs = MAX_PAUSE_MS } = options
  let failedInARow = 0
  let pauses = 0
  // Undefined while it is closed.
  let triedFromMs: number | undefined
  let trial: Promise<void> | undefined

  const isPausing = () => triedFromMs !== undefined && nowMs() < triedFromMs

  function open(): void {
    triedFromMs = nowMs() + Math.min(firstPauseMs * 2 ** pauses, maxPauseMs)
    pauses += 1
    onChange(true)
  }

  function close(): void {
    triedFromMs = undefined
    pauses = 0
    failedInARow = 0
    onChange(false)
  }

  // A call that began before the circuit opened neither closes it nor prolongs its pause.
  async function runClosed(call: () => Promise<T>): Promise<T> {
    const result = await call()
    failedInARow = isFailure(result) ? failedInARow + 1 : 0
    if (failedInARow >= failures && triedFromMs === undefined) open()
    return result
  }

  async function tryTheWay(call: () => Promise<T>): Promise<T> {
    const over = Promise.withResolvers<void>()
    trial = over.promise
    try {
      const result = await call()
      if (isFailure(result)) open()
      else close()
      return result
    } finally {
      trial = undefined
      over.resolve()
    }
  }

  return {
    // Once the pause is over a call must come to try the way, so it counts as closed for one.
    isClosed: () => trial === undefined && !isPausing(),
    async run(call) {
      // One call tries the way, and the others wait for what it finds.
      while (trial !== undefined) await trial
      if (isPausing()) return undefined
      return triedFromMs === undefined ? runClosed(call) : tryTheWay(call)
    },
  }
}
