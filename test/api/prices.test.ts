import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { pollPrices } from '#jobs/poll-prices.ts'
import { tradingState } from '#modules/pricing/rules.ts'
import { readLastPrices, readMarket, readPriceHistory } from '#modules/pricing/store.ts'
import type { Metal, PriceFeed, PriceOutcome } from '#providers/metal-price/port.ts'
import { advanceClock, decideChange, requestPrice } from '#test/operator.ts'
import { call, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const why = { reason: 'test', actor: 'test' }

const logged: string[] = []
const note = (event: string, { code }: { code?: string } = {}) =>
  void logged.push(code ? `${event} ${code}` : event)
const log = { debug: note, info: note, warn: note, error: note }
const readings: string[] = []

// A feed that says what a test tells it to.
function feedOf(
  say: (metal: Metal) => bigint | undefined,
  changes: Partial<PriceFeed> & { ageMs?: number } = {},
) {
  const { ageMs = 0, ...rest } = changes
  const read = async (metal: Metal): Promise<PriceOutcome> => {
    const wonPerGram = say(metal)
    return wonPerGram === undefined
      ? { kind: 'unavailable', reason: 'timeout' }
      : { kind: 'price', price: { metal, wonPerGram, ageMs } }
  }
  const feed: PriceFeed = { name: 'goldapi', read, past: undefined, close: async () => {}, ...rest }
  return feed
}

async function poll(prices: PriceFeed): Promise<string[]> {
  readings.length = 0
  logged.length = 0
  const onReading = (metal: Metal, outcome: string) => void readings.push(`${metal} ${outcome}`)
  await pollPrices({ database, log, prices, onReading })
  return [...readings].sort()
}

async function newest(): Promise<Record<string, { wonPerGram: bigint; source: string }>> {
  const last = await readLastPrices(database)
  return Object.fromEntries(last.map(({ metal, wonPerGram, source }) => [metal, { wonPerGram, source }]))
}

const says = (gold: bigint | undefined, silver: bigint | undefined) => (metal: Metal) =>
  metal === 'XAU' ? gold : silver

test('a reading is recorded, whatever a sandbox was born with', async () => {
  assert.deepEqual(await poll(feedOf(says(300_000n, 5_000n))), ['XAG recorded', 'XAU recorded'])
  assert.deepEqual((await newest()).XAU, { wonPerGram: 300_000n, source: 'goldapi' })
  const { metals } = await readMarket(database)
  assert.deepEqual([metals.XAU?.reference, metals.XAG?.reference], [300_000n, 5_000n])
  assert.equal(tradingState(metals.XAU!), 'open')
})

test('a reading too far from the last is held back, and told; the operator’s word is the new measure', async () => {
  assert.deepEqual(await poll(feedOf(says(400_000n, 5_100n))), ['XAG recorded', 'XAU held_back'])
  assert.deepEqual(logged, ['price held back XAU'])
  assert.equal((await newest()).XAU?.wonPerGram, 300_000n)
  // A slip of the finger is asked about.
  const wish = { metal: 'XAU', wonPerGram: 390_000n, ...why } as const
  await assert.rejects(requestPrice(database, wish), /price_jump/)
  const { id } = (await requestPrice(database, { ...wish, force: true })).request
  assert.equal((await newest()).XAU?.wonPerGram, 300_000n)
  await decideChange(database, { id, kinds: ['price'], act: 'approve', actor: 'second', note: '' })
  assert.deepEqual(await poll(feedOf(says(400_000n, 5_100n))), ['XAG recorded', 'XAU recorded'])
  const { rows } = await database.pool.query(`select details from audit_entry where action = 'price.set'`)
  const changed = { before: { wonPerGram: '300000' }, after: { wonPerGram: '390000' } }
  const details = { ...changed, reason: 'test', force: true, askedBy: 'test', request: id }
  assert.deepEqual(rows[0].details, details)
  await assert.rejects(requestPrice(database, { ...wish, wonPerGram: 0n }), /price_out_of_bounds/)
})

test('a feed that is silent is told, and the other metal is recorded', async () => {
  assert.deepEqual(await poll(feedOf(says(undefined, 5_200n))), ['XAG recorded', 'XAU unavailable'])
  assert.deepEqual(logged, ['price not read XAU'])
})

test('a feed that repeats an old price does not keep trading open', async () => {
  await advanceClock(database, { seconds: 400, actor: 'test' })
  await poll(feedOf(says(400_000n, 5_200n), { ageMs: 350_000 }))
  const { metals } = await readMarket(database)
  assert.equal(tradingState(metals.XAU!), 'stale')
  await poll(feedOf(says(400_000n, 5_200n), { ageMs: 1_000 }))
  assert.equal(tradingState((await readMarket(database)).metals.XAU!), 'open')
  await stopOrResumeTrading(database, { stopped: true, ...why })
  assert.equal(tradingState((await readMarket(database)).metals.XAU!), 'stopped')
  await stopOrResumeTrading(database, { stopped: false, ...why })
})

test('the age of the newest price is measured', async () => {
  const { text } = await call(`${service.url}/metrics`)
  assert.match(text, /ingot_price_age_seconds\{metal="XAU"\} \d/)
})

// A straight line: what a moment cost tells which moment it was.
const past = (_: Metal, at: Temporal.Instant) => BigInt(Math.floor(at.epochMilliseconds / 60_000))

test('a feed that knows the past fills the charts of a year, once, and again after a journey', async () => {
  await advanceClock(database, { seconds: 3 * 3_600, actor: 'test' })
  const { now } = await readMarket(database)
  const present = (metal: Metal) => past(metal, now)
  const feed = feedOf(present, { name: 'simulated', past })
  await poll(feed)
  assert.ok(logged.includes('past prices filled in'))
  await poll(feed)
  assert.ok(!logged.includes('past prices filled in'))

  for (const period of ['1d', '1w', '1m', '1y'] as const) {
    const points = await readPriceHistory(database, 'XAU', period)
    assert.ok(points.length >= 145 && points.length <= 171, `${period} ${points.length}`)
    const times = points.map(({ at }) => at.epochMilliseconds)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    const steps = new Set(times.slice(1, -1).map((at, i) => at - times[i]!))
    assert.equal(steps.size, 1, 'evenly spaced')
  }
  await advanceClock(database, { seconds: 40 * 86_400, actor: 'test' })
  const { now: later } = await readMarket(database)
  await poll(feedOf((metal) => past(metal, later), { name: 'simulated', past }))
  assert.ok(logged.includes('past prices filled in'))
  const points = await readPriceHistory(database, 'XAG', '1m')
  const stretched = points.filter(
    ({ at, wonPerGram }) => BigInt(at.epochMilliseconds) / 60_000n - wonPerGram > 60n,
  )
  assert.deepEqual(stretched, [], 'no hour of the month is without a price')
})

test('the history is read by probes of the primary key', async () => {
  const { rows } = await database.pool.query(
    `explain select p.won_per_gram from generate_series(1, 150) i
      cross join lateral (select won_per_gram from metal_price where metal = 'XAU' and at <= now() - i * interval '1 hour'
                           order by at desc limit 1) p`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /Index Scan Backward using metal_price_pkey/)
})
