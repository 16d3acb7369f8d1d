import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeDays } from '#flows/books/close/close-days.ts'
import { closeStatement } from '#flows/settlement/close-statement.ts'
import { monthPeriod } from '#modules/settlement/rules.ts'
import { isAllowed, isPartnerRole, type Permission, ROLES, type Role } from '#modules/staff/permissions.ts'
import { type OpenApi, type Operation, operationsOf } from '#test/openapi.ts'
import { advanceClock } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { call, PHONE, startService } from '#test/service.ts'
import type { StaffBrowser } from '#test/staff.ts'

// Every route of the console × every role × both tenants. The document is made from what the server registered, and a
// route that names no permission or that the document leaves out stops the start. So nothing can be missing here.

const service = await startService()
const own = await service.addPartner()
const other = await service.addPartner()

// What the other partner has. It is made before the first test begins: a session does not outlive a step of the clock.
const bought = await other.buy({ phoneNumber: PHONE, amount: 10_000 })
const { giftId: cardId } = bought.body.data
// Written behind the answer.
const apiRequestId = bought.headers.get('x-request-id')!
await until(async () => {
  const { rows } = await service.database.pool.query('select from api_request where id = $1', [apiRequestId])
  return rows.length > 0
})
const { userKey } = (await other.post(SIGNUP, signupOf(other.partner.code, 'minji'))).body
const idOf = async (sql: string, value: string) =>
  String((await service.database.pool.query(sql, [value])).rows[0].id)
const userId = await idOf('select id from partner_user where partner_key = $1', userKey)
const deliveryId = await idOf('select id from delivery where card_id = $1 limit 1', cardId)
const { code } = other.partner
const reason = 'test'
// A month later, the other partner has a statement.
const month = String(
  (await service.database.pool.query('select seoul_date(service_now())::text as day')).rows[0].day,
).slice(0, 7)
await advanceClock(service.database, { seconds: 32 * 86_400, actor: 'test' })
assert.equal((await closeDays(service.database, { actor: 'test', rest: 0 })).kind, 'done')
const closed = await closeStatement(service.database, { code, period: monthPeriod(month), actor: 'test' })
assert.ok(closed.kind === 'closed')
const { number } = closed.statement

interface Guarded extends Operation {
  'x-permission'?: Permission
  'x-tenant'?: 'operator' | 'own'
  'x-fresh-proof'?: boolean
}

const document: OpenApi = (await call(`${service.url}/console/api/openapi.json`)).body
const routes = operationsOf(document).map(({ method, path, operation }) => ({
  method: method.toUpperCase(),
  path: path.replace('/console/api', ''),
  operation: operation as Guarded,
}))

// Callers without a session may ask these, and nothing else.
const OPEN: readonly string[] = [
  'beginFirstPasskey',
  'beginFirstPassword',
  'beginPasskeySignIn',
  'chooseFirstPasskey',
  'chooseFirstPassword',
  'consoleSession',
  'signIn',
  'signInAsDemo',
  'signInWithPasskey',
  'signOut',
  'waysIn',
  'welcome',
]

// Shaped like an id, and nobody's.
const NOBODYS = '01900000-0000-7000-8000-000000000000'

const filled = (path: string, params: Record<string, string> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? NOBODYS)

// No body is valid: an act that is let in ends with 400 and changes nothing. Who may ask is decided before.
function ask(browser: StaffBrowser, { method, path }: (typeof routes)[number]) {
  const body = method === 'GET' || method === 'DELETE' ? undefined : { nonsense: true }
  return browser.send(method, browser.prefix + filled(path), body)
}

const SESSION_ASKS = 15

function expected(role: Role, { operation }: (typeof routes)[number], fresh: boolean) {
  const permission = operation['x-permission']!
  const isForeign = operation['x-tenant'] === 'operator' && isPartnerRole(role)
  if (isForeign || !isAllowed(role, permission)) return 'forbidden'
  return operation['x-fresh-proof'] && !fresh ? 'proof_required' : 'let in'
}

test('every route names a permission and a tenant, but those for visitors', () => {
  const unguarded = routes.filter(({ operation }) => operation['x-permission'] === undefined)
  assert.deepEqual(unguarded.map(({ operation }) => operation.operationId).toSorted(), OPEN.toSorted())
  for (const { operation } of routes) {
    if (operation['x-permission'] === undefined) continue
    assert.match(String(operation['x-tenant']), /^(?:operator|own)$/, operation.operationId)
  }
})

