import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#base/ids.ts'
import { statementCsv } from '#edge/member/statement-csv.ts'
import { statementJson } from '#edge/member/statement-json.ts'
import { createReadStatement } from '#flows/holdings/read-history.ts'
import { stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { createQuoteOrder, type Quote } from '#flows/trading/quote-order.ts'
import { workOut } from '#modules/pricing/model.ts'
import type { Metal, Wish } from '#modules/pricing/types.ts'
import { decideOrder } from '#modules/trading/model.ts'
import { insertOrders } from '#modules/trading/store.ts'
import type { Purse, QuoteId } from '#modules/trading/types.ts'
import { addHolder, type Holder, testMetrics } from '#test/holders.ts'
import { assertBooks, startService } from '#test/service.ts'
import { agreeOnTerms, feedPrice } from '#test/trading.ts'

// The statement that quotes and the SQL function place_orders against their reference models, on random histories of
// three holders. Prices and terms change, quotes run out, and orders come in batches, a second time, or for another
// holder's quote.
const service = await startService()
const { database } = service
const partner = await service.addPartner()
const quoteOrder = createQuoteOrder({ database, metrics: testMetrics() })
const readStatement = createReadStatement(database)
const HOLDERS = 3
const { rows: days } = await database.pool.query('select seoul_date(service_now())::text as today')
const today = Temporal.PlainDate.from(days[0].today)
const period = { from: today, to: today.add({ days: 1 }) }

const metal = fc.constantFrom<Metal>('XAU', 'XAG')
const side = fc.constantFrom('buy' as const, 'sell' as const)
const who = fc.nat({ max: HOLDERS - 1 })
// Of all sizes, but mostly such as can be had.
const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ side, won: fc.bigInt({ min: 2_000n, max: 60_000n }) }) },
  { weight: 4, arbitrary: fc.record({ side, units: fc.bigInt({ min: 100n, max: 5_000n }) }) },
  { weight: 1, arbitrary: fc.record({ side, won: fc.bigInt({ min: 1n, max: 2_000n }) }) },
  { weight: 1, arbitrary: fc.record({ side, units: fc.bigInt({ min: 0n, max: 100n }) }) },
)
const bps = fc.integer({ min: 0, max: 5_000 })
type Step =
  | { do: 'quote'; who: number; metal: Metal; wish: Wish }
  | { do: 'order'; picks: { who: number; which: number; stray: number }[] }
  | { do: 'price'; metal: Metal; won: bigint }
  | { do: 'terms'; metal: Metal; spreadBps: number; feeBps: number }
  | { do: 'stop'; stopped: boolean }
  | { do: 'expire'; which: number }
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('quote' as const), who, metal, wish }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('order' as const),
        picks: fc.uniqueArray(fc.record({ who, which: fc.nat(), stray: fc.nat({ max: 5 }) }), {
          minLength: 1,
          selector: (pick) => pick.who,
        }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('price' as const),
        metal,
        won: fc.bigInt({ min: 1n, max: 400_000n }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('terms' as const), metal, spreadBps: bps, feeBps: bps }),
    },
    {
      weight: 1,
      // Not for long, most of the time.
      arbitrary: fc.record({
        do: fc.constant('stop' as const),
        stopped: fc.nat({ max: 3 }).map((n) => n === 0),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), which: fc.nat() }) },
  ),
  { minLength: 4, maxLength: 24, size: 'max' },
)

const STARTS: Record<'KRW_POINT' | 'KRW' | 'XAU' | 'XAG', bigint>[] = [
  { KRW_POINT: 150_000n, KRW: 0n, XAU: 0n, XAG: 0n },
  { KRW_POINT: 50_000n, KRW: 80_000n, XAU: 15_000n, XAG: 0n },
  { KRW_POINT: 0n, KRW: 9_000n, XAU: 1n, XAG: 100_000n },
]

interface Model {
  prices: Record<Metal, bigint>
  terms: Record<Metal, { spreadBps: number; feeBps: number }>
  stopped: boolean
  quotes: (Quote & { owner: number; live: boolean; taken: boolean })[]
  purses: Purse[]
}

