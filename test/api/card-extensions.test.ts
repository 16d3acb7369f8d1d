import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markSent } from '#test/deliveries.ts'
import { assertHides } from '#test/hidden.ts'
import { advanceClock, issueApiKey } from '#test/operator.ts'
import { BUY, PHONE, startService, type TestPartner } from '#test/service.ts'

const service = await startService()
const { database } = service
const partner = await service.addPartner()
const other = await service.addPartner()

async function buy(amount = 50_000, by: TestPartner = partner) {
  return (await by.buy({ phoneNumber: PHONE, amount })).body.data as { giftId: string; txId: string }
}
const cancel = (id: string, by: TestPartner = partner, body: unknown = { reason: '주문 취소' }) =>
  by.post(`${BUY}/${id}/cancel`, body)
const resend = (id: string, by: TestPartner = partner) => by.post(`${BUY}/${id}/resend`, '')
const age = (giftId: string, seconds: number) =>
  database.pool.query(
    'update delivery set created_at = created_at - make_interval(secs => $2) where card_id = $1',
    [giftId, seconds],
  )
const problem = { accept: 'application/problem+json' }

test('cancel: the card is dead, the amount is no longer owed nor counted, and a retry says the same', async () => {
  const usage = () => partner.get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
  const before = (await usage()).body.totalIssued
  const { giftId, txId } = await buy(70_000)
  assert.equal((await usage()).body.totalIssued, before + 70_000)
  const answer = await cancel(giftId)
  assert.equal(answer.status, 200)
  const { cancelledAt, ...data } = answer.body.data
  assert.deepEqual([answer.body.result, data], ['success', { txId, giftId, amount: 70_000 }])
  assert.match(cancelledAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal((await usage()).body.totalIssued, before)
  const { used, valid } = (await partner.get(`${BUY}/${giftId}`)).body.data
  assert.deepEqual([used, valid], [false, false])
  assert.deepEqual((await cancel(txId)).body, answer.body)
  const { rows } = await database.pool.query(
    `select actor, details from audit_entry where action = 'card.void' and subject = $1`,
    [giftId],
  )
  const details = { reason: '(sealed)', before: { status: 'issued' }, after: { status: 'voided' } }
  assert.deepEqual(rows, [{ actor: `partner:${partner.partner.code} key ${partner.keyId}`, details }])
})

test('cancel: once, however many ask at once', async () => {
  const { giftId } = await buy()
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(giftId)))
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  const { rows } = await database.pool.query(
    `select count(*)::int as n from transfer where card_id = $1 and kind = 'void'`,
    [giftId],
  )
  assert.equal(rows[0].n, 1)
})

const BAD_REASONS: unknown[] = [
  { reason: '\u0000' },
  { reason: '\ud800' },
  { reason: ' \n' },
  {},
  { reason: '' },
  { reason: 1 },
  { reason: 'x'.repeat(501) },
  [],
  '',
]
for (const body of BAD_REASONS) {
  test(`cancel: ${JSON.stringify(body).slice(0, 30)} is no reason`, async () => {
    const { giftId } = await buy()
    assert.equal((await cancel(giftId, partner, body)).status, 400)
    assert.equal((await partner.get(`${BUY}/${giftId}`)).body.data.valid, true)
  })
}

test('cancel, resend, deliveries: another partner’s card and none at all answer alike', async () => {
  const { giftId } = await buy()
  const missing = '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55'
  for (const call of [cancel, resend, (id: string, by: TestPartner) => by.get(`${BUY}/${id}/deliveries`)]) {
    const [foreign, absent, nonsense] = [
      await call(giftId, other),
      await call(missing, other),
      await call('nonsense', other),
    ]
    assert.deepEqual([foreign.status, foreign.text], [404, '{"error":"Not found"}'])
    assert.deepEqual([absent.status, absent.text], [404, '{"error":"Not found"}'])
    assert.deepEqual([nonsense.status, nonsense.text], [400, '{"error":"Invalid request"}'])
  }
  assert.equal((await partner.get(`${BUY}/${giftId}`)).body.data.valid, true)
})

test('cancel: not after the card was used', async () => {
  const { giftId } = await buy()
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  // As a redemption leaves it, for as long as we look.
  await database.pool.query(
    `update gift_card set status = 'used', used_at = now(), used_by = id, pin = null where id = $1`,
    [giftId],
  )
  const answer = await partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' }, problem)
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.body.errors, [{ parameter: 'giftUUID', detail: 'names a card that has been used' }])
  assert.equal((await resend(giftId)).status, 409)
  await database.pool.query(`alter table gift_card disable trigger gift_card_is_final`)
  await database.pool.query(
    `update gift_card set status = 'issued', used_at = null, used_by = null, pin = $2 where id = $1`,
    [giftId, rows[0].pin],
  )
  await database.pool.query(`alter table gift_card enable trigger gift_card_is_final`)
})

