const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
export const SAME_SIGNAL_MS = 500 // within it, two processes that one Ctrl-C reached have both heard it
const AGAIN_MS = 2_000 // on a busy machine npm's copy of a signal takes its time

export const isStopSignal = (signal: string | null | undefined) => STOP_SIGNALS.some((one) => one === signal)

// The first signal that asks this process to end. A second one means now: the database runs in its own session and
// survives it. But under npm one Ctrl-C arrives twice, from the terminal and from npm. `endNow` does not return.
export function awaitSignal(endNow: () => void = () => process.exit(1)): Promise<NodeJS.Signals> {
  const asked = Promise.withResolvers<NodeJS.Signals>()
  let askedAt: number | undefined
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (askedAt !== undefined && performance.now() - askedAt > AGAIN_MS) endNow()
      askedAt ??= performance.now()
      asked.resolve(signal)
    })
  }
  return asked.promise
}
