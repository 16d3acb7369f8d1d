import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { BadAddress, parseAddress } from '#base/db/address.ts'
import { Explained } from '#base/explained.ts'
import { isNetwork, type Networks, networks } from '#base/http/networks.ts'
import { LOG_LEVELS, type LogLevel } from '#base/log.ts'
import { type AccountHolderSettings, readAccountHolder } from './account-holder.ts'
import { type ApprovalSettings, readApprovals } from './approvals.ts'
import { type AuditSettings, readAudit } from './audit.ts'
import { type IdentitySettings, readIdentity } from './identity.ts'
import { type MessagingSettings, readMessaging } from './messaging.ts'
import { type OperatorSettings, readOperator } from './operator.ts'
import { type PriceSettings, readPrices } from './prices.ts'
import { withSecretFiles } from './secret-files.ts'
import type { Mode } from './setting-source.ts'
import { readSingleSignOn, type SingleSignOnSettings } from './single-sign-on.ts'
import { readTracing, type TracingSettings } from './tracing.ts'

// The only reader of the environment. A value it does not understand is refused by name: starting with a
// guess would be found out too late.
export interface Config {
  port: number
  host: string
  publicUrl: string
  // False: made up from where we listen.
  publicUrlGiven: boolean
  databaseUrl: string | undefined
  dataDir: string
  mode: Mode
  roles: { api: boolean; worker: boolean }
  // API processes. 0: this process has every role.
  processes: number
  logLevel: LogLevel
  // Of the embedded database, before a release changes its schema.
  copyBeforeUpgrade: boolean
  // The listener for metrics, if not `port`.
  metricsAddress: { host: string; port: number } | undefined
  trustedProxies: Networks
  keyRingFile: string | undefined
  // How often the head of the audit chain is written outside the database.
  auditAnchors: AuditSettings
  messaging: MessagingSettings
  identity: IdentitySettings
  accountHolder: AccountHolderSettings
  prices: PriceSettings
  approvals: ApprovalSettings
  operator: OperatorSettings
  // Of staff. Undefined: there is none.
  singleSignOn: SingleSignOnSettings | undefined
  // Undefined: nothing is traced.
  tracing: TracingSettings | undefined
}

export class BadSetting extends Explained {
  readonly settings: readonly { name: string; why: string }[]

  constructor(name: string, why: string, others: readonly { name: string; why: string }[] = []) {
    const settings = [{ name, why }, ...others]
    super(settings.map((one) => `${one.name}: ${one.why}`).join('\n'))
    this.settings = settings
  }

  override get machineWords() {
    return { code: 'bad_setting', settings: this.settings }
  }
}

// Collects everything that is wrong, so that the operator does not repair one setting only to learn of the next.
class Complaints {
  readonly #found = new Map<string, string>()

  readonly refuse = (name: string, why: string): '' => {
    if (!this.#found.has(name)) this.#found.set(name, why)
    return ''
  }

  // What could not be made stays undefined until `end`, which throws then.
  try<Value>(make: () => Value): Value {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      for (const { name, why } of error.settings) this.refuse(name, why)
      return undefined as Value
    }
  }

