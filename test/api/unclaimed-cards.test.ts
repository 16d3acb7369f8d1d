import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { closeDays } from '#flows/books/close/close-days.ts'
import { readClosedDay } from '#flows/books/read-day.ts'
import { expireCards, lapseCards } from '#flows/gift-cards/expire-cards.ts'
import { createClaimRefund } from '#flows/refunds/claim-refund.ts'
import { forgetOldQuotes } from '#jobs/forget-old-quotes.ts'
import { maintainCards } from '#jobs/maintain-cards.ts'
import { addMember } from '#test/member.ts'
import { until } from '#test/patience.ts'
import { assets, claim, codeOf, offers, refundScene } from '#test/refund-scene.ts'
import { assertBooks, startService } from '#test/service.ts'

// Expired cards: a refund that is cut off in the middle, and what becomes of cards that nobody claims.
const service = await startService()
const { database } = service
const partner = await service.addPartner()
const { travel, one, today, balanceOf, buy } = refundScene(database, partner)
const DAY = 86_400
const log = createLog('silent')

const claimed = await buy(20_000)
const unclaimed = await buy(30_000)
const quoted = await buy(7_000)
await travel(400 * DAY)
await expireCards(database)
const mina = await addMember(service)

test('a refund whose connection is cut in the middle moved nothing, and the same quote pays once', async () => {
  const [asPoints] = (await offers(mina, claimed.pin)).body.offers
  const before = await assets(mina)
  // Its transaction has begun and waits for the card. Then the database ends its connection.
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from gift_card where id = $1 for update', [claimed.giftId])
  const cut = claim(mina, asPoints.quoteId)
  const { pid } = await until(() =>
    one<{ pid: number } | undefined>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ilike '%gift_card%' limit 1`,
    ),
  )
  await one('select pg_terminate_backend($1)', pid)
  assert.equal((await cut).status, 503)
  await holder.query('rollback')
  holder.release()
  assert.deepEqual(await assets(mina), before)
  assert.equal((await one<{ n: number }>('select count(*)::int as n from card_refund')).n, 0)
  const paid = await claim(mina, asPoints.quoteId)
  assert.deepEqual([paid.status, paid.body.again], [200, false], paid.text)
  assert.equal((await claim(mina, asPoints.quoteId)).body.again, true)
  assert.equal((await assets(mina)).points, before.points + 20_000)
  await assertBooks(database)
})

const deadline = async (giftId: string) =>
  (
    await one<{ day: string }>(
      `select (issued_on + interval '5 years')::date::text as day from gift_card where id = $1`,
      giftId,
    )
  ).day

test('on the last day nothing lapses; after it the value goes to revenue, once, and the daily close shows it', async () => {
  const last = await deadline(unclaimed.giftId)
  await travel(Temporal.PlainDate.from(await today()).until(last).days * DAY, mina)
  assert.equal(await today(), last)
  const [quote] = (await offers(mina, quoted.pin)).body.offers
  assert.equal(await lapseCards(database), 0)
  await travel(DAY, mina)
  // A card with a quote is left alone: two people may be about to refund it.
  await maintainCards({ database, log })
  assert.deepEqual(
    [await balanceOf('breakage', 'KRW_POINT'), await balanceOf('expired_cards', 'KRW_POINT')],
    [30_000, 7_000],
  )
  assert.equal(
    (await one<{ pin: Buffer | null }>('select pin from gift_card where id = $1', unclaimed.giftId)).pin,
    null,
  )
  assert.equal(codeOf(await offers(mina, unclaimed.pin)), 'refund_too_late')
  const day = await today()
  await travel(3 * DAY, mina)
  await forgetOldQuotes({ database, log })
  await Promise.all([lapseCards(database), lapseCards(database)])
  assert.deepEqual(
    [await balanceOf('breakage', 'KRW_POINT'), await balanceOf('expired_cards', 'KRW_POINT')],
    [37_000, 0],
  )
  assert.equal(await lapseCards(database), 0)
  assert.equal(codeOf(await claim(mina, quote.quoteId)), 'quote_expired')

  assert.equal(
    (await closeDays(database, { actor: 'test', day: undefined, chunk: 1_000, rest: 0 })).kind,
    'done',
  )
  const closed = await readClosedDay(database, day)
  assert.ok(closed.kind === 'closed')
  const line = (account: string) =>
    closed.lines.find((one) => one.kind === 'lapse' && one.account === account)
  assert.deepEqual(
    [line('expired_cards')?.debit, line('expired_cards')?.partner, line('breakage')?.credit],
    [30_000n, partner.partner.code, 30_000n],
  )
  await assertBooks(database)
})

test('a quote of the last moment cannot take what lapsed', async () => {
  const card = await buy(9_000)
  await travel(400 * DAY, mina)
  await expireCards(database)
  const [quote] = (await offers(mina, card.pin)).body.offers
  // As if the quote had been written beside the job: the quote stays, the value is gone.
  const days = Temporal.PlainDate.from(await today()).until(await deadline(card.giftId)).days + 1
  const { rows } = await database.pool.query('delete from refund_quote returning *')
  await travel(days * DAY, mina)
  assert.equal(await lapseCards(database), 1)
  const columns = Object.keys(rows[0])
  for (const row of rows)
    await database.pool.query(
      `insert into refund_quote (${columns}) values (${columns.map((_, i) => `$${i + 1}`)})`,
      columns.map((column) => (column === 'expires_at' ? '2999-01-01' : String(row[column]))),
    )
  const before = await assets(mina)
  const claimRefund = createClaimRefund({ database })
  const { id: holderId } = await one<{ id: string }>('select holder_id as id from refund_quote limit 1')
  assert.deepEqual(await claimRefund({ quoteId: quote.quoteId, holderId }), {
    kind: 'refused',
    reason: 'quote_expired',
  })
  assert.deepEqual(await assets(mina), before)
  await assertBooks(database)
})
