import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { forgetOldKeys } from '#jobs/forget-old-keys.ts'
import { advanceClock, changePartner } from '#test/operator.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

const service = await startService()
const { database } = service

async function cardsOf(partnerId: number): Promise<number> {
  const rows = await database.db
    .selectFrom('gift_card')
    .select('id')
    .where('partner_id', '=', partnerId)
    .execute()
  return rows.length
}

test('the same key and purchase give the same card, marked as replayed', async () => {
  const { buy, partner } = await service.addPartner()
  const key = { 'idempotency-key': 'order-1' }
  const first = await buy({ phoneNumber: PHONE, amount: 1000 }, key)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  // The same purchase written another way: fields are compared as they are understood.
  const second = await buy({ amount: 1000, phoneNumber: '+82 10 1234 5678', note: 'x' }, key)
  assert.deepEqual([second.status, second.text], [200, first.text])
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal(await cardsOf(partner.id), 1)
})

test('422: the same key with another purchase', async () => {
  const { buy, partner } = await service.addPartner()
  const key = { 'idempotency-key': 'order-1' }
  await buy({ phoneNumber: PHONE, amount: 1000 }, key)
  for (const body of [
    { phoneNumber: PHONE, amount: 1001 },
    { phoneNumber: '010-9999-8888', amount: 1000 },
  ]) {
    const answer = await buy(body, key)
    assert.deepEqual(
      [answer.status, answer.text],
      [422, '{"error":"Idempotency key reused with a different request"}'],
    )
  }
  assert.equal(await cardsOf(partner.id), 1)
})

test('40 concurrent calls with one key give one card', async () => {
  const { buy, partner } = await service.addPartner()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => buy({ phoneNumber: PHONE, amount: 5 }, { 'idempotency-key': 'same' })),
  )
  assert.deepEqual(new Set(answers.map((answer) => answer.text)).size, 1)
  assert.ok(answers.every((answer) => answer.status === 200))
  assert.equal(answers.filter((answer) => !answer.headers.has('idempotency-replayed')).length, 1)
  assert.equal(await cardsOf(partner.id), 1)
})

test('a key is per partner', async () => {
  const [a, b] = [await service.addPartner(), await service.addPartner()]
  const key = { 'idempotency-key': 'shared' }
  const first = await a.buy({ phoneNumber: PHONE, amount: 1 }, key)
  const second = await b.buy({ phoneNumber: PHONE, amount: 2 }, key)
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.notEqual(first.body.data.giftId, second.body.data.giftId)
})

test('only successes are kept: a refusal leaves its key free', async () => {
  const { buy, partner } = await service.addPartner({ creditLimit: 1000n })
  const key = { 'idempotency-key': 'order-1' }
  assert.equal((await buy({ phoneNumber: PHONE, amount: 2000 }, key)).status, 402)
  assert.equal((await buy({ phoneNumber: PHONE, amount: 20_000_000 }, key)).status, 400)
  await changePartner(database, { code: partner.code, changes: { creditLimit: 5000n }, actor: 'test' })
  const answer = await buy({ phoneNumber: PHONE, amount: 2000 }, key)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('idempotency-replayed'), null)
})

test('an answer once given stands, whatever the limits are today', async () => {
  const { buy, partner } = await service.addPartner({ creditLimit: 1000n })
  const key = { 'idempotency-key': 'order-1' }
  const first = await buy({ phoneNumber: PHONE, amount: 1000 }, key)
  await changePartner(database, { code: partner.code, changes: { amountMax: 500n }, actor: 'test' })
  assert.equal((await buy({ phoneNumber: PHONE, amount: 1000 }, key)).text, first.text)
})

test('400: sent twice, it is no key at all', async () => {
  const { key, partner } = await service.addPartner()
  const body = JSON.stringify({ phoneNumber: PHONE, amount: 1 })
  const request = http.request(`${service.url}${BUY}`, { method: 'POST' })
  request.setHeader('authorization', `Bearer ${key}`)
  request.setHeader('content-type', 'application/json')
  request.setHeader('idempotency-key', ['r1', 'r1'])
  request.end(body)
  const [response] = await once(request, 'response')
  response.resume()
  assert.equal(response.statusCode, 400)
  assert.equal(await cardsOf(partner.id), 0)
})

test('1 to 255 characters', async () => {
  const { buy } = await service.addPartner()
  const purchase = { phoneNumber: PHONE, amount: 1 }
  assert.equal((await buy(purchase, { 'idempotency-key': 'k'.repeat(255) })).status, 200)
  assert.equal((await buy(purchase, { 'idempotency-key': 'k'.repeat(256) })).status, 400)
  assert.equal((await buy(purchase, { 'idempotency-key': '' })).status, 400)
})

test('kept 30 days: then free again, and swept away', async () => {
  const { buy, partner } = await service.addPartner()
  const key = { 'idempotency-key': 'old' }
  const first = await buy({ phoneNumber: PHONE, amount: 1 }, key)
  await advanceClock(database, { seconds: 29 * 86_400, actor: 'test' })
  assert.equal((await buy({ phoneNumber: PHONE, amount: 1 }, key)).text, first.text)
  await advanceClock(database, { seconds: 2 * 86_400, actor: 'test' })
  const again = await buy({ phoneNumber: PHONE, amount: 2 }, key)
  assert.equal(again.status, 200)
  assert.notEqual(again.text, first.text)
  assert.equal(await cardsOf(partner.id), 2)
  await advanceClock(database, { seconds: 31 * 86_400, actor: 'test' })
  await forgetOldKeys({ database, log: createLog('silent') })
  const left = await database.db.selectFrom('idempotency_key').select('card_id').execute()
  assert.equal(left.length, 0)
})
