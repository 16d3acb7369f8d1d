import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUY, call, PHONE, startService } from '#test/service.ts'

const service = await startService()
const { url, database } = service

async function countCards(partnerId: number): Promise<number> {
  const { count } = await database.db
    .selectFrom('gift_card')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('partner_id', '=', partnerId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('200: a card is issued and answered as the interface shows', async () => {
  const { buy, partner } = await service.addPartner()
  const answer = await buy({ phoneNumber: PHONE, amount: 50_000 })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['result', 'data'])
  assert.equal(answer.body.result, 'success')
  assert.deepEqual(Object.keys(answer.body.data), ['txId', 'giftId'])
  assert.match(answer.body.data.giftId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.notEqual(answer.body.data.giftId, answer.body.data.txId)
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_\w+$/)
  assert.equal(await countCards(partner.id), 1)
})

test('200: the messages to send are committed with the card, one per channel', async () => {
  const { buy } = await service.addPartner()
  const { body } = await buy({ phoneNumber: PHONE, amount: 1 })
  const messages = await database.db
    .selectFrom('delivery')
    .select(['channel', 'status'])
    .where('card_id', '=', body.data.giftId)
    .orderBy('channel')
    .execute()
  assert.deepEqual(messages, [
    { channel: 'alimtalk', status: 'queued' },
    { channel: 'text', status: 'queued' },
  ])
})

test('200: fields the interface does not name are ignored', async () => {
  const { buy, get } = await service.addPartner()
  const { body } = await buy({ phoneNumber: PHONE, amount: 1000, used: true, partnerId: 1, pin: 'X' })
  const card = await get(`${BUY}/${body.data.giftId}`)
  assert.deepEqual([card.body.data.used, card.body.data.amount], [false, 1000])
})

test('200: so are fields with names that mean something to JavaScript', async () => {
  const { buy } = await service.addPartner()
  const names = '"__proto__":{"amount":5},"constructor":{"prototype":{"x":1}}'
  assert.equal((await buy(`{"phoneNumber":"${PHONE}","amount":1,${names}}`)).status, 200)
  assert.equal((await buy(`{"phoneNumber":"${PHONE}",${names}}`)).status, 400)
})

test('415: an encoded body', async () => {
  const { buy, partner } = await service.addPartner()
  const answer = await buy({ phoneNumber: PHONE, amount: 1 }, { 'content-encoding': 'gzip' })
  assert.deepEqual([answer.status, answer.text], [415, '{"error":"Unsupported media type"}'])
  assert.equal(await countCards(partner.id), 0)
})

const PHONES = [
  '010-1234-5678',
  '010-5970-0000',
  '010-5999-9999',
  '01012345678',
  '010 1234 5678',
  '+82 10-1234-5678',
  '+821012345678',
  '+8201012345678',
  '011-234-5678',
  '+82 11 234 5678',
]
for (const phoneNumber of PHONES) {
  test(`200: ${phoneNumber} is a mobile number`, async () => {
    const { buy } = await service.addPartner()
    assert.equal((await buy({ phoneNumber, amount: 1 })).status, 200)
  })
}

// Each of these is refused with the same bytes, and nothing is written.
const INVALID: [name: string, body: unknown][] = [
  ['no body', ''],
  ['not JSON', '{"phoneNumber":'],
  ['an array', []],
  ['null', 'null'],
  ['a text', '"010-1234-5678"'],
  ['no phoneNumber', { amount: 1 }],
  ['no amount', { phoneNumber: PHONE }],
  ['phoneNumber null', { phoneNumber: null, amount: 1 }],
  ['phoneNumber a number', { phoneNumber: 1012345678, amount: 1 }],
  ['phoneNumber empty', { phoneNumber: '', amount: 1 }],
  ['phoneNumber a landline', { phoneNumber: '02-123-4567', amount: 1 }],
  ['phoneNumber an internet phone', { phoneNumber: '070-1234-5678', amount: 1 }],
  ['phoneNumber of another country', { phoneNumber: '+1 415 555 2671', amount: 1 }],
  ['phoneNumber too short', { phoneNumber: '010-1234', amount: 1 }],
  ['phoneNumber with a digit missing', { phoneNumber: '010-1234-567', amount: 1 }],
  ['phoneNumber with a digit missing in the middle', { phoneNumber: '010-123-4567', amount: 1 }],
  ['phoneNumber with a digit missing, +82', { phoneNumber: '+82 10 123 4567', amount: 1 }],
  ['phoneNumber with a digit missing, +82 and 0', { phoneNumber: '+820101234567', amount: 1 }],
  ['phoneNumber too long', { phoneNumber: '010-1234-56789', amount: 1 }],
  ['phoneNumber with letters', { phoneNumber: '010-1234-567a', amount: 1 }],
  ['phoneNumber with an extension', { phoneNumber: '010-1234-5678 ext 9', amount: 1 }],
  ['phoneNumber in other digits', { phoneNumber: '０１０１２３４５６７８', amount: 1 }],
  ['phoneNumber with a NUL', { phoneNumber: '010-1234-5678\u0000', amount: 1 }],
  ['phoneNumber a list', { phoneNumber: [PHONE], amount: 1 }],
  ['amount a text', { phoneNumber: PHONE, amount: '1000' }],
  ['amount null', { phoneNumber: PHONE, amount: null }],
  ['amount true', { phoneNumber: PHONE, amount: true }],
  ['amount a list', { phoneNumber: PHONE, amount: [1000] }],
  ['amount zero', { phoneNumber: PHONE, amount: 0 }],
  ['amount minus zero', `{"phoneNumber":"${PHONE}","amount":-0}`],
  ['amount negative', { phoneNumber: PHONE, amount: -1 }],
  ['amount a fraction', { phoneNumber: PHONE, amount: 1.5 }],
  ['amount 1e308', `{"phoneNumber":"${PHONE}","amount":1e308}`],
  ['amount 1e400', `{"phoneNumber":"${PHONE}","amount":1e400}`],
  ['amount 2^53', `{"phoneNumber":"${PHONE}","amount":9007199254740992}`],
  ['amount 2^63', `{"phoneNumber":"${PHONE}","amount":9223372036854775808}`],
  ['amount NaN', `{"phoneNumber":"${PHONE}","amount":NaN}`],
  ["amount over the partner's bound", { phoneNumber: PHONE, amount: 10_000_001 }],
]
for (const [name, body] of INVALID) {
  test(`400: ${name}`, async () => {
    const { buy, partner } = await service.addPartner()
    const answer = await buy(body)
    assert.deepEqual([answer.status, answer.text], [400, '{"error":"Invalid request"}'])
    assert.equal(await countCards(partner.id), 0)
  })
}

test("400: an amount under the partner's own bound", async () => {
  const { buy } = await service.addPartner({ amountMin: 1000n, amountMax: 2000n })
  assert.equal((await buy({ phoneNumber: PHONE, amount: 999 })).status, 400)
  assert.equal((await buy({ phoneNumber: PHONE, amount: 1000 })).status, 200)
  assert.equal((await buy({ phoneNumber: PHONE, amount: 2000 })).status, 200)
  assert.equal((await buy({ phoneNumber: PHONE, amount: 2001 })).status, 400)
})

test('402: concurrent buys never pass the credit limit', async () => {
  const { buy, get, partner } = await service.addPartner({ creditLimit: 10_000n })
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => buy({ phoneNumber: PHONE, amount: 300 + (i % 7) * 100 })),
  )
  const bought = answers.filter((answer) => answer.status === 200).length
  const refused = answers.filter((answer) => answer.status === 402)
  assert.equal(bought + refused.length, 60)
  assert.ok(bought > 0 && refused.length > 0)
  assert.equal(refused[0]?.text, '{"error":"Credit limit exceeded"}')
  const usage = await get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
  assert.ok(usage.body.totalIssued <= 10_000 && usage.body.totalIssued > 9_000)
  assert.equal(await countCards(partner.id), bought)
})

