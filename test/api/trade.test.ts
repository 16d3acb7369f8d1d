import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { createReadHoldings } from '#flows/holdings/read-holdings.ts'
import { stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder, type Quote, type QuoteCommand } from '#flows/trading/quote-order.ts'
import { forgetOldQuotes } from '#jobs/forget-old-quotes.ts'
import { addHolder, assetsOf, type Holder, testMetrics } from '#test/holders.ts'
import { advanceClock, changeTerms } from '#test/operator.ts'
import { startService } from '#test/service.ts'
import { agreeOnTerms, feedPrice } from '#test/trading.ts'

const service = await startService()
const { database } = service
const partner = await service.addPartner()
const metrics = testMetrics()
// Another process: with a pool and batches of its own.
const other = openDatabase({ connection: service.on.connection, maxConnections: 6, onIdleError: () => {} })
service.companions.push({ ...service, stop: () => other.close() })
const quoteOrder = createQuoteOrder({ database, metrics })
const placeOrder = createPlaceOrder({ database, metrics })
const placeElsewhere = createPlaceOrder({ database: other, metrics })
const readHoldings = createReadHoldings(database)
const why = { reason: 'test', actor: 'test' }

async function quoted(command: QuoteCommand): Promise<Quote> {
  const outcome = await quoteOrder(command)
  assert.ok(outcome.kind === 'quoted', outcome.kind === 'refused' ? outcome.reason : '')
  return outcome.quote
}

async function order(holder: Holder, quoteId: string, place = placeOrder): Promise<string> {
  const outcome = await place({ quoteId, holderId: holder.holderId })
  return outcome.kind === 'refused' ? outcome.reason : outcome.kind
}

async function refreshPrices(): Promise<void> {
  await feedPrice(database, 'XAU', 198_500n)
  await feedPrice(database, 'XAG', 2_480n)
}

test('points, then deposit, become gold; gold becomes deposit; the page and the partner see the same', async () => {
  const someone = await addHolder(service, partner, '김하나', { KRW_POINT: 60_000n, KRW: 60_000n })
  const { holderId } = someone
  const quote = await quoted({ holderId, side: 'buy', metal: 'XAU', won: 100_000n })
  const { fromPoints, fromDeposit, lackingWon, total, units, spreadWon, rounding } = quote
  assert.deepEqual([fromPoints, fromDeposit, lackingWon], [60_000n, 39_987n, 0n])
  assert.deepEqual([total, units, spreadWon, rounding], [99_987n, 4_997n, 497n, 13n])
  assert.equal(await order(someone, quote.id), 'placed')

  const held = await readHoldings(holderId)
  assert.deepEqual(
    [held.points, held.deposit, held.gold.units, held.gold.cost],
    [0n, 20_013n, 4_997n, 99_987n],
  )
  assert.equal(held.gold.gain.won, held.gold.value - 99_987n)
  const seen = await assetsOf(partner, someone)
  assert.deepEqual(
    [seen.points, seen.deposit, seen.gold.grams, seen.gold.value, seen.totalValue].map(String),
    [held.points, held.deposit, '0.4997', held.gold.value, held.totalValue].map(String),
  )

  const sale = await quoted({ holderId, side: 'sell', metal: 'XAU', units: 4_997n })
  assert.deepEqual([sale.lackingUnits, sale.fromPoints], [0n, 0n])
  assert.equal(await order(someone, sale.id), 'placed')
  const after = await readHoldings(holderId)
  assert.deepEqual([after.gold.units, after.gold.cost, after.deposit], [0n, 0n, 20_013n + sale.total])
  assert.deepEqual(after.gain, { won: 0n, percent: null })
})

