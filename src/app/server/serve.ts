import type { Backups } from '#app/backup/keep-backups.ts'
import { addBackupGauges } from '#app/backup/metrics.ts'
import { printBanner } from '#app/demo.ts'
import { createMetrics, type Metrics } from '#app/metrics.ts'
import { readLegalTexts, requireOperator } from '#app/operator.ts'
import { createAccountHolder } from '#app/ports/account-holder.ts'
import { createIdentity } from '#app/ports/identity.ts'
import { createProviders, imprintOf, type ProviderTimeouts, watchChanges } from '#app/ports/messaging.ts'
import { createPriceFeed } from '#app/ports/prices.ts'
import type { Service } from '#app/processes/join-service.ts'
import type { Runtime } from '#app/runtime.ts'
import { type Config, makeTogether } from '#app/settings/config.ts'
import { VERSION } from '#app/version.ts'
import type { Database } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import type { Log } from '#base/log.ts'
import { addRestGauge, addRoleGauge, addWorkerGauge } from '#base/metrics.ts'
import type { Limits } from '#edge/server.ts'
import { NO_PAGES, type PageFiles } from '#edge/site/shell/files.ts'
import { createKeyUse } from '#flows/partners/record-key-use.ts'
import { createRequestRecords } from '#flows/requests/record-requests.ts'
import type { PasswordCost } from '#modules/accounts/password.ts'
import { listUnregistered } from '#modules/deliveries/template-ids.ts'
import type { Worker } from './keep-running.ts'
import type { Servers } from './listen.ts'
import type { OpenServers } from './open-servers.ts'
import { createReadiness } from './readiness.ts'
import { type MoveWatch, watchMove } from './watch-move.ts'
import { ensurePages } from './web-build.ts'
import type { Messaging, Pricing } from './worker.ts'
import { watchRest } from './worker-rest.ts'

const CONNECTIONS_FIRST = 3

export interface Running {
  address: string
  // Every role of this process has started for the first time. Never rejects.
  started: Promise<void>
  // Resolves when the process cannot do its work and a restart may help.
  hopeless: Promise<void>
  // Answers what is under way and takes no more.
  drain(): Promise<void>
  // Drains if necessary, then stops the rest. The caller closes the runtime that it opened.
  stop(): Promise<void>
}

interface ServeOptions {
  limits?: Limits | undefined
  providerTimeouts?: ProviderTimeouts | undefined
  passwordCost?: PasswordCost | undefined
  // The rest of the service, if it has several processes.
  service?: Service | undefined
}

// Wires the service and starts it in the roles it was given. A worker without the api role still answers
// health checks, so both kinds of process are watched alike.
export async function serve(runtime: Runtime, options: ServeOptions = {}): Promise<Running> {
  const { service } = options
  const { config, database, log } = runtime
  const pages = config.roles.api ? await readyPages(config, log) : NO_PAGES
  const metrics = createMetrics(runtime)
  const move = await watchMove(database, log)
  const { providers, identity, accountHolder, prices, imprint, texts } = await openPorts(
    runtime,
    metrics,
    options,
  )
  const messaging = { providers, imprint, onChange: watchChanges(log, metrics) }
  const pricing: Pricing = {
    prices,
    onReading: (metal, outcome) => metrics.priceReadings.inc({ metal, outcome }),
  }
  const { keyUse, requests } = openRecords(database, log, metrics)
  let worker: Worker | undefined
  const workerStatus = () => worker?.status() ?? service?.worker()?.status
  let hasStarted = false
  const readiness = createReadiness({
    database,
    log,
    hasStarted: () => hasStarted,
    workerStatus,
    failingElsewhere: () => service?.worker()?.failingWrites,
    isMoved: move.isMoved,
  })
  addProcessGauges(config, metrics, workerStatus)
  service?.shareMetrics(metrics.registry, (error) => log.error('metrics not read', failureFields(error)))
  const parts = { metrics, messaging, identity, accountHolder, pages, texts, readiness }
  const given = { ...parts, isMoved: move.isMoved, noteKeyUse: keyUse.note, recordRequest: requests.record }
  const servers = await makeServers(runtime, given, options)
  const announcement = runtime.keys.announce(
    () => worker?.names() ?? [],
    (error) => log.warn('process not announced', failureFields(error)),
  )
  let drained: Promise<void> | undefined
  function drain(): Promise<void> {
    drained ??= servers.close()
    return drained
  }
  async function stop(): Promise<void> {
    await drain()
    // Before the worker, so that its last round of the archive has them.
    for (const records of [keyUse, requests]) await records.stop()
    await worker?.stop()
    for (const provider of [...providers, identity, accountHolder, pricing.prices]) await provider.close()
    move.stop()
    await announcement.remove()
  }
  const port = await servers.listen().catch(async (error) => {
    await stop()
    throw error
  })
  if (config.roles.worker) worker = await beginWork(runtime, metrics, { messaging, pricing, move, service })
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  const warm = config.roles.api ? openConnections(database) : undefined
  const starting = [announcement.made, worker?.started, service?.workerStarted, warm]
  const started = Promise.all(starting).then(async () => {
    hasStarted = true
    service?.tellReady()
    if (service && !service.part.first) return
    logReady(log, { ...config, roles: service?.roles ?? config.roles }, port)
    await greet(runtime, address)
  })
  // A worker never takes the API of its process down with it.
  const hopeless = (!config.roles.api && worker?.hopeless) || new Promise<void>(() => {})
  return { address, started, hopeless, drain, stop }
}