test('413, 415: too large, and not JSON', async () => {
  const { buy } = await service.addPartner()
  const large = await buy({ phoneNumber: PHONE, amount: 1, note: 'x'.repeat(20_000) })
  assert.deepEqual([large.status, large.text], [413, '{"error":"Request too large"}'])
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/xml', 'nonsense']) {
    const other = await buy({ phoneNumber: PHONE, amount: 1 }, { 'content-type': type })
    assert.deepEqual([other.status, other.text], [415, '{"error":"Unsupported media type"}'], type)
  }
  const charset = await buy(
    { phoneNumber: PHONE, amount: 1 },
    { 'content-type': 'application/json; charset=utf-8' },
  )
  assert.equal(charset.status, 200)
})

test('404, 405: unknown paths and methods', async () => {
  const missing = await call(`${url}/v2/partner/metal/giftcard/bought`)
  assert.deepEqual([missing.status, missing.text], [404, '{"error":"Not found"}'])
  const wrong = await call(`${url}${BUY}`, { method: 'DELETE' })
  assert.deepEqual([wrong.status, wrong.text], [405, '{"error":"Method not allowed"}'])
  assert.equal(wrong.headers.get('allow'), 'POST')
})

test('problem+json: a stable code and a pointer to each bad field', async () => {
  const { buy } = await service.addPartner()
  const answer = await buy({ phoneNumber: 1 }, { accept: 'application/problem+json' })
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(answer.body.code, 'invalid_request')
  assert.equal(answer.body.status, 400)
  assert.equal(answer.body.requestId, answer.headers.get('x-request-id'))
  assert.deepEqual(answer.body.errors.map((part: { pointer: string }) => part.pointer).sort(), [
    '#/amount',
    '#/phoneNumber',
  ])
  const headers = { accept: 'application/problem+json', 'idempotency-key': 'x'.repeat(256) }
  const both = await buy({ phoneNumber: '02-123-4567', amount: '1' }, headers)
  assert.deepEqual(
    both.body.errors.map((part: { pointer?: string; header?: string }) => part.pointer ?? part.header).sort(),
    ['#/amount', '#/phoneNumber', 'idempotency-key'],
  )
  const page = await call(answer.body.type.replace(/^.*\/errors/, `${url}/errors`))
  assert.equal(page.status, 200)
})
