import type { AddressInfo } from 'node:net'
import { BadSetting, type Config } from '#app/config.ts'
import { printBanner } from '#app/demo.ts'
import { schemaVersion } from '#app/migrate.ts'
import type { Runtime } from '#app/runtime.ts'
import { VERSION } from '#app/version.ts'
import { startWorker } from '#app/worker.ts'
import type { Database } from '#base/db.ts'
import { failureFields } from '#base/db-errors.ts'
import type { Log } from '#base/log.ts'
import { createMetrics } from '#base/metrics.ts'
import { createServiceToday } from '#base/service-clock.ts'
import { hostName } from '#edge/forwarding.ts'
import { buildServer, type Limits } from '#edge/server.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import { createBuyGiftCard } from '#flows/buy-gift-cards.ts'
import { createContinueWebView } from '#flows/continue-web-view.ts'
import { createEnterWebView } from '#flows/enter-web-view.ts'
import { createIssueHashKey } from '#flows/issue-hash-keys.ts'
import { createLeaveWebView } from '#flows/leave-web-view.ts'
import { createLookUpAssets } from '#flows/look-up-assets.ts'
import { createReadInbox, type ReadInbox } from '#flows/read-inbox.ts'
import { createKeyUse } from '#flows/record-key-use.ts'
import { createSignUpPartnerUser } from '#flows/sign-up-partner-user.ts'
import { createCardLookup } from '#modules/gift-cards/store.ts'

// Who answers for messages that reach nobody.
const SANDBOX_CONTACT = 'help@ingot.example'
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

export interface Running {
  address: string
  // Answers what is under way and takes no more.
  drain(): Promise<void>
  // Drains if need be, then stops the rest. The runtime is closed by whoever opened it.
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
  const known = schemaVersion()
  const withdraw = await runtime.keys.announce((error) =>
    log.warn('keys not announced', failureFields(error)),
  )
  const observeBatch = (batch: string) => (size: number) => metrics.batchSize.observe({ batch }, size)
  const deps: EdgeDeps = {
    publicUrl: config.publicUrl,
    version: VERSION,
    keyMode: config.mode === 'live' ? 'live' : 'test',
    trustedProxies: config.trustedProxies,
    own: ownNames(config),
    log,
    metrics,
    database,
    isReady: () => hasSchema(database, known),
    buyGiftCard: createBuyGiftCard({
      database,
      keys: runtime.keys,
      numberKey: runtime.keys.numberKey,
      metrics,
    }),
    lookupCard: createCardLookup(database, observeBatch('lookup')),
    signUpPartnerUser: createSignUpPartnerUser({ database, keys: runtime.keys, metrics }),
    issueHashKey: createIssueHashKey(database, observeBatch('hash')),
    lookUpAssets: createLookUpAssets(database, observeBatch('assets')),
    today: createServiceToday(database),
    enterWebView: createEnterWebView(database),
    continueWebView: createContinueWebView({ database, keys: runtime.keys }),
    leaveWebView: createLeaveWebView(database),
    readInbox: openInbox(runtime),
    noteKeyUse: keyUse.note,
  }
  const server = await buildServer(deps, config.roles, limits)
  let worker: { stop(): Promise<void> } | undefined
  let drained: Promise<void> | undefined
  function drain(): Promise<void> {
    drained ??= server.close()
    return drained
  }
  async function stop(): Promise<void> {
    await drain()
    await worker?.stop()
    await keyUse.stop()
    await withdraw()
  }
  try {
    await listen(server, config)
    if (config.roles.worker) worker = await startWorker(runtime)
    const { port } = server.server.address() as AddressInfo
    const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    logReady(log, config, port)
    if (config.roles.api) {
      const onError = (error: unknown) => log.warn('no banner', failureFields(error))
      await printBanner(database, config, address).catch(onError)
    }
    return { address, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function openInbox({ config, database, keys }: Runtime): ReadInbox {
  const registerUrl = `${config.publicUrl}/`
  return createReadInbox({ database, keys, registerUrl, contact: SANDBOX_CONTACT })
}

// How callers name us, from elsewhere and on this machine.
function ownNames({ publicUrl, host }: Config): EdgeDeps['own'] {
  const { host: name, origin: publicOrigin } = new URL(publicUrl)
  const publicHost = hostName(name)
  return { publicHost, publicOrigin, directHosts: new Set([publicHost, host, ...LOOPBACK]) }
}

function logReady(log: Log, { host, mode, roles, publicUrl }: Config, port: number): void {
  const on = Object.entries(roles).flatMap(([role, taken]) => (taken ? [role] : []))
  log.info('ready', { host, port, mode, version: VERSION, roles: on.join(',') })
  const { protocol, host: name } = new URL(publicUrl)
  // Browsers keep the web view's cookie over https only.
  if (roles.api && mode === 'live' && protocol === 'http:') {
    log.warn('the web view will not stay open', { reason: `PUBLIC_URL is not https: ${name}` })
  }
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new BadSetting('PORT', `${port} is taken by another process (${code})`)
    if (code === 'EACCES') throw new BadSetting('PORT', `${port} is not open to this account (${code})`)
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
      throw new BadSetting('HOST', `${host} is no address of this machine (${code})`)
    }
    throw error
  }
}

async function hasSchema(database: Database, known: number): Promise<boolean> {
  const rows = await database.read<{ version: number }>(
    { name: 'schema_version', text: 'select max(version) as version from schema_migration' },
    [],
  )
  return (rows[0]?.version ?? 0) >= known
}
