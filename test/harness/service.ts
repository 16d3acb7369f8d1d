import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import type { ProviderTimeouts } from '#app/ports/messaging.ts'
import type { Runtime } from '#app/runtime.ts'
import { serve } from '#app/server/serve.ts'
import { readConfig } from '#app/settings/config.ts'
import { type Database, openDatabase } from '#base/db/db.ts'
import { createLog, type LogLevel } from '#base/log.ts'
import type { Limits } from '#edge/server.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { PASSWORD_COST } from '#modules/accounts/password.ts'
import { newTerms } from '#modules/partners/rules.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'
import type { Role } from '#modules/staff/permissions.ts'
import { type Answer, call, liveOrigins } from './http-calls.ts'
import { issueApiKey, registerPartner } from './operator.ts'
import { patiently } from './patience.ts'
import {
  createTestDatabase,
  TEST_RING_STORE,
  TEST_SCHEMA,
  TEST_VAULT,
  type TestDatabase,
} from './postgres.ts'
import { temporaryFolder } from './process.ts'
import { KEPT_DATABASE } from './release-recording.ts'
import { type StaffBrowser, type StaffOptions, signInStaff } from './staff.ts'

export { type Answer, call, liveOrigins } from './http-calls.ts'

export interface TestService {
  url: string
  on: TestDatabase
  // Others on the same database, stopped before it is dropped.
  companions: TestService[]
  database: Database
  log: string[]
  addPartner(terms?: Partial<PartnerTerms>): Promise<TestPartner>
  // A new staff member of that role, signed in to the console.
  consoleAs(role: Role, options?: StaffOptions): Promise<StaffBrowser>
  stop(): Promise<void>
}

export interface TestPartner {
  partner: Partner
  key: string
  keyId: string
  buy(body: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  // The same partner, calling another process.
  at(service: { url: string }): Calls
}

type Calls = Pick<TestPartner, 'buy' | 'get' | 'post'>

export interface ServiceOptions {
  environment?: Record<string, string>
  logLevel?: LogLevel
  limits?: Limits
  providerTimeouts?: ProviderTimeouts
  // As the service takes it. Otherwise a password costs next to nothing: most tests only need it to be right.
  costlyPasswords?: true
  // A second process on the first one's database. Only there do transactions race for the same rows: within
  // one process a partner's purchases take turns.
  beside?: TestService
}

export const BUY = '/v2/partner/metal/giftcard/buy'
export const PHONE = '010-1234-5678'

const CHEAP_PASSWORDS = { ...PASSWORD_COST, memory: 8, passes: 1 }

const FRESH_PRICES = `update metal_price set at = service_now() where source = 'seed'`
// Where orders were made at the prices that are there, new ones are added.
const MORE_PRICES = `
  insert into metal_price (metal, at, won_per_gram, source)
  select distinct on (metal) metal, service_now(), won_per_gram, 'test feed' from metal_price order by metal, at desc
  on conflict do nothing`

// The real service, wired as in production, on a database of its own, over real HTTP. When the file is
// done the invariants of the books must hold.
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const test = options.beside?.on ?? (await createTestDatabase())
  const folder = temporaryFolder()
  const lines: string[] = []
  const log = createLog(options.logLevel ?? 'info', { write: (line) => void lines.push(line) })
  const database = openDatabase({
    connection: test.connection,
    maxConnections: 12,
    waitMs: patiently(6_000), // a busy machine is no reason for a 503
    onIdleError: () => {},
  })
  // The template was made some minutes ago, and prices of then would be stale.
  if (!options.beside)
    await database.pool.query(KEPT_DATABASE ? MORE_PRICES : 'update metal_price set at = service_now()')
  const runtime: Runtime = {
    config: readConfig({
      PORT: '0',
      DATA_DIR: folder.path,
      DATABASE_URL: test.url,
      INGOT_ROLES: 'api',
      ...options.environment,
    }),
    log,
    database,
    connection: test.connection,
    keyRing: TEST_RING_STORE,
    keys: await openVaultKeeper(database, TEST_RING_STORE),
    created: false,
    schema: TEST_SCHEMA,
    close: () => database.close(),
  }
  // The template's prices are as old as the run, and would stop trading in a long one.
  if (!options.beside && !KEPT_DATABASE) await database.pool.query(FRESH_PRICES)
  const passwordCost = options.costlyPasswords ? PASSWORD_COST : CHEAP_PASSWORDS
  const running = await serve(runtime, { ...options, passwordCost })
  await running.started
  const { mode, publicUrl } = runtime.config
  if (mode === 'live') liveOrigins.set(running.address, new URL(publicUrl).origin)
  const companions: TestService[] = []
  let stopped = false
  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    for (const companion of companions) await companion.stop()
    await running.stop()
    if (!options.beside) await assertBooks(database)
    await runtime.close()
    if (!options.beside) await test.drop()
    folder.remove()
  }
  after(stop)
  const service: TestService = {
    url: running.address,
    on: test,
    companions,
    database,
    log: lines,
    addPartner: (terms) => addPartner(database, running.address, terms),
    consoleAs: (role, options) => signInStaff(service, role, options),
    stop,
  }
  options.beside?.companions.push(service)
  return service
}

export async function assertBooks(database: Database): Promise<void> {
  const results = await verifyBooks(database, TEST_VAULT, { skipSealed: true })
  const broken = results.filter((result) => result.broken > 0)
  assert.deepEqual(broken, [], 'the books do not hold')
}

let partners = 0

async function addPartner(
  database: Database,
  url: string,
  terms: Partial<PartnerTerms> = {},
): Promise<TestPartner> {
  partners += 1
  const code = KEPT_DATABASE ? `partner-${process.pid}-${partners}` : `partner-${partners}`
  const { partner } = await registerPartner(database, {
    code,
    terms: { name: code, ...newTerms('sandbox'), rateLimit: 0, ...terms },
    actor: 'test',
  })
  const { id, key } = await issueApiKey(database, { code, mode: 'test', actor: 'test' })
  const secret = key.reveal()
  const at = (service: { url: string }) => callsOf(service.url, secret)
  return { partner, key: secret, keyId: id, at, ...at({ url }) }
}

function callsOf(url: string, key: string): Calls {
  const authorization = `Bearer ${key}`
  const post: Calls['post'] = (path, body, headers) =>
    call(`${url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    post,
    buy: (body, headers) => post(BUY, body, headers),
    get: (path, headers) => call(`${url}${path}`, { headers: { authorization, ...headers } }),
  }
}
