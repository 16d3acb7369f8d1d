import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { advanceClock } from '#test/operator.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const mine = await service.addPartner()
const other = await service.addPartner()

test('200: by giftId, txId and number, with the fields of the interface', async () => {
  const bought = (await mine.buy({ phoneNumber: PHONE, amount: 50_000 })).body.data
  const byGift = await mine.get(`${BUY}/${bought.giftId}`)
  assert.equal(byGift.status, 200)
  assert.deepEqual(Object.keys(byGift.body), ['result', 'data'])
  assert.equal(byGift.body.result, 'Success')
  assert.deepEqual(Object.keys(byGift.body.data), ['giftId', 'amount', 'used', 'expires', 'valid'])
  const { giftId, expires, ...rest } = byGift.body.data
  assert.deepEqual(rest, { amount: 50_000, used: false, valid: true })
  assert.ok(Number.isSafeInteger(giftId) && giftId > 0)
  assert.match(expires, /^\d{4}-\d{2}-\d{2}$/)
  for (const identifier of [bought.txId, giftId, bought.giftId.toUpperCase()]) {
    assert.equal((await mine.get(`${BUY}/${identifier}`)).text, byGift.text)
  }
})

test('many at once: each gets its own card', async () => {
  const cards = await Promise.all(
    Array.from({ length: 40 }, (_, i) => mine.buy({ phoneNumber: PHONE, amount: 1000 + i })),
  )
  const seen = await Promise.all(cards.map((card) => mine.get(`${BUY}/${card.body.data.txId}`)))
  assert.deepEqual(
    seen.map((card) => card.body.data.amount),
    cards.map((_, i) => 1000 + i),
  )
})

test('many partners at once: each sees its own cards and no other', async () => {
  const partners = [mine, other, await service.addPartner()]
  const cards = await Promise.all(
    partners.flatMap((partner, p) =>
      Array.from({ length: 5 }, async (_, i) => {
        const amount = 1_000 * (p + 1) + i
        return { partner, amount, ...(await partner.buy({ phoneNumber: PHONE, amount })).body.data }
      }),
    ),
  )
  const asked = partners.flatMap((partner) => cards.map((card) => ({ partner, card })))
  const seen = await Promise.all(
    asked.map(({ partner, card }, i) => partner.get(`${BUY}/${i % 2 ? card.txId : card.giftId}`)),
  )
  assert.deepEqual(
    seen.map(({ status, body }) => (status === 200 ? body.data.amount : status)),
    asked.map(({ partner, card }) => (card.partner === partner ? card.amount : 404)),
  )
})

test("404: another partner's card answers byte for byte like a missing one", async () => {
  const { giftId, txId } = (await mine.buy({ phoneNumber: PHONE, amount: 1 })).body.data
  const number = (await mine.get(`${BUY}/${giftId}`)).body.data.giftId
  const missing = await other.get(`${BUY}/019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55`)
  assert.deepEqual([missing.status, missing.text], [404, '{"error":"Not found"}'])
  const comparable = (headers: Headers) =>
    [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  for (const identifier of [giftId, txId, number]) {
    const foreign = await other.get(`${BUY}/${identifier}`)
    assert.deepEqual([foreign.status, foreign.text], [missing.status, missing.text])
    assert.deepEqual(comparable(foreign.headers), comparable(missing.headers))
  }
})

const NOT_IDENTIFIERS = [
  'abc',
  '0',
  '007',
  '-1',
  '1.5',
  '1e3',
  '9007199254740992',
  '99999999999999999999',
  '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a5',
  '019a8b1e5b6c7f048c110b9d8e7f6a55',
  '%00',
  "'%20or%201=1",
  'x'.repeat(500),
  'x'.repeat(5000),
]
for (const identifier of NOT_IDENTIFIERS) {
  test(`400: ${identifier.slice(0, 40)}`, async () => {
    const answer = await mine.get(`${BUY}/${identifier}`)
    assert.deepEqual([answer.status, answer.text], [400, '{"error":"Invalid request"}'])
  })
}

test('400: a path that is not even encoded right', async () => {
  const answer = await mine.get(`${BUY}/%E0%A4%A`)
  assert.deepEqual([answer.status, answer.text], [400, '{"error":"Invalid request"}'])
  assert.ok(answer.headers.has('x-request-id'))
})

test('a voided card is neither used nor valid, and its PIN is gone', async () => {
  const { giftId } = (await mine.buy({ phoneNumber: PHONE, amount: 700 })).body.data
  const command = {
    card: { kind: 'uuid', uuid: giftId },
    reason: 'test',
    actor: 'test',
    approvalFrom: 1_000n,
  } as const
  assert.equal((await voidCard(database, command)).kind, 'voided')
  const { data } = (await mine.get(`${BUY}/${giftId}`)).body
  assert.deepEqual([data.used, data.valid], [false, false])
  const row = await database.db
    .selectFrom('gift_card')
    .select('pin')
    .where('id', '=', giftId)
    .executeTakeFirst()
  assert.equal(row?.pin, null)
})

test('voided once, whoever races', async () => {
  const { giftId } = (await mine.buy({ phoneNumber: PHONE, amount: 700 })).body.data
  const command = {
    card: { kind: 'uuid', uuid: giftId },
    reason: 'test',
    actor: 'test',
    approvalFrom: 1_000n,
  } as const
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => voidCard(database, command)))
  assert.equal(outcomes.filter((outcome) => outcome.kind === 'voided').length, 1)
  assert.deepEqual(
    new Set(outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.reason] : []))),
    new Set(['voided']),
  )
})

test('usable to the end of its last day in Seoul, and not a second longer', async () => {
  const { giftId } = (await mine.buy({ phoneNumber: PHONE, amount: 1 })).body.data
  const { expires } = (await mine.get(`${BUY}/${giftId}`)).body.data
  const now = await database.db
    .selectFrom('installation')
    .select((select) => select.fn<Temporal.Instant>('service_now').as('now'))
    .executeTakeFirstOrThrow()
  const end = Temporal.PlainDate.from(expires).add({ days: 1 }).toZonedDateTime('Asia/Seoul').toInstant()
  const seconds = Math.floor(now.now.until(end).total('seconds'))
  await advanceClock(database, { seconds: seconds - 20, actor: 'test' })
  assert.equal((await mine.get(`${BUY}/${giftId}`)).body.data.valid, true)
  await advanceClock(database, { seconds: 21, actor: 'test' })
  assert.equal((await mine.get(`${BUY}/${giftId}`)).body.data.valid, false)
})