  end(): void {
    const [first, ...others] = [...this.#found].map(([name, why]) => ({ name, why }))
    if (first) throw new BadSetting(first.name, first.why, others)
  }
}

// Makes all of them, or reports everything that is wrong.
export function makeTogether<Made extends Record<string, unknown>>(
  makers: {
    [Name in keyof Made]: () => Made[Name]
  },
): Made {
  const complaints = new Complaints()
  const made = Object.entries(makers).map(([name, make]) => [name, complaints.try(make)])
  complaints.end()
  return Object.fromEntries(made)
}

export type Environment = Record<string, string | undefined>

// `alsoRequire`: what a caller needs beyond what every command does, told with the rest.
export function readConfig(environment: Environment, alsoRequire?: (config: Config) => unknown): Config {
  // An empty value is what many tools pass for "not set".
  const complaints = new Complaints()
  const { refuse } = complaints
  const source = withSecretFiles({ get: (name) => environment[name] || undefined, refuse })
  const { get } = source
  const port = complaints.try(() => readPort('PORT', get('PORT') ?? '3000'))
  const host = get('HOST') ?? '127.0.0.1'
  if (/[\s/]/.test(host)) refuse('HOST', 'is not an address or a host name')
  // Read on as a sandbox: a wrong mode is refused below, with everything else that is wrong.
  const mode = complaints.try(() => readMode(get('INGOT_MODE') ?? 'sandbox')) ?? 'sandbox'
  const config = {
    port,
    host,
    publicUrlGiven: get('PUBLIC_URL') !== undefined,
    publicUrl: complaints.try(() => readPublicUrl(get('PUBLIC_URL'), host, port)),
    databaseUrl: complaints.try(() => readDatabaseUrl(get('DATABASE_URL'))),
    dataDir: resolve(get('DATA_DIR') ?? './data'),
    mode,
    roles: complaints.try(() => readRoles(get('INGOT_ROLES') ?? 'api,worker')),
    processes: complaints.try(() => readProcesses(get('INGOT_PROCESSES'), mode)),
    logLevel: complaints.try(() => readLogLevel(get('LOG_LEVEL') ?? 'info')),
    copyBeforeUpgrade: complaints.try(() =>
      readSwitch('COPY_BEFORE_UPGRADE', get('COPY_BEFORE_UPGRADE') ?? 'on'),
    ),
    metricsAddress: complaints.try(() => readAddress('METRICS_ADDRESS', get('METRICS_ADDRESS'))),
    trustedProxies: complaints.try(() => readNetworks('TRUSTED_PROXIES', get('TRUSTED_PROXIES'))),
    keyRingFile: complaints.try(() => readKeyRingFile(get('KEY_RING_FILE'), mode)),
    auditAnchors: readAudit(source),
    messaging: readMessaging(source, mode),
    identity: readIdentity(source, mode),
    accountHolder: readAccountHolder(source, mode),
    prices: readPrices(source, mode),
    approvals: readApprovals(source, mode),
    singleSignOn: readSingleSignOn(source),
    operator: readOperator(source, mode),
    tracing: readTracing(source),
  }
  complaints.try(() => alsoRequire?.(config))
  complaints.end()
  return config
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new BadSetting(name, 'is not a port (0 to 65535)')
  return port
}

function readAddress(name: string, text: string | undefined): Config['metricsAddress'] {
  if (text === undefined) return undefined
  const [, v6, other, port] = /^(?:\[([^\]]*)\]|([^\s/:[\]]+)):(\d+)$/.exec(text) ?? []
  const host = v6 ?? other
  if (port === undefined || host === undefined || (v6 !== undefined && isIP(v6) !== 6)) {
    throw new BadSetting(name, 'is not HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464')
  }
  return { host, port: readPort(name, port) }
}

function readMode(text: string): Config['mode'] {
  if (text !== 'sandbox' && text !== 'live') throw new BadSetting('INGOT_MODE', 'is not sandbox or live')
  return text
}

function readPublicUrl(text: string | undefined, host: string, port: number): string {
  if (text === undefined) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new BadSetting('PUBLIC_URL', 'is not an http or https address')
  }
  // It stands in every message. A password in it would be sent to every recipient.
  if (url.search || url.hash || url.username || url.password) {
    throw new BadSetting('PUBLIC_URL', 'has more than a host and a path')
  }
  return url.href.replace(/\/+$/, '')
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    parseAddress(text)
    return text
  } catch (error) {
    throw error instanceof BadAddress ? new BadSetting('DATABASE_URL', error.message) : error
  }
}

function readRoles(text: string): Config['roles'] {
  const roles = text.split(',').map((role) => role.trim())
  if (!roles.every((role) => role === 'api' || role === 'worker')) {
    throw new BadSetting('INGOT_ROLES', 'is not api, worker, or both separated by a comma')
  }
  return { api: roles.includes('api'), worker: roles.includes('worker') }
}

const MOST_PROCESSES = 256

function readProcesses(text: string | undefined, mode: Mode): number {
  if (text === 'auto' || (text === undefined && mode === 'live')) return availableParallelism()
  if (text === undefined) return 1
  const processes = Number(text)
  if (!/^\d{1,3}$/.test(text) || processes > MOST_PROCESSES)
    throw new BadSetting('INGOT_PROCESSES', `is not auto or a number from 0 to ${MOST_PROCESSES}`)
  return processes
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === text)
  if (!level) throw new BadSetting('LOG_LEVEL', `is not one of ${LOG_LEVELS.join(', ')}`)
  return level
}

function readSwitch(name: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new BadSetting(name, 'is not on or off')
  return text === 'on'
}

function readNetworks(name: string, text: string | undefined): Networks {
  const list = (text ?? '').split(',').flatMap((part) => part.trim() || [])
  if (!list.every(isNetwork)) throw new BadSetting(name, 'is not a list of addresses or CIDR blocks')
  return networks(list)
}

function readKeyRingFile(text: string | undefined, mode: Config['mode']): string | undefined {
  if (text === undefined && mode === 'live') {
    throw new BadSetting(
      'KEY_RING_FILE',
      'is required in live mode: the keys that protect people must not be made up by this process. ' +
        'Make one with `npm run --silent ingot -- keys generate FILE` and keep it safe',
    )
  }
  return text === undefined ? undefined : resolve(text)
}
