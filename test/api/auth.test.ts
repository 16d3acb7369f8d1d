import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newApiKey } from '#modules/partners/api-key.ts'
import { changePartner, issueApiKey, revokeApiKey } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { type Answer, BUY, call, PHONE, startService } from '#test/service.ts'

const service = await startService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
const { url, database } = service
const USAGE = '/v2/partner/usage?startDate=2026-1-1&endDate=2026-1-31'
const IDENTIFIER = '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55'

const ENDPOINTS: [name: string, method: string, path: string][] = [
  ['buy', 'POST', BUY],
  ['lookup', 'GET', `${BUY}/${IDENTIFIER}`],
  ['usage', 'GET', USAGE],
]

function request(method: string, path: string, headers: Record<string, string>) {
  const body = method === 'POST' ? { body: JSON.stringify({ phoneNumber: PHONE, amount: 1 }) } : {}
  return call(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...body,
  })
}

const unknownKey = newApiKey('test').key.reveal()
const mistyped = `${unknownKey.slice(0, -1)}${unknownKey.endsWith('0') ? '1' : '0'}`
const BAD_CREDENTIALS: [name: string, headers: Record<string, string>][] = [
  ['none', {}],
  ['an empty one', { authorization: '' }],
  ['no scheme', { authorization: unknownKey }],
  ['another scheme', { authorization: `Basic ${unknownKey}` }],
  ['Bearer alone', { authorization: 'Bearer' }],
  ['an unknown key', { authorization: `Bearer ${unknownKey}` }],
  ['a mistyped key', { authorization: `Bearer ${mistyped}` }],
  ['a live key in the sandbox', { authorization: `Bearer ${newApiKey('live').key.reveal()}` }],
  ['a very long key', { authorization: `Bearer ${'a'.repeat(4000)}` }],
  ['quotes', { authorization: `Bearer ' or 1=1 --` }],
]
for (const [endpoint, method, path] of ENDPOINTS) {
  for (const [name, headers] of BAD_CREDENTIALS) {
    test(`401: ${endpoint} with ${name}`, async () => {
      const answer = await request(method, path, headers)
      assert.deepEqual([answer.status, answer.text], [401, '{"error":"Unauthorized"}'])
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
    })
  }
}

// What the operator reads in the log, by the answer's request id.
async function causeOf(answer: Answer): Promise<string> {
  const id = answer.headers.get('x-request-id')!
  const line = await until(() => service.log.find((one) => one.includes(id) && one.includes('"status"')), id)
  return JSON.parse(line).reason
}

test('the log names the cause of each refusal, never a value; metrics count by it', async () => {
  const { partner, key, keyId } = await service.addPartner({ creditLimit: 10n })
  const issue = (more: object) =>
    issueApiKey(database, { code: partner.code, mode: 'test', actor: 'test', ...more })
  const bound = (await issue({ networks: ['203.0.113.0/24'] })).key.reveal()
  const reader = (await issue({ scopes: ['usage:read'] })).key.reveal()
  const revoked = await issue({})
  await revokeApiKey(database, { id: revoked.id, afterMinutes: 0, actor: 'test' })
  const expired = await issue({})
  await database.pool.query(`update api_key set expires_at = created_at where id = $1`, [expired.id])
  const other = await service.addPartner()
  const body = (amount: unknown, phoneNumber: unknown = PHONE) => ({ phoneNumber, amount })
  const asked: [expected: string, path: string, bearer: string | undefined, body: object][] = [
    ['no_key', BUY, undefined, body(1)],
    ['not_a_key', BUY, 'nonsense', body(1)],
    ['bad_checksum', BUY, mistyped, body(1)],
    ['wrong_mode', BUY, newApiKey('live').key.reveal(), body(1)],
    ['unknown_key', BUY, unknownKey, body(1)],
    ['key_revoked', BUY, revoked.key.reveal(), body(1)],
    ['key_expired', BUY, expired.key.reveal(), body(1)],
    ['address_not_listed', BUY, bound, body(1)],
    ['scope_missing', BUY, reader, body(1)],
    ['credit_limit', BUY, key, body(11)],
    ['amount_out_of_bounds #/amount', BUY, key, body(10_000_001)],
    ['#/amount #/phoneNumber', BUY, key, body('12', '02-999-1234')],
    ['other_partner', '/v1/partners/user/hash', key, { partner: other.partner.code, partnerKey: 'x' }],
    ['not_found', '/v1/partners/user/hash', key, { partner: partner.code, partnerKey: 'x' }],
  ]
  for (const [expected, path, bearer, sent] of asked) {
    const answer = await call(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(sent),
    })
    assert.equal(await causeOf(answer), expected)
    assert.deepEqual(Object.keys(answer.body), ['error'], expected)
  }
  assert.ok(!service.log.join('').includes('02-999-1234') && !service.log.join('').includes(keyId.repeat(2)))
  const metrics = (await call(`${url}/metrics`)).text
  assert.match(metrics, /ingot_refusals_total\{code="unauthorized",reason="key_revoked"\} 1/)
  assert.match(metrics, /ingot_refusals_total\{code="invalid_request",reason="bad_fields"\} 1/)
})

