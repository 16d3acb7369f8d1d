import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireCards } from '#flows/gift-cards/expire-cards.ts'
import { remindOfExpiry } from '#flows/gift-cards/remind-of-expiry.ts'
import { deliveriesOf, settled } from '#test/messaged-service.ts'
import { advanceClock } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { assertBooks, BUY, PHONE, startService } from '#test/service.ts'

// The worker runs: it is told of clock travel, and finds what has become due.
const service = await startService({ environment: { INGOT_ROLES: 'api,worker' } })
const { database } = service
const partner = await service.addPartner()
const travel = (days: number) => advanceClock(database, { seconds: days * 86_400, actor: 'test' })
// So many days before the card's last one, whatever leap years there are.
async function travelTo(daysBefore: number, giftId: string): Promise<void> {
  const { expires } = (await partner.get(`${BUY}/${giftId}`)).body.data
  const { day } = await one<{ day: string }>('select seoul_date(service_now())::text as day')
  const { days } = Temporal.PlainDate.from(day).until(Temporal.PlainDate.from(expires))
  await travel(days - daysBefore)
}
const buy = async (amount = 50_000) =>
  (await partner.buy({ phoneNumber: PHONE, amount })).body.data.giftId as string
const one = async <Row>(text: string, ...values: unknown[]) =>
  (await database.pool.query(text, values)).rows[0] as Row

const reminders = async (giftId: string) =>
  (await deliveriesOf(partner, giftId)).filter(({ purpose }) => purpose === 'reminder')
const inbox = async () =>
  (await (await fetch(`${service.url}/dev/inbox.json?to=01012345678`)).json()) as { body: string }[]

test('a card’s last year: reminders from 30 days before, then its value moves, then its PIN goes', async () => {
  const giftId = await buy(70_000)
  await settled(partner, giftId)
  await travelTo(31, giftId)
  for (const [i, daysBefore] of [30, 14, 7, 1].entries()) {
    assert.equal((await reminders(giftId)).length, 2 * i)
    await travelTo(daysBefore, giftId)
    await until(async () => (await reminders(giftId)).length === 2 * i + 2)
    await settled(partner, giftId)
  }
  const reminded = await reminders(giftId)
  assert.deepEqual(
    reminded.map((d) => `${d.channel} ${d.status}`),
    Array(4).fill(['alimtalk delivered', 'text delivered']).flat(),
  )
  assert.match((await inbox())[0]!.body, /아직 등록되지 않았고/)

  // Its last day: still good. The day after: expired.
  await travelTo(0, giftId)
  assert.equal((await partner.get(`${BUY}/${giftId}`)).body.data.valid, true)
  await travel(1)
  assert.equal((await partner.get(`${BUY}/${giftId}`)).body.data.valid, false)
  await until(
    async () => (await one<{ status: string }>('select status from gift_card')).status === 'expired',
  )
  const owed = await one<{ sum: string }>(
    `select sum(balance) from account where kind = 'expired_cards' having sum(balance) > 0`,
  )
  assert.equal(String(owed.sum), '70000')
  const open = await one<{ sum: string }>(`select sum(balance) from account where kind = 'outstanding_cards'`)
  assert.equal(String(open.sum), '0')
  assert.notEqual((await one<{ pin: Buffer | null }>('select pin from gift_card')).pin, null)
  // What the partner is billed for does not change.
  const today = await one<{ day: string }>('select seoul_date(service_now())::text as day')
  const usage = await partner.get(
    `/v2/partner/usage?startDate=2020-1-1&endDate=${today.day.slice(0, 4)}-12-31`,
  )
  assert.equal(usage.status, 200)
  assert.equal(usage.body.totalIssued, 70_000)

  await travel(4 * 365) // a day before five years from purchase are over
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.notEqual((await one<{ pin: Buffer | null }>('select pin from gift_card')).pin, null)
  await travel(2)
  await until(async () => (await one<{ pin: Buffer | null }>('select pin from gift_card')).pin === null)
  assert.equal((await reminders(giftId)).length, 8)
  await assertBooks(database)
})

test('a clock that jumps sends the notice that is due, not all that were missed', async () => {
  const giftId = await buy()
  await settled(partner, giftId)
  await travelTo(5, giftId)
  await until(async () => (await reminders(giftId)).length === 2)
  await remindOfExpiry(database)
  assert.equal((await reminders(giftId)).length, 2)
  await travelTo(1, giftId)
  await until(async () => (await reminders(giftId)).length === 4)
})

test('a card that was cancelled is not reminded of, and its waiting messages stay', async () => {
  const giftId = await buy()
  await settled(partner, giftId)
  await partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })
  await travelTo(5, giftId)
  await remindOfExpiry(database)
  assert.deepEqual(await reminders(giftId), [])
})

test('many cards: in chunks, once each, by three who expire them at the same time', async () => {
  const cards: string[] = []
  while (cards.length < 1_200)
    cards.push(...(await Promise.all(Array.from({ length: 100 }, () => buy(1_000)))))
  await travel(367)
  await Promise.all([expireCards(database), expireCards(database)])
  const expired = await until(async () => {
    const text = `select count(*)::int as n from transfer where kind = 'expire' and card_id = any($1)`
    const { n } = await one<{ n: number }>(text, cards)
    return n === cards.length && n
  })
  assert.equal(expired, 1_200)
  await assertBooks(database)
})
