import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seoulDate } from '#base/time/seoul-time.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { advanceClock } from '#test/operator.ts'
import { PHONE, startService } from '#test/service.ts'

const service = await startService()
const { database } = service

async function serviceNow(): Promise<Temporal.Instant> {
  const row = await database.db
    .selectFrom('installation')
    .select((select) => select.fn<Temporal.Instant>('service_now').as('now'))
    .executeTakeFirstOrThrow()
  return row.now
}

const path = (startDate: string, endDate: string) =>
  `/v2/partner/usage?startDate=${startDate}&endDate=${endDate}`

test('200: a flat object, dates echoed as sent, nothing yet', async () => {
  const { get } = await service.addPartner()
  const answer = await get(path('2026-3-1', '2026-03-31'))
  assert.equal(answer.status, 200)
  assert.equal(
    answer.text,
    '{"startDate":"2026-3-1","endDate":"2026-03-31","totalIssued":0,"totalUsed":0,"totalUsedInIssued":0}',
  )
})

test("totals are the partner's own, net of voids on the day of issue", async () => {
  const mine = await service.addPartner()
  const other = await service.addPartner()
  const today = seoulDate(await serviceNow()).toString()
  const amounts = [1000, 2000, 3000]
  const cards = await Promise.all(amounts.map((amount) => mine.buy({ phoneNumber: PHONE, amount })))
  await other.buy({ phoneNumber: PHONE, amount: 777 })
  assert.equal((await mine.get(path(today, today))).body.totalIssued, 6000)
  const card = { kind: 'uuid', uuid: cards[1]!.body.data.giftId } as const
  await voidCard(database, { card, reason: 'test', actor: 'test', approvalFrom: 1_000_000_000n })
  const answer = await mine.get(path(today, today))
  assert.deepEqual(
    [answer.body.totalIssued, answer.body.totalUsed, answer.body.totalUsedInIssued],
    [4000, 0, 0],
  )
})

test('midnight in Seoul parts two days; both ends are included', async () => {
  const { buy, get } = await service.addPartner()
  const now = await serviceNow()
  const yesterday = seoulDate(now)
  const midnight = yesterday.add({ days: 1 }).toZonedDateTime('Asia/Seoul').toInstant()
  await advanceClock(database, {
    seconds: Math.floor(now.until(midnight).total('seconds')) - 10,
    actor: 'test',
  })
  await buy({ phoneNumber: PHONE, amount: 100 })
  await advanceClock(database, { seconds: 11, actor: 'test' })
  await buy({ phoneNumber: PHONE, amount: 20 })
  const today = yesterday.add({ days: 1 })
  const total = async (from: Temporal.PlainDate, to: Temporal.PlainDate) =>
    (await get(path(from.toString(), to.toString()))).body.totalIssued
  assert.equal(await total(yesterday, yesterday), 100)
  assert.equal(await total(today, today), 20)
  assert.equal(await total(yesterday, today), 120)
  assert.equal(await total(today.add({ days: 1 }), today.add({ days: 30 })), 0)
})

test('200: exactly ten years', async () => {
  const { get } = await service.addPartner()
  assert.equal((await get(path('2016-11-15', '2026-11-15'))).status, 200)
  assert.equal((await get(path('2016-11-15', '2026-11-16'))).status, 400)
})

const INVALID = [
  '',
  'startDate=2026-1-1',
  'endDate=2026-1-1',
  'startDate=2026-1-2&endDate=2026-1-1',
  'startDate=2026-02-30&endDate=2026-03-01',
  'startDate=2026-13-01&endDate=2026-12-31',
  'startDate=2026-0-1&endDate=2026-1-1',
  'startDate=20260101&endDate=20260131',
  'startDate=2026/01/01&endDate=2026/01/31',
  'startDate=26-1-1&endDate=26-1-31',
  'startDate=2026-1-1T00:00&endDate=2026-1-31',
  'startDate=%202026-1-1&endDate=2026-1-31',
  'startDate=2026-1-1&startDate=2026-1-2&endDate=2026-1-31',
  'startDate=2026-1-1&endDate=',
  'startdate=2026-1-1&enddate=2026-1-31',
  'startDate=2010-1-1&endDate=2026-1-1',
  'startDate=0000-1-1&endDate=0000-1-2',
]
for (const query of INVALID) {
  test(`400: ${query || 'no dates'}`, async () => {
    const { get } = await service.addPartner()
    const answer = await get(`/v2/partner/usage?${query}`)
    assert.deepEqual([answer.status, answer.text], [400, '{"error":"Invalid request"}'])
  })
}
