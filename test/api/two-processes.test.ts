import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { assertBooks, BUY, PHONE, startService } from '#test/service.ts'

// Two processes on one database, as in production: here purchases of one partner race for the same rows.
const first = await startService()
const second = await startService({ beside: first })
const { database } = first

test('40 concurrent calls with one key, over two processes, give one card', async () => {
  const mine = await first.addPartner()
  const sides = [mine, mine.at(second)]
  for (let round = 0; round < 5; round += 1) {
    const key = { 'idempotency-key': `round ${round}` }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => sides[i % 2]!.buy({ phoneNumber: PHONE, amount: 5 + round }, key)),
    )
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    assert.equal(answers.filter((answer) => !answer.headers.has('idempotency-replayed')).length, 1)
  }
  const cards = await database.db
    .selectFrom('gift_card')
    .select('id')
    .where('partner_id', '=', mine.partner.id)
    .execute()
  assert.equal(cards.length, 5)
})

test('concurrent buys over two processes never pass the credit limit, and use all of it', async () => {
  const mine = await first.addPartner({ creditLimit: 10_000n })
  const sides = [mine, mine.at(second)]
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, i) => sides[i % 2]!.buy({ phoneNumber: PHONE, amount: 100 })),
  )
  const statuses = answers.map((answer) => answer.status)
  assert.equal(statuses.filter((status) => status === 200).length, 100)
  assert.equal(statuses.filter((status) => status === 402).length, 200)
  const usage = await mine.get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
  assert.equal(usage.body.totalIssued, 10_000)
})

test('purchases and voids of several partners, from both sides, without a deadlock', async () => {
  const partners = await Promise.all(Array.from({ length: 4 }, () => first.addPartner()))
  const outcomes = await Promise.all(
    partners.flatMap((partner) =>
      Array.from({ length: 16 }, async (_, i) => {
        const side = i % 2 === 0 ? partner : partner.at(second)
        const bought = await side.buy({ phoneNumber: PHONE, amount: 10 + i })
        assert.equal(bought.status, 200, bought.text)
        const card = { kind: 'uuid', uuid: bought.body.data.giftId } as const
        const on = i % 3 === 0 ? database : second.database
        return (await voidCard(on, { card, reason: 'test', actor: 'test', approvalFrom: 1_000_000_000n }))
          .kind
      }),
    ),
  )
  assert.ok(outcomes.every((kind) => kind === 'voided'))
  for (const { url } of [first, second]) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    assert.ok(!/ingot_batch_rerun_total\{batch="buy"\} [1-9]/.test(metrics), 'no batch had to be run again')
  }
  await assertBooks(database)
})

test('what one process sold, the other one shows at once', async () => {
  const mine = await first.addPartner()
  const { giftId } = (await mine.buy({ phoneNumber: PHONE, amount: 123 })).body.data
  assert.equal((await mine.at(second).get(`${BUY}/${giftId}`)).body.data.amount, 123)
})
