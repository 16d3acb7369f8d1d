import type { Service } from '#app/processes/join-service.ts'
import { ALLOWED_CONNECTIONS, mostProcesses } from '#app/processes/layout.ts'
import { awaitSignal } from '#app/processes/signals.ts'
import { stopLimits } from '#app/processes/stop-limits.ts'
import { openRuntime, type Runtime } from '#app/runtime.ts'
import type { Config } from '#app/settings/config.ts'
import { classify, failureFields } from '#base/db/errors.ts'
import { createLog, type Log, stackOf } from '#base/log.ts'
import { returnMemory } from './return-memory.ts'

// The process around the server: signals in, exit code out. `service`: the other processes, if there are any.
// The memory that small buffers share. Of a larger piece, one buffer that is still in use keeps more alive; V8 counts it, and collects
// everything the sooner for it.
const POOL_BYTES = 16 * 1024

export async function runServer(settings: Config, service?: Service): Promise<number> {
  const config = service ? { ...settings, roles: roleOf(service) } : settings
  const log = createLog(config.logLevel, undefined, service?.name)
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
  const asked = service?.asked ?? awaitSignal()
  const limits = stopLimits(config)
  const tracing = await openTracing(config, log)
  // The code is read while PostgreSQL starts. A failure is told by the second call.
  const load = () => loadRoles(config)
  const runtime = await openRuntime(config, log, {
    serves: true,
    part: service?.part,
    whileStarting: () => void load().catch(() => {}),
  })
  try {
    service?.tellOpened(service.part.of > 1 ? mostProcesses(await countConnections(runtime)) : 1)
    const { serve, loadRest } = await load()
    const running = await serve(runtime, { service })
    const stopping = new AbortController()
    void running.started
      .then(() => loadRest(config, log))
      .then(() => packForLater(config, log, service, stopping.signal))
    Buffer.poolSize = POOL_BYTES
    const endMemoryWatch = returnMemory()
    const signal = await Promise.race([asked, running.hopeless])
    stopping.abort()
    endMemoryWatch()
    // Ended without ceremony: what could not be stopped so far would not be stopped now.
    if (signal === undefined) {
      log.error('the worker cannot be brought to work, and this process has no other role: it ends')
      process.exit(1)
    }
    // The supervisor reports the end of the service.
    if (!service) log.info('stopping', { signal })
    await within(limits.drainMs, log, 'requests under way did not end in time', running.drain())
    await within(limits.workMs, log, 'work under way did not end in time', running.stop())
  } finally {
    await within(limits.closeMs, log, 'the database was not closed in time', runtime.close())
    await tracing?.stop()
  }
  if (!service) log.info('stopped')
  return 0
}

// What hangs must not keep the process alive: a supervisor waits for its end.
async function within(ms: number, log: Log, complaint: string, ending: Promise<void>): Promise<void> {
  const overdue = setTimeout(() => {
    log.error(complaint)
    process.exit(1)
  }, ms)
  await ending.finally(() => clearTimeout(overdue))
}

async function openTracing({ tracing }: Config, log: Log) {
  if (!tracing) return undefined
  const { startTracing } = await import('./tracing.ts')
  return startTracing(tracing, log)
}

// The code of this process's roles, and no more.
export async function loadRoles({ roles }: Pick<Config, 'roles'>) {
  if (roles.api) await import('./open-servers.ts')
  if (roles.worker) await import('./worker.ts')
  return { ...(await import('./serve.ts')), ...(await import('./load-rest.ts')) }
}

// One process is enough, and only sources need it. A stop does not wait for it.
async function packForLater(
  { roles }: Pick<Config, 'roles'>,
  log: Log,
  service: Service | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!roles.api || (service?.part.number ?? 1) > 1 || !import.meta.url.endsWith('.ts')) return
  try {
    const { ensurePacked } = await import('./pack.ts')
    await ensurePacked({ inBackground: true, signal })
  } catch (error) {
    log.info('program not packed', failureFields(error))
  }
}

function roleOf({ part }: Service): Config['roles'] {
  return { api: part.kind === 'api', worker: part.kind === 'worker' }
}

const ALLOWED = { name: 'allowed_connections', text: `select ${ALLOWED_CONNECTIONS} as allowed` }

async function countConnections({ database }: Runtime): Promise<number> {
  const [row] = await database.read<{ allowed: number }>(ALLOWED, [])
  return row!.allowed
}
