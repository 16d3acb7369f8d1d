import { openRuntime } from '#app/runtime.ts'
import { type Environment, readConfig } from '#app/settings/config.ts'
import { requireServing } from '#app/settings/serve.ts'
import { classify, failureFields } from '#base/db/errors.ts'
import { createLog, stackOf } from '#base/log.ts'
import { serve } from './serve.ts'

const DRAIN_MS = 15_000 // longer than any request may take at the database

// The process around the server: signals in, exit code out.
export async function runServer(environment: Environment): Promise<number> {
  const config = readConfig(environment, requireServing)
  const log = createLog(config.logLevel)
  // An uncaught error: its place goes to the log. Its message does not, because it may quote people's data.
  process.on('uncaughtException', (error) => {
    log.error('crashed', { ...failureFields(error), stack: stackOf(error) })
    process.exit(1)
  })
  // The job library does not wait for its last write about a job. If the connection is cut there, the job stays
  // locked. That loses nothing, because the rows say what to do. Any other rejection is a bug.
  process.on('unhandledRejection', (error) => {
    if (classify(error) !== 'unavailable') throw error
    log.warn('a job was not ended', failureFields(error))
  })
  const asked = Promise.withResolvers<NodeJS.Signals>()
  let askedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second one means now; the database runs in its own session and survives it. But under npm one
      // Ctrl-C arrives twice, from the terminal and from npm.
      if (askedAt !== undefined && performance.now() - askedAt > 500) process.exit(1)
      askedAt ??= performance.now()
      asked.resolve(signal)
    })
  }
  const runtime = await openRuntime(config, log)
  try {
    const running = await serve(runtime)
    const signal = await Promise.race([asked.promise, running.hopeless])
    // Ended without ceremony: what could not be stopped so far would not be stopped now.
    if (signal === undefined) {
      log.error('the worker cannot be brought to work, and this process has no other role: it ends')
      process.exit(1)
    }
    log.info('stopping', { signal })
    // A request that hangs must not keep the process alive: a supervisor waits for its end.
    const overdue = setTimeout(() => {
      log.error('requests under way did not end in time')
      process.exit(1)
    }, DRAIN_MS)
    await running.drain()
    clearTimeout(overdue)
    await running.stop()
  } finally {
    await runtime.close()
  }
  log.info('stopped')
  return 0
}
