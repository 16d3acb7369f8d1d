import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METALS, type Metal } from './port.ts'
import { createSimulatedPrices, simulatedWonPerGram } from './simulated.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const START_MS = Temporal.Instant.from('2026-01-01T00:00Z').epochMilliseconds
const LEVELS = { XAU: 198_500, XAG: 2_480 } as const

const wonAt = (metal: Metal, ms: number) =>
  Number(simulatedWonPerGram(metal, Temporal.Instant.fromEpochMilliseconds(ms)))
const wonIn = (metal: Metal, startMs: number, count: number, stepMs = MINUTE_MS) =>
  Array.from({ length: count }, (_, index) => wonAt(metal, startMs + index * stepMs))

test('the same for everybody, always: what was charted stays so', () => {
  const moments = ['1970-01-01T00:00Z', '2026-01-01T00:00Z', '2026-07-01T12:34Z', '2060-02-29T23:59:59Z']
  const prices = moments.map((text) => {
    const at = Temporal.Instant.from(text)
    return [simulatedWonPerGram('XAU', at), simulatedWonPerGram('XAG', at)].join(' ')
  })
  assert.deepEqual(prices, ['82027 1089', '192857 2465', '192491 2439', '343932 4130'])
})

for (const metal of METALS) {
  test(`${metal}: no minute moves by more than 0.15%`, () => {
    for (let day = 0; day < 365; day += 3) {
      const prices = wonIn(metal, START_MS + day * DAY_MS, 1441)
      const steps = prices.slice(1).map((won, index) => Math.abs(won - prices[index]!) / won)
      assert.ok(Math.max(...steps) <= 0.0015)
      // Rounded to the won, silver rests for some minutes.
      assert.ok(new Set(prices).size > 5, 'and it does move')
    }
  })

  test(`${metal}: a year keeps within a tenth of its level, and a usual day moves half to one per cent`, () => {
    const year = wonIn(metal, START_MS, 365 * 24, 60 * MINUTE_MS)
    const level = LEVELS[metal]
    assert.ok(Math.min(...year) > level * 0.9 && Math.max(...year) < level * 1.1)
    assert.ok(Math.max(...year) - Math.min(...year) > level * 0.03, 'a year has a course')
    const spans = Array.from({ length: 365 }, (_, day) => {
      const prices = wonIn(metal, START_MS + day * DAY_MS, 288, 5 * MINUTE_MS)
      return (Math.max(...prices) - Math.min(...prices)) / level
    }).sort((a, b) => a - b)
    assert.ok(spans[182]! >= 0.005 && spans[182]! <= 0.01, `${spans[182]}`)
  })
}

test('the metals go their own ways', () => {
  const [gold, silver] = METALS.map((metal) => wonIn(metal, START_MS, 300, DAY_MS)) as [number[], number[]]
  const ups = (prices: number[]) => prices.slice(1).map((won, index) => won > prices[index]!)
  const [one, other] = [ups(gold), ups(silver)]
  const same = one.filter((up, index) => up === other[index]).length
  assert.ok(same > 100 && same < 200, `${same} of 299 days`)
})

test('a minute has one price, as old as the minute; what is read now is the past later', async () => {
  const measured: string[] = []
  const watch = {
    onRequest: ({ provider, call }: { provider: string; call: string }) =>
      measured.push(`${provider} ${call}`),
  }
  const feed = createSimulatedPrices({ watch })
  const minute = Temporal.Instant.from('2026-11-15T09:30Z')
  for (const seconds of [0, 1, 59]) {
    const outcome = await feed.read('XAU', minute.add({ seconds }))
    assert.ok(outcome.kind === 'price')
    assert.deepEqual(outcome.price, {
      metal: 'XAU',
      wonPerGram: feed.past!('XAU', minute),
      ageMs: seconds * 1000,
    })
  }
  assert.deepEqual(measured, Array(3).fill('simulated read'))
})