const why = { reason: 'test', actor: 'test' }
let people = 0

async function begin(): Promise<{ model: Model; holders: Holder[] }> {
  const holders: Holder[] = []
  for (const amounts of STARTS) {
    people += 1
    holders.push(await addHolder(service, partner, `사람 ${people}`, amounts))
  }
  const model: Model = {
    prices: { XAU: 198_500n, XAG: 2_480n },
    terms: { XAU: { spreadBps: 100, feeBps: 30 }, XAG: { spreadBps: 100, feeBps: 30 } },
    stopped: false,
    quotes: [],
    purses: STARTS.map((start) => ({
      points: start.KRW_POINT,
      deposit: start.KRW,
      XAU: { units: start.XAU, cost: 0n },
      XAG: { units: start.XAG, cost: 0n },
    })),
  }
  for (const one of ['XAU', 'XAG'] as const) {
    await feedPrice(database, one, model.prices[one])
    await agreeOnTerms(database, one, model.terms[one])
  }
  await stopOrResumeTrading(database, { stopped: false, ...why })
  return { model, holders }
}

async function quote(model: Model, holders: Holder[], step: Extract<Step, { do: 'quote' }>): Promise<void> {
  const command = { ...step.wish, metal: step.metal, holderId: holders[step.who]!.holderId }
  const outcome = await quoteOrder(command)
  if (model.stopped) return assert.deepEqual(outcome, { kind: 'refused', reason: 'trading_stopped' })
  const figures = workOut(step.wish, model.prices[step.metal], model.terms[step.metal])
  if (!figures) return assert.deepEqual(outcome, { kind: 'refused', reason: 'amount_too_small' })
  assert.ok(outcome.kind === 'quoted')
  const { units, price, metalWon, fee, total, rounding } = outcome.quote
  assert.deepEqual({ units, price, metalWon, fee, total, rounding }, figures)
  model.quotes.push({ ...outcome.quote, owner: step.who, live: true, taken: false })
}

async function order(model: Model, holders: Holder[], step: Extract<Step, { do: 'order' }>): Promise<void> {
  const { quotes } = model
  if (quotes.length === 0) return
  // Mostly one's own.
  const picked = step.picks.flatMap(({ who: by, which, stray }) => {
    const among = stray === 0 ? quotes : quotes.filter(({ owner }) => owner === by)
    // The newest is the likeliest to be had.
    return among.length > 0 ? [{ by, quote: among.at(-1 - (which % among.length))! }] : []
  })
  // A batch has each quote once, too: two who hold one quote do not exist.
  const wanted = picked.filter((one, i) => picked.findIndex((other) => other.quote === one.quote) === i)
  const wishes = wanted.map(({ by, quote: one }) => ({
    quoteId: one.id as QuoteId,
    holderId: holders[by]!.holderId,
    orderId: newId<'order'>(),
  }))
  const outcomes = wishes.length > 0 ? await insertOrders(database, wishes) : []
  for (const [i, { by, quote: one }] of wanted.entries()) {
    const mine = one.owner === by
    const purse = model.purses[by]!
    const decision = decideOrder({ quote: mine ? one : undefined, taken: mine && one.taken, purse })
    const outcome = outcomes[i]!
    assert.equal(outcome.kind, decision.kind)
    if (outcome.kind === 'refused' || decision.kind === 'refused') {
      assert.deepEqual(outcome, decision)
    } else if (decision.kind === 'placed') {
      const { fromPoints, fromDeposit } = outcome.order
      assert.deepEqual([fromPoints, fromDeposit], [decision.fromPoints, decision.fromDeposit])
      assert.equal(outcome.order.total, one.total)
      one.taken = true
      model.purses[by] = decision.after
    }
  }
}