test('an order sent again is the same order; somebody else’s quote is none', async () => {
  const someone = await addHolder(service, partner, '이둘', { KRW_POINT: 50_000n })
  const stranger = await addHolder(service, partner, '박셋', { KRW_POINT: 50_000n })
  const { id: quoteId } = await quoted({
    holderId: someone.holderId,
    side: 'buy',
    metal: 'XAG',
    won: 10_000n,
  })
  assert.equal(await order(stranger, quoteId), 'not_found')
  const first = await placeOrder({ quoteId, holderId: someone.holderId })
  const again = await placeElsewhere({ quoteId, holderId: someone.holderId })
  assert.ok(first.kind === 'placed' && again.kind === 'again')
  assert.deepEqual(again.order, first.order)
  assert.equal(await order(stranger, quoteId), 'not_found')
  assert.equal(await order(someone, newId()), 'not_found')
})

test('what is lacking is told, and stops the order', async () => {
  const someone = await addHolder(service, partner, '최넷', { KRW_POINT: 1_000n, KRW: 500n, XAG: 5_000n })
  const { holderId } = someone
  const dear = await quoted({ holderId, side: 'buy', metal: 'XAU', won: 10_000n })
  assert.deepEqual([dear.fromPoints, dear.fromDeposit, dear.lackingWon], [1_000n, 500n, dear.total - 1_500n])
  assert.equal(await order(someone, dear.id), 'insufficient')
  const heavy = await quoted({ holderId, side: 'sell', metal: 'XAG', units: 8_000n })
  assert.equal(heavy.lackingUnits, 3_000n)
  assert.equal(await order(someone, heavy.id), 'insufficient')
  // It was not taken: with more in hand the same quote can be.
  assert.deepEqual(await quoteOrder({ holderId, side: 'sell', metal: 'XAG', units: 1n }), {
    kind: 'refused',
    reason: 'amount_too_small',
  })
})

test('50 orders of a whole balance at once, from two processes: one wins', async () => {
  for (const side of ['buy', 'sell'] as const) {
    for (let round = 0; round < 5; round += 1) {
      const start = side === 'buy' ? { KRW_POINT: 30_000n, KRW: 20_000n } : { XAU: 10_000n }
      const someone = await addHolder(service, partner, `${side} ${round}`, start)
      const { holderId } = someone
      const size = side === 'buy' ? { won: 50_000n } : { units: 10_000n }
      const quotes = await Promise.all(
        Array.from({ length: 50 }, () => quoted({ holderId, side, metal: 'XAU', ...size })),
      )
      const outcomes = await Promise.all(
        quotes.map(({ id }, i) => order(someone, id, i % 2 ? placeOrder : placeElsewhere)),
      )
      const count = (what: string) => outcomes.filter((outcome) => outcome === what).length
      assert.deepEqual([count('placed'), count('insufficient')], [1, 49])
    }
  }
})

test('one quote taken 50 times at once, from two processes: one order', async () => {
  const someone = await addHolder(service, partner, '한번', { KRW_POINT: 900_000n })
  const { holderId } = someone
  const { id, total } = await quoted({ holderId, side: 'buy', metal: 'XAU', won: 10_000n })
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 ? placeOrder : placeElsewhere)({ quoteId: id, holderId })),
  )
  const orders = new Set(outcomes.map((outcome) => outcome.kind !== 'refused' && outcome.order.id))
  assert.equal(outcomes.filter(({ kind }) => kind === 'placed').length, 1)
  assert.equal(orders.size, 1)
  assert.equal((await readHoldings(holderId)).points, 900_000n - total)
})

test('many holders at once, from two processes, both ways: nobody waits for nobody', async () => {
  const holders = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      addHolder(service, partner, `여럿 ${i}`, { KRW_POINT: 500_000n, XAU: 50_000n, XAG: 50_000n }),
    ),
  )
  const outcomes = await Promise.all(
    Array.from({ length: 240 }, async (_, i) => {
      const someone = holders[i % holders.length]!
      const { id } = await quoted({
        holderId: someone.holderId,
        side: i % 3 ? 'buy' : 'sell',
        metal: i % 2 ? 'XAU' : 'XAG',
        units: 100n + BigInt(i),
      })
      return order(someone, id, i % 5 ? placeOrder : placeElsewhere)
    }),
  )
  assert.deepEqual(new Set(outcomes), new Set(['placed']))
  assert.deepEqual((await metrics.batchRerun.get()).values, [], 'locks are taken in one order')
})