// What this process is and does, beside what it counts.
function addProcessGauges(
  { roles, databaseUrl, dataDir }: Config,
  { registry, shared }: Metrics,
  workerStatus: () => string | undefined,
): void {
  addRoleGauge(registry, roles)
  addWorkerGauge(shared, workerStatus)
  addBackupGauges(shared, databaseUrl === undefined ? dataDir : undefined)
}

// What is gathered in memory and written behind the answers.
function openRecords(database: Database, log: Log, metrics: Metrics) {
  const complain = (what: string) => (error: unknown) => log.warn(what, failureFields(error))
  return {
    keyUse: createKeyUse(database, complain('key use not recorded')),
    requests: createRequestRecords({ database, metrics, onError: complain('requests not recorded') }),
  }
}

// A process still loads code when its first requests come. On a busy machine that takes so long that a connection which is only
// begun then counts as not to be had (503). A database that is away is for `/readyz` to tell.
async function openConnections({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: CONNECTIONS_FIRST }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
}

// The outside world. Everything that is wrong with its settings is told together.
async function openPorts(
  { config, log }: Runtime,
  metrics: Metrics,
  { providerTimeouts, service }: ServeOptions,
) {
  const made = makeTogether({
    providers: () => createProviders(config, log, metrics, providerTimeouts),
    identity: () => createIdentity(config, log, metrics, service?.memory),
    accountHolder: () => createAccountHolder(config, log, metrics),
    imprint: () => imprintOf(config),
    prices: () => createPriceFeed(config, log, metrics),
    texts: () => readLegalTexts(config),
    operator: () => requireOperator(config),
  })
  const [providers, identity, accountHolder, prices] = await Promise.all([
    made.providers,
    made.identity,
    made.accountHolder,
    made.prices,
  ])
  return { ...made, providers, identity, accountHolder, prices }
}

// The worker of a service with several processes listens nowhere: its API processes report on it.
const NO_SERVERS: Servers = { listen: async () => 0, close: async () => {} }

async function makeServers(...[runtime, parts, options]: Parameters<OpenServers>): Promise<Servers> {
  if (options.service?.part.kind === 'worker') return NO_SERVERS
  const { openServers } = await import('./open-servers.ts')
  return openServers(runtime, parts, options)
}

interface Work {
  messaging: Messaging
  pricing: Pricing
  move: MoveWatch
  service: Service | undefined
}

async function beginWork(
  runtime: Runtime,
  { registry }: Metrics,
  { messaging, pricing, move, service }: Work,
): Promise<Worker> {
  const { startWorker } = await import('./worker.ts')
  // Beside API processes on the same machine it gives way to them.
  const rest = service && watchRest()
  if (rest) addRestGauge(registry, rest)
  const worker = startWorker(runtime, messaging, pricing, move.isBegun, rest)
  if (service) reportWorker(service, worker, runtime.database)
  const backups = await beginBackups(runtime)
  return {
    ...worker,
    async stop() {
      await worker.stop()
      // After the last job, so that its writes are archived too.
      await backups?.stop()
    },
  }
}

// Of the embedded database. A folder that may be a copy writes into no archive: it may be the original's.
async function beginBackups({ config, connection, log, adoption }: Runtime): Promise<Backups | undefined> {
  if (config.databaseUrl !== undefined) return undefined
  const { startBackups } = await import('#app/backup/keep-backups.ts')
  const mayArchive = () => !(adoption?.isAwaited() ?? false)
  return startBackups({ dataDir: config.dataDir, connection, log, mayArchive })
}

const REPORT_MS = 250

function reportWorker(service: Service, worker: Worker, { writes }: Runtime['database']): void {
  let told = ''
  let hasStarted = false
  function tell(): void {
    const news = { status: worker.status(), hasStarted, failingWrites: writes.failing() }
    if (JSON.stringify(news) === told) return
    told = JSON.stringify(news)
    service.tellWorker(news)
  }
  void worker.started.then(() => {
    hasStarted = true
    tell()
  })
  setInterval(tell, REPORT_MS).unref()
}

// What an operator sees after a start. Nothing depends on it.
async function greet(runtime: Runtime, address: string): Promise<void> {
  const { config, database, log } = runtime
  await warnOfMissingTemplates(runtime).catch((error) => log.warn('templates not read', failureFields(error)))
  if (!config.roles.api) return
  await printBanner(database, config, address).catch((error) => log.warn('no banner', failureFields(error)))
}

function readyPages({ dataDir }: Config, log: Log): Promise<PageFiles> {
  return ensurePages({
    dataDir,
    onEvent: (event, ms) =>
      event === 'building' ? log.info('building the pages, some seconds') : log.info('pages built', { ms }),
  })
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

// Without them the provider takes no notification, however good the rest.
async function warnOfMissingTemplates({ config, database, log }: Runtime): Promise<void> {
  const providers = config.messaging.providers.filter((name) => name !== 'simulated')
  if (providers.length === 0) return
  for (const { provider, template, sends } of await listUnregistered(database.db, providers)) {
    const { purpose, language, version } = template
    const reason = `${provider} ${purpose} ${language}`
    if (sends !== null)
      log.info('a newer template is to be registered', { reason: `${reason} version ${version}` })
    // Its recipients get a text instead.
    else if (purpose === 'cancellation') log.warn('no template is set: it is sent as a text', { reason })
    else log.warn('no template is set: its notifications will fail', { reason })
  }
}