async function take(model: Model, holders: Holder[], step: Step): Promise<void> {
  if (step.do === 'quote') return quote(model, holders, step)
  if (step.do === 'order') return order(model, holders, step)
  if (step.do === 'price') {
    model.prices[step.metal] = step.won
    return feedPrice(database, step.metal, step.won)
  }
  if (step.do === 'terms') {
    const { spreadBps, feeBps } = step
    model.terms[step.metal] = { spreadBps, feeBps }
    await agreeOnTerms(database, step.metal, { spreadBps, feeBps })
  } else if (step.do === 'stop') {
    model.stopped = step.stopped
    if (step.stopped) for (const one of model.quotes) one.live = false
    await stopOrResumeTrading(database, { stopped: step.stopped, ...why })
  } else if (model.quotes.length > 0) {
    const one = model.quotes[step.which % model.quotes.length]!
    one.live = false
    await database.pool.query('update trade_quote set expires_at = created_at where id = $1', [one.id])
  }
}

async function pursesOf(holders: Holder[]): Promise<Purse[]> {
  const { rows } = await database.pool.query(
    'select holder_id, asset, balance, cost from account where holder_id = any($1)',
    [holders.map(({ holderId }) => holderId)],
  )
  return holders.map(({ holderId }) => {
    const of = (asset: string) => rows.find((row) => row.holder_id === holderId && row.asset === asset)
    const held = (asset: string) => ({ units: of(asset)?.balance ?? 0n, cost: of(asset)?.cost ?? 0n })
    return {
      points: of('KRW_POINT')?.balance ?? 0n,
      deposit: of('KRW')?.balance ?? 0n,
      XAU: held('XAU'),
      XAG: held('XAG'),
    }
  })
}

// A statement of these days adds up. Opening and movements give closing, and the lines of each order give its total.
// What sales realised is what they brought, less what left the holding's cost.
async function assertStatement({ holderId }: Holder, purse: Purse): Promise<void> {
  const statement = await readStatement(holderId, period)
  assert.ok(statement !== 'too_long')
  const running = { ...statement.opening }
  for (const { asset, change } of statement.movements) running[asset] += change
  assert.deepEqual(running, statement.closing)
  const { points, deposit, XAU, XAG } = purse
  assert.deepEqual(running, { KRW_POINT: points, KRW: deposit, XAU: XAU.units, XAG: XAG.units })
  const shown = statementJson(statement)
  const cost = { gold: 0, silver: 0 }
  let gain = 0
  for (const one of shown.orders) {
    const sign = one.side === 'buy' ? 1 : -1
    assert.equal(one.value + one.rounding + sign * one.fee, one.total)
    assert.equal(one.value, Math.floor((Number(one.grams.replace('.', '')) * one.price) / 10_000))
    cost[one.metal] += sign * one.cost
    if (one.side === 'sell') gain += one.total - one.cost
    // Won that moved, in the same statement.
    const moved = shown.movements.filter(
      ({ orderId, asset }) => orderId === one.orderId && (asset === 'points' || asset === 'deposit'),
    )
    assert.equal(
      moved.reduce((sum, { change }) => sum - sign * Number(change), 0),
      one.total,
    )
  }
  assert.deepEqual([cost.gold, cost.silver], [Number(XAU.cost), Number(XAG.cost)])
  assert.equal(shown.sums.gain, gain)
  const lines = statementCsv(statement, 'en').split('\r\n')
  assert.ok(lines.at(-2)!.endsWith(`,${shown.sums.fee},,${shown.sums.spreadWon},,${gain}`))
}

test('quotes and place_orders do what their models say, and the books hold', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { model, holders } = await begin()
      for (const step of history) await take(model, holders, step)
      assert.deepEqual(await pursesOf(holders), model.purses)
      for (const [i, holder] of holders.entries()) await assertStatement(holder, model.purses[i]!)
    }),
    { numRuns: 120 },
  )
  const { rows } = await database.pool.query('select side, count(*) as count from trade_order group by side')
  assert.ok(rows.length === 2 && rows.every(({ count }) => count > 20n), 'the histories have orders in them')
  await assertBooks(database)
})
