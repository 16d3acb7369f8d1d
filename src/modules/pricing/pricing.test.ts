import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { workOut } from './model.ts'
import { linesOf } from './order-lines.ts'
import {
  askOf,
  bidOf,
  bpsText,
  gainOf,
  gramsText,
  isJump,
  isPrice,
  parseGrams,
  pastMoments,
  percentText,
  spreadWonOf,
  stepsOf,
  tradingState,
  valueOfMetal,
} from './rules.ts'
import { PERIODS, type Wish } from './types.ts'

const TERMS = { spreadBps: 100, feeBps: 30 }

// Gold at ₩198,500: ask 199,493 and bid 197,507, worked out by hand.
const WORKED: [what: string, wish: Wish, expected: readonly (bigint | undefined)[] | undefined][] = [
  // 100,000 → 99,700 net → 4,997 units → cost ceil(99,686.65) → fee ceil(299.06)
  ['buy by won', { side: 'buy', won: 100_000n }, [4_997n, 99_687n, 300n, 99_987n, 13n]],
  ['buy by grams', { side: 'buy', units: 10_000n }, [10_000n, 199_493n, 599n, 200_092n, 0n]],
  ['buy the least', { side: 'buy', units: 1n }, [1n, 20n, 1n, 21n, 0n]],
  ['buy the least by won', { side: 'buy', won: 21n }, [1n, 20n, 1n, 21n, 0n]],
  ['buy for less than a unit costs', { side: 'buy', won: 19n }, undefined],
  ['buy nothing', { side: 'buy', units: 0n }, undefined],
  ['sell by grams', { side: 'sell', units: 10_000n }, [10_000n, 197_507n, 593n, 196_914n, 0n]],
  ['sell the least', { side: 'sell', units: 1n }, [1n, 19n, 1n, 18n, 0n]],
  // 100,000 → gross ceil(100,300.9) → units ceil(5,078.39) → 100,313 − 301
  ['sell for won', { side: 'sell', won: 100_000n }, [5_079n, 100_313n, 301n, 100_012n, 12n]],
  ['sell nothing', { side: 'sell', units: 0n }, undefined],
]
for (const [what, wish, expected] of WORKED) {
  test(`work out: ${what}`, () => {
    const figures = workOut(wish, 198_500n, TERMS)
    const { units, metalWon, fee, total, rounding } = figures ?? {}
    assert.deepEqual(figures && [units, metalWon, fee, total, rounding], expected)
  })
}

test('cheap metal is not sold for nothing', () => {
  assert.equal(workOut({ side: 'sell', units: 1n }, 2_480n, TERMS), undefined)
})

const bps = fc.integer({ min: 0, max: 5_000 })
const reference = fc.bigInt({ min: 1n, max: 100_000_000n })
const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.record({ side: fc.constantFrom('buy', 'sell'), won: fc.bigInt({ min: 1n, max: 1_000_000_000n }) }),
  fc.record({ side: fc.constantFrom('buy', 'sell'), units: fc.bigInt({ min: 0n, max: 10_000_000_000n }) }),
)

test('whatever is asked: nobody spends more or receives less than was said, and the house never pays', () => {
  fc.assert(
    fc.property(wish, reference, bps, bps, (asked, price, spreadBps, feeBps) => {
      const figures = workOut(asked, price, { spreadBps, feeBps })
      if (!figures) return
      const { units, metalWon, fee, total, rounding } = figures
      assert.ok(units >= 1n && total >= 1n && fee >= 0n && rounding >= 0n)
      const worth = (units * price) / 10_000n
      if (asked.side === 'buy') {
        assert.ok(metalWon >= worth && total === metalWon + fee)
        if ('won' in asked) assert.equal(total + rounding, asked.won)
      } else {
        assert.ok(metalWon <= worth || metalWon === 1n || bidOf(price, spreadBps) === 1n)
        assert.equal(total, metalWon - fee)
        if ('won' in asked) assert.equal(total - rounding, asked.won)
      }
      assert.ok(spreadWonOf(units, price, metalWon) >= 0n)
    }),
  )
})

test('price × grams, the rounding and the fee of any order give its total to the won', () => {
  fc.assert(
    fc.property(
      wish,
      reference,
      bps,
      bps,
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      (asked, price, spreadBps, feeBps, cost) => {
        const figures = workOut(asked, price, { spreadBps, feeBps })
        if (!figures) return
        const { side } = asked
        const order = { ...figures, side, metal: 'XAU', reference: price, spreadBps, feeBps, cost } as const
        const { value, rounding, spread, gain } = linesOf(order)
        const { units, fee, total } = figures
        const exact = units * figures.price // in 0.0001 won
        assert.equal(value, exact / 10_000n)
        assert.equal(rounding, side === 'buy' && exact % 10_000n > 0n ? 1n : 0n)
        assert.equal(total, side === 'buy' ? value + rounding + fee : value + rounding - fee)
        // The other way to the same total: from the reference price, by the spread.
        const worth = (units * price) / 10_000n
        if (side === 'buy') assert.equal(worth + spread + fee, total)
        else if (figures.price <= price) assert.equal(worth - spread - fee, total)
        assert.equal(gain, side === 'sell' ? total - cost : null)
      },
    ),
  )
})

