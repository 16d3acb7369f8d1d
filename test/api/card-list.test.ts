import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advanceClock } from '#test/operator.ts'
import { BUY, PHONE, startService, type TestPartner } from '#test/service.ts'

const LIST = '/v2/partner/metal/giftcard'
const service = await startService()
const { database } = service

interface Listed {
  txId: string
  giftId: string
  number: number
  amount: number
  status: string
  issuedAt: string
  expires: string
}

async function list(partner: TestPartner, asked: Record<string, string> = {}) {
  const { status, body } = await partner.get(`${LIST}?${new URLSearchParams(asked)}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.result, 'Success')
  return body.data as { giftCards: Listed[]; nextCursor: string | null }
}

// Every answer of a list, to its end.
async function pages(partner: TestPartner, asked: Record<string, string> = {}): Promise<Listed[][]> {
  const found: Listed[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(partner, { ...asked, ...(cursor && { cursor }) })
    found.push(page.giftCards)
    cursor = page.nextCursor
  }
  return found
}

const ids = (cards: readonly { giftId: string }[]) => cards.map(({ giftId }) => giftId)

async function buy(partner: TestPartner, amount = 1_000): Promise<{ txId: string; giftId: string }> {
  return (await partner.buy({ phoneNumber: PHONE, amount })).body.data
}

test('every card once, the newest first, as it is looked up; others’ cards never', async () => {
  const [partner, other] = [await service.addPartner(), await service.addPartner()]
  assert.deepEqual(await list(partner), { giftCards: [], nextCursor: null })
  const bought = []
  for (let i = 1; i <= 5; i += 1) bought.push(await buy(partner, i * 1_000))
  const foreign = await buy(other)
  const [first] = (await list(partner)).giftCards
  const { txId, giftId } = bought.at(-1)!
  const { data: looked } = (await partner.get(`${BUY}/${giftId}`)).body
  const { issuedAt, ...shown } = first!
  assert.deepEqual(shown, {
    txId,
    giftId,
    number: looked.giftId,
    amount: 5_000,
    status: 'issued',
    expires: looked.expires,
  })
  assert.ok(Math.abs(Date.parse(issuedAt) - Date.now()) < 600_000)
  const found = await pages(partner, { limit: '2' })
  assert.deepEqual(
    found.map(({ length }) => length),
    [2, 2, 1],
  )
  assert.deepEqual(ids(found.flat()), ids(bought).toReversed())
  assert.deepEqual(ids((await list(other)).giftCards), [foreign.giftId])
  // Another partner's cursor is a place in one's own list.
  const { nextCursor } = await list(partner, { limit: '2' })
  for (const card of (await list(other, { cursor: nextCursor! })).giftCards)
    assert.equal(card.giftId, foreign.giftId)
})

test('a card that is bought while somebody pages moves no other', async () => {
  const partner = await service.addPartner()
  const bought = [await buy(partner), await buy(partner), await buy(partner)]
  const { giftCards, nextCursor } = await list(partner, { limit: '1' })
  await buy(partner)
  const rest = await list(partner, { cursor: nextCursor! })
  assert.deepEqual(ids([...giftCards, ...rest.giftCards]), ids(bought).toReversed())
})

test('cards of one moment are told apart by their ids', async () => {
  const partner = await service.addPartner()
  await Promise.all(Array.from({ length: 40 }, () => buy(partner)))
  const found = (await pages(partner, { limit: '3' })).flat()
  assert.equal(new Set(ids(found)).size, 40)
  assert.equal(found.length, 40)
})

test('a rare status is found however far it is, in answers of bounded work', async () => {
  const partner = await service.addPartner({ rateLimit: 0 })
  const [rare] = [await buy(partner), await buy(partner)]
  assert.equal((await partner.post(`${BUY}/${rare.giftId}/cancel`, { reason: '주문 취소' })).status, 200)
  for (let i = 0; i < 5; i += 1) await Promise.all(Array.from({ length: 220 }, () => buy(partner)))
  const found = await pages(partner, { status: 'cancelled' })
  assert.deepEqual(
    found.map(({ length }) => length),
    [0, 1],
  )
  assert.deepEqual(ids(found.flat()), [rare.giftId])
  assert.equal((await pages(partner, { limit: '500' })).flat().length, 1_102)
  assert.equal((await pages(partner, { status: 'issued', limit: '400' })).flat().length, 1_101)
})

test('by days of issue in Seoul, both included', async () => {
  const partner = await service.addPartner()
  const { giftId } = await buy(partner)
  const { rows } = await database.pool.query('select issued_at from gift_card where id = $1', [giftId])
  const at = (moment: string) =>
    database.pool.query('update gift_card set issued_at = $2 where id = $1', [giftId, moment])
  await database.pool.query('alter table gift_card disable trigger gift_card_is_final')
  // The last moment of a day, and the first of the next.
  for (const [moment, day, next] of [
    ['2026-03-01T23:59:59.999+09:00', '2026-3-1', '2026-03-02'],
    ['2026-03-02T00:00:00+09:00', '2026-03-02', '2026-3-3'],
  ] as const) {
    await at(moment)
    for (const asked of [{ startDate: day }, { endDate: day }, { startDate: day, endDate: day }])
      assert.deepEqual(ids((await list(partner, asked)).giftCards), [giftId], JSON.stringify(asked))
    assert.deepEqual((await list(partner, { startDate: next })).giftCards, [])
  }
  assert.deepEqual((await list(partner, { endDate: '2026-3-1' })).giftCards, [])
  assert.deepEqual(
    (await list(partner, { startDate: '0001-1-1', endDate: '9999-12-31' })).giftCards.length,
    1,
  )
  await at(String(rows[0].issued_at))
  await database.pool.query('alter table gift_card enable trigger gift_card_is_final')
})

test('400: what no answer gave and no day is', async () => {
  const partner = await service.addPartner()
  await buy(partner)
  await buy(partner)
  const cursor = (await list(partner, { limit: '1' })).nextCursor!
  const asked: Record<string, string>[] = [
    { cursor: '' },
    { cursor: 'x' },
    { cursor: `${cursor}=` },
    { cursor: `${cursor}A` },
    { cursor: cursor.slice(1) },
    { cursor: Buffer.from(`-1.${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`).toString('base64url') },
    { cursor: Buffer.from(`${'9'.repeat(18)}.00000000-0000-0000-0000-000000000000`).toString('base64url') },
    { limit: '0' },
    { limit: '501' },
    { limit: '1.5' },
    { status: 'voided' },
    { startDate: '2026-2-30' },
    { endDate: '0000-1-1' },
    { startDate: '2026-1-2', endDate: '2026-1-1' },
  ]
  for (const one of asked) {
    const { status, text } = await partner.get(`${LIST}?${new URLSearchParams(one)}`)
    assert.deepEqual([status, text], [400, '{"error":"Invalid request"}'], JSON.stringify(one))
  }
})

test('401, 403: as every operation about cards', async () => {
  const partner = await service.addPartner()
  assert.equal((await fetch(service.url + LIST)).status, 401)
  assert.equal((await partner.get(LIST)).status, 200)
})

// Last: the clock goes on for good.
test('a card past its last day is expired in the list as in the look-up', async () => {
  const partner = await service.addPartner({ rateLimit: 0 })
  const { giftId } = await buy(partner)
  await advanceClock(database, { seconds: 366 * 86_400, actor: 'test' })
  assert.deepEqual(
    (await list(partner)).giftCards.map(({ status }) => status),
    ['expired'],
  )
  assert.equal((await partner.get(`${BUY}/${giftId}`)).body.data.valid, false)
  assert.deepEqual(ids((await pages(partner, { status: 'expired' })).flat()), [giftId])
  assert.deepEqual((await pages(partner, { status: 'issued' })).flat(), [])
})