test('401 comes before the body is looked at', async () => {
  const answer = await call(`${url}${BUY}`, { method: 'POST', body: 'not json at all' })
  assert.equal(answer.status, 401)
})

test('401: the right id with another secret', async () => {
  const { key } = await service.addPartner()
  // Another valid key with this one's id: made by hand, so that only the stored hash tells.
  const forged = `${key.slice(0, 8 + 12)}${'A'.repeat(32)}`
  const { crc32 } = await import('node:zlib')
  const { BASE62 } = await import('#base/ids.ts')
  let rest = crc32(forged)
  let sum = ''
  for (let i = 0; i < 6; i += 1) {
    sum = BASE62[rest % 62] + sum
    rest = Math.floor(rest / 62)
  }
  const calls = [`${forged}${sum}`, key, `${forged}${sum}`, key, `${forged}${sum}`]
  const statuses: number[] = []
  for (const text of calls)
    statuses.push((await request('GET', USAGE, { authorization: `Bearer ${text}` })).status)
  assert.deepEqual(statuses, [401, 200, 401, 200, 401])
})

test('403: each endpoint needs its scope', async () => {
  const { partner } = await service.addPartner()
  const scopes = ['giftcards:buy', 'giftcards:read', 'usage:read']
  for (const [own, scope] of scopes.entries()) {
    const { key } = await issueApiKey(database, {
      code: partner.code,
      mode: 'test',
      scopes: [scope],
      actor: 'test',
    })
    for (const [i, [, method, path]] of ENDPOINTS.entries()) {
      const { status, text } = await request(method, path, { authorization: `Bearer ${key.reveal()}` })
      if (i !== own) assert.deepEqual([status, text], [403, '{"error":"Forbidden"}'])
      else assert.ok(status === 200 || status === 404)
    }
  }
})

test('403: a key with an address list is refused from elsewhere; only a trusted proxy may say where', async () => {
  const { partner } = await service.addPartner()
  const { key } = await issueApiKey(database, {
    code: partner.code,
    mode: 'test',
    networks: ['203.0.113.0/24', '2001:db8::/32'],
    actor: 'test',
  })
  const authorization = `Bearer ${key.reveal()}`
  const from = async (address: string) =>
    (await request('GET', USAGE, { authorization, 'x-forwarded-for': address })).status
  assert.equal((await request('GET', USAGE, { authorization })).status, 403)
  assert.equal(await from('203.0.113.9'), 200)
  assert.equal(await from('::ffff:203.0.113.9'), 200)
  assert.equal(await from('2001:db8::1'), 200)
  assert.equal(await from('203.0.114.9'), 403)
  // The proxy appends what it saw; what stands before it was written by the client.
  assert.equal(await from('203.0.113.9, 198.51.100.7'), 403)
})

