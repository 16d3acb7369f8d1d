import type { AddressInfo } from 'node:net'
import { openDemo } from '#app/demo.ts'
import { schemaVersion } from '#app/migrate.ts'
import type { Runtime } from '#app/runtime.ts'
import { VERSION } from '#app/version.ts'
import { startWorker } from '#app/worker.ts'
import { failureFields } from '#base/db-errors.ts'
import { createMetrics } from '#base/metrics.ts'
import { createVault } from '#base/vault.ts'
import { buildServer, type Limits } from '#edge/server.ts'
import type { EdgeDeps } from '#edge/types.ts'
import { createBuyGiftCard } from '#flows/buy-gift-cards.ts'
import { createKeyUse } from '#flows/record-key-use.ts'
import { createCardLookup } from '#modules/gift-cards/store.ts'

export interface Running {
  address: string
  // Answers what is under way, then stops. The runtime is closed by whoever opened it.
  stop(): Promise<void>
}

// Wires the service and starts it in the roles it was given. A worker without the api role still answers
// health checks, so both kinds of process are watched alike.
export async function serve(runtime: Runtime, limits?: Limits): Promise<Running> {
  const { config, database, log } = runtime
  const metrics = createMetrics(() => {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = database.pool
    return { total, idle, waiting }
  })
  const keyUse = createKeyUse(database, (error) => log.warn('key use not recorded', failureFields(error)))
  const deps: EdgeDeps = {
    publicUrl: config.publicUrl,
    version: VERSION,
    keyMode: config.mode === 'live' ? 'live' : 'test',
    trustedProxies: config.trustedProxies,
    log,
    metrics,
    database,
    isReady: () => isReady(runtime),
    buyGiftCard: createBuyGiftCard({
      database,
      vault: createVault(runtime.keyRing),
      numberKey: runtime.keyRing.numberKey,
      metrics,
    }),
    lookupCard: createCardLookup(database, (size) => metrics.batchSize.observe({ batch: 'lookup' }, size)),
    noteKeyUse: keyUse.note,
  }
  const server = await buildServer(deps, config.roles, limits)
  let worker: { stop(): Promise<void> } | undefined
  async function stop(): Promise<void> {
    await server.close()
    await worker?.stop()
    await keyUse.stop()
  }
  try {
    await server.listen({ port: config.port, host: config.host })
    if (config.roles.worker) worker = await startWorker(runtime)
    const { port } = server.server.address() as AddressInfo
    const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    const roles = Object.entries(config.roles).flatMap(([role, on]) => (on ? [role] : []))
    log.info('ready', {
      host: config.host,
      port,
      mode: config.mode,
      version: VERSION,
      roles: roles.join(','),
    })
    if (runtime.embedded && config.mode === 'sandbox' && config.roles.api) await openDemo(runtime, address)
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function isReady({ database }: Runtime): Promise<boolean> {
  const rows = await database.read<{ version: number }>(
    { name: 'schema_version', text: 'select max(version) as version from schema_migration' },
    [],
  )
  return (rows[0]?.version ?? 0) >= schemaVersion()
}