test('deliveries: both messages from the first moment, by every identifier', async () => {
  const { giftId, txId } = await buy()
  const answer = await partner.get(`${BUY}/${giftId}/deliveries`)
  assert.equal(answer.status, 200)
  assert.equal(answer.body.result, 'Success')
  assert.equal(answer.body.data.giftId, giftId)
  for (const [i, channel] of ['alimtalk', 'text'].entries()) {
    const { createdAt, events, ...delivery } = answer.body.data.deliveries[i]
    assert.deepEqual(delivery, {
      channel,
      purpose: 'gift',
      status: 'queued',
      reason: null,
      retryable: null,
      attempts: 0,
      sentAt: null,
      settledAt: null,
    })
    assert.deepEqual(events, [{ at: createdAt, status: 'queued', attempt: 0, reason: null }])
  }
  const number = (await partner.get(`${BUY}/${giftId}`)).body.data.giftId
  for (const id of [txId, number]) {
    assert.equal((await partner.get(`${BUY}/${id}/deliveries`)).text, answer.text)
  }
  assertHides(answer.text, [PHONE, '12345678', '1234-5678'])
  assert.doesNotMatch(answer.text, /phone|pin/i)
})

test('resend: a client may declare any type where it sends nothing', async () => {
  const { giftId } = await buy()
  const [url, headers] = [`${service.url}${BUY}/${giftId}/resend`, { authorization: `Bearer ${partner.key}` }]
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (more: object, body?: string) =>
    (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: body ?? null })).status
  // On its way already: the call was understood.
  for (const more of [{}, form, { 'content-type': 'text/plain' }, { 'content-encoding': 'Identity' }])
    assert.equal(await post(more, ''), 409)
  assert.equal(await post(form, 'a=1'), 415)
  assert.equal(await post({ 'content-type': 'application/json', 'content-encoding': 'gzip' }, '{}'), 415)
})

test('resend: not while a message is on its way, then once a minute and five times a day', async () => {
  const { giftId, txId } = await buy()
  const onItsWay = await partner.post(`${BUY}/${giftId}/resend`, '', problem)
  assert.equal(onItsWay.status, 409)
  assert.equal(onItsWay.body.errors[0].detail, 'names a card whose messages are still on their way')
  await markSent(service, giftId)
  const soon = await resend(giftId)
  assert.equal(soon.status, 429)
  const wait = Number(soon.headers.get('retry-after'))
  assert.ok(wait >= 55 && wait <= 60)
  for (let n = 1; n <= 5; n += 1) {
    await age(giftId, 61)
    const answer = await resend(giftId)
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { result: 'success', data: { txId, giftId, channels: ['alimtalk', 'text'] } }],
    )
    await markSent(service, giftId)
  }
  await age(giftId, 61)
  const often = await resend(giftId)
  assert.equal(often.status, 429)
  assert.ok(Number(often.headers.get('retry-after')) > 80_000)
  const { deliveries } = (await partner.get(`${BUY}/${giftId}/deliveries`)).body.data
  assert.deepEqual(
    deliveries.map((d: { purpose: string }) => d.purpose),
    [...Array(2).fill('gift'), ...Array(10).fill('resend')],
  )
})

test('resend: ten who ask at once get one message', async () => {
  const { giftId } = await buy()
  await markSent(service, giftId)
  await age(giftId, 61)
  const statuses = (await Promise.all(Array.from({ length: 10 }, () => resend(giftId)))).map((a) => a.status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.ok(statuses.every((status) => status === 200 || status === 409 || status === 429))
})

test('cancel, resend: only with a key that may buy', async () => {
  const { giftId } = await buy()
  for (const path of ['cancel', 'resend']) {
    const answer = await fetch(`${service.url}${BUY}/${giftId}/${path}`, { method: 'POST' })
    assert.equal(answer.status, 401)
  }
  const reader = {
    code: partner.partner.code,
    mode: 'test',
    scopes: ['giftcards:read'],
    actor: 'test',
  } as const
  const authorization = `Bearer ${(await issueApiKey(database, reader)).key.reveal()}`
  assert.equal(
    (await partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' }, { authorization })).status,
    403,
  )
  assert.equal((await partner.post(`${BUY}/${giftId}/resend`, '', { authorization })).status, 403)
  assert.equal((await partner.get(`${BUY}/${giftId}/deliveries`, { authorization })).status, 200)
})

// Last: the clock never goes back.
test('cancel: within seven days, the last of them included', async () => {
  const { giftId } = await buy()
  const kept = await buy()
  await advanceClock(database, { seconds: 7 * 86_400, actor: 'test' })
  assert.equal((await cancel(giftId)).status, 200)
  await advanceClock(database, { seconds: 86_400, actor: 'test' })
  const late = await partner.post(`${BUY}/${kept.giftId}/cancel`, { reason: 'x' }, problem)
  assert.equal(late.status, 409)
  assert.match(late.body.errors[0].detail, /longer ago than cards can be cancelled/)
  await advanceClock(database, { seconds: 366 * 86_400, actor: 'test' })
  const past = await partner.post(`${BUY}/${kept.giftId}/resend`, '', problem)
  assert.equal(past.status, 409)
  assert.equal(past.body.errors[0].detail, 'names a card that can no longer be redeemed')
})