test("a stolen key bound to addresses does not use up its owner's rate", async () => {
  const { get, partner } = await service.addPartner({ rateLimit: 5 })
  const stolen = await issueApiKey(database, {
    code: partner.code,
    mode: 'test',
    networks: ['203.0.113.0/24'],
    actor: 'test',
  })
  const authorization = `Bearer ${stolen.key.reveal()}`
  const refused = await Promise.all(
    Array.from({ length: 20 }, () => request('GET', USAGE, { authorization })),
  )
  assert.ok(refused.every((answer) => answer.status === 403))
  assert.equal((await get(USAGE)).status, 200)
})

test('403: a suspended partner, until it is active again', async () => {
  const { buy, get, partner } = await service.addPartner()
  await changePartner(database, { code: partner.code, changes: { status: 'suspended' }, actor: 'test' })
  assert.equal((await buy({ phoneNumber: PHONE, amount: 1 })).status, 403)
  assert.equal((await get(USAGE)).status, 403)
})

test('a partner suspended behind a cached key is refused by the database itself', async () => {
  const { buy, partner } = await service.addPartner()
  assert.equal((await buy({ phoneNumber: PHONE, amount: 1 })).status, 200)
  await changePartner(database, { code: partner.code, changes: { status: 'suspended' }, actor: 'test' })
  assert.deepEqual(await buy({ phoneNumber: PHONE, amount: 1 }).then(({ status, text }) => [status, text]), [
    403,
    '{"error":"Forbidden"}',
  ])
})

test('rotation: old and new key overlap, the old one ends within five seconds of being revoked', async () => {
  const { get, keyId, partner } = await service.addPartner()
  const next = await issueApiKey(database, { code: partner.code, mode: 'test', actor: 'test' })
  const withNext = { authorization: `Bearer ${next.key.reveal()}` }
  assert.equal((await get(USAGE)).status, 200)
  assert.equal((await get(USAGE, withNext)).status, 200)
  await revokeApiKey(database, { id: keyId, afterMinutes: 0, actor: 'test' })
  await until(async () => (await get(USAGE)).status === 401, 'revoked means refused within 5 s', 5_000)
  assert.equal((await get(USAGE, withNext)).status, 200)
})

test('a key revoked with an overlap goes on; revoking it again never prolongs it', async () => {
  const { get, keyId } = await service.addPartner()
  const first = await revokeApiKey(database, { id: keyId, afterMinutes: 10, actor: 'test' })
  assert.equal((await get(USAGE)).status, 200)
  const second = await revokeApiKey(database, { id: keyId, afterMinutes: 60, actor: 'test' })
  assert.equal(second.endsAt.toString(), first.endsAt.toString())
})

test('429: the partner over its rate, with RateLimit headers; another partner is not touched', async () => {
  const limited = await service.addPartner({ rateLimit: 5 })
  const other = await service.addPartner({ rateLimit: 500 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => limited.get(USAGE)))
  const refused = answers.filter((answer) => answer.status === 429)
  assert.ok(refused.length >= 10 && refused.length <= 15, `${refused.length} refused`)
  assert.equal(refused[0]?.text, '{"error":"Too many requests"}')
  assert.equal(refused[0]?.headers.get('retry-after'), '1')
  assert.equal(refused[0]?.headers.get('ratelimit-limit'), '5')
  assert.equal(refused[0]?.headers.get('ratelimit-remaining'), '0')
  assert.equal((await other.get(USAGE)).status, 200)
  assert.equal((await other.get(USAGE)).headers.get('ratelimit-limit'), '500')
})

test('a rate of 0 turns the limit off', async () => {
  const { get } = await service.addPartner({ rateLimit: 0 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => get(USAGE)))
  assert.ok(answers.every((answer) => answer.status === 200 && !answer.headers.has('ratelimit-limit')))
})