test('trading that is stopped stops quotes, and ends those under way', async () => {
  const someone = await addHolder(service, partner, '멈춤', { KRW_POINT: 50_000n })
  const { holderId } = someone
  const { id } = await quoted({ holderId, side: 'buy', metal: 'XAU', won: 10_000n })
  await stopOrResumeTrading(database, { stopped: true, ...why })
  const refused = await quoteOrder({ holderId, side: 'buy', metal: 'XAU', won: 10_000n })
  assert.deepEqual(refused, { kind: 'refused', reason: 'trading_stopped' })
  assert.equal(await order(someone, id), 'expired')
  await stopOrResumeTrading(database, { stopped: false, ...why })
  assert.equal(await order(someone, id), 'expired')
})

test('new terms hold for new quotes; one that was given keeps its own', async () => {
  const someone = await addHolder(service, partner, '조건', { KRW_POINT: 500_000n })
  const { holderId } = someone
  const before = await quoted({ holderId, side: 'buy', metal: 'XAU', units: 10_000n })
  await agreeOnTerms(database, 'XAU', { spreadBps: 400, feeBps: 0 })
  const after = await quoted({ holderId, side: 'buy', metal: 'XAU', units: 10_000n })
  assert.deepEqual([before.total, after.total, after.fee], [200_092n, 202_470n, 0n])
  assert.equal(await order(someone, before.id), 'placed')
  await agreeOnTerms(database, 'XAU', { spreadBps: 100, feeBps: 30 })
  const beyond = changeTerms(database, { metal: 'XAU', changes: { feeBps: 5_001 }, ...why })
  await assert.rejects(beyond, /term_out_of_bounds.*term: 'feeBps', least: 0, most: 5000/)
})

// Last: the clock never goes back.
test('a quote holds for a minute, a price for five', async () => {
  const someone = await addHolder(service, partner, '시간', { KRW_POINT: 50_000n })
  const { holderId } = someone
  await refreshPrices()
  const [taken, left] = [
    await quoted({ holderId, side: 'buy', metal: 'XAU', won: 10_000n }),
    await quoted({ holderId, side: 'buy', metal: 'XAU', won: 10_000n }),
  ]
  await advanceClock(database, { seconds: 50, actor: 'test' })
  assert.equal(await order(someone, taken.id), 'placed')
  await advanceClock(database, { seconds: 11, actor: 'test' })
  assert.equal(await order(someone, left.id), 'expired')
  assert.equal(await order(someone, taken.id), 'again')
  await advanceClock(database, { seconds: 300, actor: 'test' })
  for (const metal of ['XAU', 'XAG'] as const) {
    const refused = await quoteOrder({ holderId, side: 'buy', metal, won: 10_000n })
    assert.deepEqual(refused, { kind: 'refused', reason: 'prices_stale' })
  }
  const forget = () => forgetOldQuotes({ database, log: { debug() {}, info() {}, warn() {}, error() {} } })
  const kept = async () =>
    (await database.pool.query('select id from trade_quote where holder_id = $1', [holderId])).rows
  await advanceClock(database, { seconds: 600, actor: 'test' })
  await forget()
  // `verify` holds the order against it once more.
  assert.deepEqual(await kept(), [{ id: taken.id }])
  await advanceClock(database, { seconds: 86_400, actor: 'test' })
  await refreshPrices()
  const fresh = await quoted({ holderId, side: 'buy', metal: 'XAU', won: 10_000n })
  await forget()
  assert.deepEqual(await kept(), [{ id: fresh.id }])
  // An order has all that its quote said: a retry finds it without.
  assert.equal(await order(someone, taken.id), 'again')
  assert.equal(await order(someone, left.id), 'not_found')
})
