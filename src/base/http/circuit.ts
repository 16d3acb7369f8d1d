import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
} from 'cockatiel'

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

export function createCircuit<T>(
  options: CircuitOptions,
  isFailure: (result: T) => boolean,
  onChange: (open: boolean) => void,
): Circuit<T> {
  const firstMs = options.firstPauseMs ?? FIRST_PAUSE_MS
  const maxMs = options.maxPauseMs ?? MAX_PAUSE_MS
  let triedFromMs = 0
  const policy = circuitBreaker(
    handleWhenResult((result) => isFailure(result as T)),
    {
      breaker: new ConsecutiveBreaker(options.failures ?? FAILURES),
      halfOpenAfter: new DelegateBackoff(({ attempt }: { attempt: number }) => {
        const pauseMs = Math.min(firstMs * 2 ** (attempt - 1), maxMs)
        triedFromMs = performance.now() + pauseMs + 1
        return pauseMs
      }),
    },
  )
  policy.onBreak(() => onChange(true))
  policy.onReset(() => onChange(false))
  return {
    // Once the pause is over a call must come for the circuit to try the way, so it counts as closed for one.
    isClosed: () =>
      policy.state === CircuitState.Closed ||
      (policy.state === CircuitState.Open && performance.now() >= triedFromMs),
    async run(call) {
      try {
        return await policy.execute(call)
      } catch (error) {
        if (error instanceof BrokenCircuitError) return undefined
        throw error
      }
    },
  }
}
