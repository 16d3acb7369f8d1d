const AGAIN_MS = 500

// The first signal that asks this process to end. A second one means now: the database runs in its own session and
// survives it. But under npm one Ctrl-C arrives twice, from the terminal and from npm.
export function awaitSignal(): Promise<NodeJS.Signals> {
  const asked = Promise.withResolvers<NodeJS.Signals>()
  let askedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined && performance.now() - askedAt > AGAIN_MS) process.exit(1)
      askedAt ??= performance.now()
      asked.resolve(signal)
    })
  }
  return asked.promise
}
