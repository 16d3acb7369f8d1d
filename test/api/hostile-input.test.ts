import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ERRORS } from '#edge/http/errors.ts'
import { type Answered, type HostileRequest, NO_UUIDS, requestsOf, sendAsWritten } from '#test/hostile.ts'
import { addMember, BEHIND_PROXY, Browser } from '#test/member.ts'
import type { OpenApi } from '#test/openapi.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { BUY, call, PHONE, startService } from '#test/service.ts'
import { addLink } from '#test/web-view.ts'

// Nothing that a caller sends is ever our fault: no answer of 5xx, and none that is not of our shape.
const service = await startService(BEHIND_PROXY)
const { url } = service
const partner = await service.addPartner({ keyFormat: 'custom', keyPattern: '[A-Z0-9-]{1,32}' })

const members = [await addMember(service), await addMember(service), await addMember(service)]
const opener = await service.addPartner()
const webViews = await Promise.all(
  members.map(async () => {
    const link = await addLink(service, opener, { holds: { KRW_POINT: 100_000n } })
    const webView = new Browser(url, '/webview/member')
    await webView.enter(await link.hashKey())
    return webView
  }),
)

const cookiesOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
let turn = 0
// A session asks so often and no more: they take turns.
function nextOf<One>(all: readonly One[]): One {
  turn += 1
  return all[turn % all.length]!
}
const CALLERS: Record<'partner' | 'member' | 'web view', () => Record<string, string>> = {
  partner: () => ({ authorization: `Bearer ${partner.key}` }),
  member() {
    const { browser } = nextOf(members)
    return {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': `198.51.100.${turn % 256}`,
      cookie: cookiesOf(browser),
    }
  },
  'web view': () => ({ 'sec-fetch-site': 'same-origin', cookie: cookiesOf(nextOf(webViews)) }),
}

// Ends the session that the others need.
const LEAVES = new Set(['logOut', 'endOtherSessions'])
const JSON_TYPE = { 'content-type': 'application/json' }

function send(caller: keyof typeof CALLERS, request: HostileRequest): Promise<Answered> {
  const { cookie, ...others } = CALLERS[caller]()
  const kept = LEAVES.has(request.operationId) || cookie === undefined ? {} : { cookie }
  const body = request.body === undefined ? {} : JSON_TYPE
  return sendAsWritten(url, { ...request, headers: { ...others, ...kept, ...body, ...request.headers } })
}

const MESSAGES = new Set<string>(Object.values(ERRORS).map(({ message }) => message))

function assertOurs({ status, headers, text }: Answered): void {
  assert.ok(status < 500, `${status} ${text}`)
  assert.match(String(headers['x-request-id']), /^req_/)
  if (status >= 400 && /json/.test(String(headers['content-type']))) {
    const { error, ...rest } = JSON.parse(text)
    assert.deepEqual([MESSAGES.has(error), rest], [true, {}], text)
  }
}

// The examples, with what there really is in their place.
const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 1_000 })).body.data
const { code } = partner.partner
await partner.post(SIGNUP, signupOf(code, 'x', { partnerKey: 'NR-00000001' }))
const partnerDocument = (await call(`${url}/openapi.json`)).text
  .replaceAll(/"(?:hanbit-pay|narae-shop)"/g, JSON.stringify(code))
  .replaceAll('019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55', giftId)
  .replaceAll('019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10', 'NR-00000001')

const documents: Record<keyof typeof CALLERS, OpenApi> = {
  partner: JSON.parse(partnerDocument),
  member: (await call(`${url}/member/openapi.json`)).body,
  'web view': (await call(`${url}/member/openapi.json`)).body,
}
const MEMBERS_ONLY = /^\/member\/(?:login|signup|recover|withdrawals|profile|sessions|password|close)/
documents['web view'] = {
  ...documents['web view'],
  paths: Object.fromEntries(
    Object.entries(documents['web view'].paths)
      .filter(([path]) => !MEMBERS_ONLY.test(path))
      .map(([path, methods]) => [`/webview${path}`, methods]),
  ),
}

const RUNS = Number(process.env.FUZZ_RUNS ?? 600)
const LIMIT_MS = Number(process.env.FUZZ_SECONDS ?? 60) * 1_000