test('what is bought and sold at once brings no gain', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 100n, max: 1_000_000_000n }),
      reference,
      bps,
      bps,
      (won, price, spreadBps, feeBps) => {
        const bought = workOut({ side: 'buy', won }, price, { spreadBps, feeBps })
        const sold = bought && workOut({ side: 'sell', units: bought.units }, price, { spreadBps, feeBps })
        assert.ok(!bought || !sold || sold.total <= bought.total)
      },
    ),
  )
})

test('the spread is on both sides of the reference', () => {
  assert.deepEqual([askOf(198_500n, 100), bidOf(198_500n, 100)], [199_493n, 197_507n])
  assert.deepEqual([askOf(198_500n, 0), bidOf(198_500n, 0)], [198_500n, 198_500n])
  assert.equal(bidOf(1n, 5_000), 1n)
})

const PERCENTS: [part: bigint, whole: bigint, text: string][] = [
  [1n, 3n, '33.33'],
  [2n, 3n, '66.67'],
  [-1n, 3n, '-33.33'],
  [-1n, 1_000_000n, '0.00'],
  [1n, 20_000n, '0.01'],
  [0n, 5n, '0.00'],
  [300n, 100n, '300.00'],
]
for (const [part, whole, text] of PERCENTS) {
  test(`percent: ${part} of ${whole}`, () => assert.equal(percentText(part, whole), text))
}
test('basis points as percent', () =>
  assert.deepEqual([0, 30, 100, 5_000].map(bpsText), ['0.00', '0.30', '1.00', '50.00']))

test('a gain is against what was paid; of nothing there is no share', () => {
  assert.deepEqual(gainOf(110n, 100n), { won: 10n, percent: '10.00' })
  assert.deepEqual(gainOf(95n, 100n), { won: -5n, percent: '-5.00' })
  assert.deepEqual(gainOf(95n, 0n), { won: 95n, percent: null })
})

const open = { ...TERMS, maxAgeSeconds: 300, stopped: false }
const STATES: [ageSeconds: number, terms: typeof open, expected: string][] = [
  [300, open, 'open'],
  [300.1, open, 'stale'],
  [1, { ...open, stopped: true }, 'stopped'],
  [400, { ...open, stopped: true }, 'stopped'],
]
for (const [ageSeconds, terms, expected] of STATES) {
  test(`a price of ${ageSeconds} s: ${expected}`, () =>
    assert.equal(tradingState({ ageSeconds, terms }), expected))
}

const last = { wonPerGram: 1_000n, source: 'goldapi', ageSeconds: 60 }
const JUMPS: [what: string, last: Parameters<typeof isJump>[0], price: bigint, expected: boolean][] = [
  ['the first', undefined, 1n, false],
  ['15% up', last, 1_150n, false],
  ['more than 15% up', last, 1_151n, true],
  ['15% down', last, 850n, false],
  ['more than 15% down', last, 849n, true],
  ['said again for an hour', { ...last, ageSeconds: 3_601 }, 1_200n, true],
  ['20% after a day', { ...last, ageSeconds: 86_400 }, 1_200n, false],
  ['more than 20% after a day', { ...last, ageSeconds: 86_400 }, 1_201n, true],
  ['half after a month', { ...last, ageSeconds: 30 * 86_400 }, 500n, false],
  ['a tenth after a year', { ...last, ageSeconds: 365 * 86_400 }, 100n, true],
  ['after what a sandbox was born with', { ...last, source: 'seed' }, 2_000n, false],
  ['after the operator’s word', { ...last, source: 'operator' }, 2_000n, true],
]
for (const [what, before, price, expected] of JUMPS) {
  test(`a jump: ${what}`, () => assert.equal(isJump(before, price), expected))
}

test('what can be a price at all', () => {
  assert.deepEqual([0n, -1n, 1n, 100_000_000n, 100_000_001n].map(isPrice), [false, false, true, true, false])
})

test('grams and units', () => {
  assert.deepEqual(['1', '0.0001', '1.5', '123456789.1234'].map(parseGrams), [
    10_000n,
    1n,
    15_000n,
    1_234_567_891_234n,
  ])
  assert.deepEqual(['', '1.', '.5', '1.23456', '-1', '1e3'].map(parseGrams), new Array(6).fill(undefined))
  assert.deepEqual([gramsText(12_345n), valueOfMetal(12_345n, 198_500n)], ['1.2345', 245_048n])
})

test('the past is kept more closely the nearer it is, at moments that come again', () => {
  const now = 1_800_000_123.4
  const moments = pastMoments(now)
  assert.ok(moments.length > 1_200 && moments.length < 1_700, `${moments.length}`)
  assert.ok(moments.every((at) => at % 300 === 0 && at < now))
  const gaps = moments.slice(1).map((at, i) => at - moments[i]!)
  assert.ok(gaps.every((gap, i) => gap <= (moments[i]! > now - 86_400 ? 300 : 86_400)))
  const later = new Set(pastMoments(now + 300))
  assert.ok(moments.slice(-100).every((at) => later.has(at)))
})

test('a chart has some 150 moments, whatever the period', () => {
  const days = PERIODS.map((period) => (stepsOf(period).seconds * stepsOf(period).count) / 86_400)
  assert.deepEqual(days, [1, 7, 30, 365])
  assert.ok(PERIODS.every((period) => stepsOf(period).count >= 140 && stepsOf(period).count <= 170))
})