test('without a session nothing but the routes for visitors answers', async () => {
  for (const { method, path, operation } of routes) {
    if (OPEN.includes(operation.operationId)) continue
    const { status } = await call(`${service.url}/console/api${filled(path)}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(status, 401, operation.operationId)
  }
})

for (const role of ROLES) {
  for (const fresh of [true, false]) {
    test(`${role}, ${fresh ? 'proved just now' : 'proved long ago'}: every route`, async () => {
      const options = { fresh, ...(isPartnerRole(role) ? { partner: own } : {}) }
      let browser = await service.consoleAs(role, options)
      let asked = 0
      for (const route of routes) {
        if (OPEN.includes(route.operation.operationId)) continue
        const { status, body } = await ask(browser, route)
        const wanted = expected(role, route, fresh)
        const what = `${role}: ${route.operation.operationId} ${status} ${JSON.stringify(body)}`
        if (wanted === 'let in') assert.ok(![401, 403, 500].includes(status), what)
        else assert.deepEqual([status, body?.code], [403, wanted], what)
        asked += 1
        // Signing out ends the session, so what comes after gets a new one. And a session may ask so often only.
        if (route.operation['x-permission'] !== 'self.manage' && asked < SESSION_ASKS) continue
        browser = await service.consoleAs(role, options)
        asked = 0
      }
    })
  }
}

// What belongs to a partner, by the routes that its staff may ask. Each is asked for an object of another partner, with a
// body that would be valid, and must answer as if there were none.
interface Foreign {
  params: Record<string, string>
  query?: string
  body?: object
}
const FOREIGN: Record<string, Foreign> = {
  statement: { params: { number } },
  statementFile: { params: { number }, query: 'format=csv' },
  apiRequest: { params: { apiRequestId } },
  card: { params: { cardId } },
  cardTimeline: { params: { cardId } },
  previewResend: { params: { cardId } },
  resendCard: { params: { cardId }, body: { reason } },
  delivery: { params: { deliveryId } },
  user: { params: { userId } },
  userTimeline: { params: { userId } },
  partner: { params: { code } },
  partnerTimeline: { params: { code } },
  issueKey: {
    params: { code },
    body: { label: '', scopes: ['usage:read'], networks: [], expiresInDays: null, reason },
  },
  rotateKey: { params: { keyId: other.keyId }, body: { overlapMinutes: 0, reason } },
  revokeKey: { params: { keyId: other.keyId }, body: { afterMinutes: 0, reason } },
}

test('what belongs to another partner does not exist', async () => {
  const asked = routes.filter(
    ({ path, operation }) => operation['x-tenant'] === 'own' && path.includes('{') && !isOwn(operation),
  )
  assert.deepEqual(
    asked.map(({ operation }) => operation.operationId).filter((id) => !FOREIGN[id]),
    [],
    'name an object of another partner in FOREIGN',
  )
  for (const role of ROLES.filter(isPartnerRole)) {
    const browser = await service.consoleAs(role, { partner: own })
    for (const { method, path, operation } of asked) {
      if (!isAllowed(role, operation['x-permission']!)) continue
      const { params, query = '', body } = FOREIGN[operation.operationId]!
      const answer = await browser.send(method, `${browser.prefix}${filled(path, params)}?${query}`, body)
      assert.equal(answer.status, 404, `${role}: ${operation.operationId} ${answer.text}`)
    }
  }
})

// The own account is nobody else's.
function isOwn(operation: Guarded): boolean {
  return operation['x-permission'] === 'self.manage'
}

test("no answer to a partner's staff names another partner", async () => {
  const traces = [other.partner.code, other.partner.name]
  for (const role of ROLES.filter(isPartnerRole)) {
    const browser = await service.consoleAs(role, { partner: own })
    for (const { method, path, operation } of routes) {
      if (method !== 'GET' || path.includes('{') || operation['x-tenant'] !== 'own') continue
      if (!isAllowed(role, operation['x-permission']!)) continue
      const { text } = await browser.send(method, browser.prefix + path)
      for (const trace of traces)
        assert.ok(!text.includes(trace), `${role}: ${operation.operationId} ${trace}`)
    }
  }
})