for (const caller of Object.keys(CALLERS) as (keyof typeof CALLERS)[]) {
  test(`whatever a caller sends is no failure of ours: ${caller}`, async (t) => {
    const counts = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(requestsOf(documents[caller]), async (request) => {
        const answer = await send(caller, request)
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
        assertOurs(answer)
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: false },
    )
    t.diagnostic([...counts].map(([status, count]) => `${status}: ${count}`).join(', '))
  })
}

const BODIES: Record<string, (id: string) => object> = {
  '/member/recover': (verificationId) => ({ verificationId, password: 'correct horse battery' }),
  '/member/signup': (verificationId) => ({
    verificationId,
    loginId: 'somebody',
    password: 'correct horse battery',
    agreed: { service: true, privacy: true, marketing: false },
  }),
  '/member/orders': (quoteId) => ({ quoteId }),
  '/webview/member/orders': (quoteId) => ({ quoteId }),
  '/member/withdrawals': (requestId) => ({ requestId, amount: 1, bank: '088', account: '110123456789' }),
}
const PATHS: Record<string, [method: string, path: (id: string) => string, body?: object]> = {
  confirm: ['POST', (id) => `/member/identity/${id}/confirm`, { code: '000000' }],
  'confirm in the web view': ['POST', (id) => `/webview/member/identity/${id}/confirm`, { code: '000000' }],
  resend: ['POST', (id) => `/member/identity/${id}/resend`],
  session: ['DELETE', (id) => `/member/sessions/${id}`],
  link: ['POST', (id) => `/member/links/${id}`, { decision: 'confirm' }],
  withdrawal: ['POST', (id) => `/member/withdrawals/${id}/cancel`, {}],
  lookup: ['GET', (id) => `${BUY}/${id}`],
  deliveries: ['GET', (id) => `${BUY}/${id}/deliveries`],
  'send again': ['POST', (id) => `${BUY}/${id}/resend`],
  cancel: ['POST', (id) => `${BUY}/${id}/cancel`, { reason: 'x' }],
}
const CAPITALS = '019A8B1E-5B6C-7C1D-9A52-6F1F7B3C2D10'
// A number names a card too, on the partner's side only.
const isNumber = (id: string) => /^[1-9]\d{0,15}$/.test(id)

for (const [path, bodyOf] of Object.entries(BODIES)) {
  test(`only a UUID is taken for one: ${path}`, async () => {
    const ask = (id: string) =>
      send(path.startsWith('/webview') ? 'web view' : 'member', {
        operationId: '',
        method: 'POST',
        path,
        headers: {},
        body: JSON.stringify(bodyOf(id)),
      })
    for (const id of NO_UUIDS) assert.equal((await ask(id)).status, 400, JSON.stringify(id))
    assert.notEqual((await ask(CAPITALS)).status, 400)
  })
}

for (const [name, [method, pathOf, body]] of Object.entries(PATHS)) {
  test(`only a UUID is taken for one in the path: ${name}`, async () => {
    const ask = (id: string) => {
      const path = pathOf(encodeURIComponent(id))
      const caller = path.startsWith('/v2') ? 'partner' : path.startsWith('/webview') ? 'web view' : 'member'
      return send(caller, { operationId: '', method, path, headers: {}, body: body && JSON.stringify(body) })
    }
    for (const id of NO_UUIDS.filter((one) => !isNumber(one))) {
      assert.equal((await ask(id)).status, 400, JSON.stringify(id))
    }
    assert.notEqual((await ask(CAPITALS)).status, 400)
  })
}

test('a UUID in capitals is the same UUID', async () => {
  const bought = (await partner.buy({ phoneNumber: PHONE, amount: 1_000 })).body.data
  for (const id of [bought.giftId, bought.txId]) {
    assert.equal((await partner.get(`${BUY}/${id.toUpperCase()}`)).status, 200)
  }
  const { browser } = members[0]!
  const { sessions } = (await browser.get('/sessions')).body
  assert.equal((await browser.send('DELETE', `/member/sessions/${sessions[0].id.toUpperCase()}`)).status, 204)
})
