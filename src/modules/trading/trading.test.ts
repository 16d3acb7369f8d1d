import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { costOfPart, decideOrder } from './model.ts'
import { splitOf } from './rules.ts'

const none = { units: 0n, cost: 0n }
const purse = { points: 100n, deposit: 50n, XAU: { units: 10n, cost: 33n }, XAG: none }
const buy = { side: 'buy', metal: 'XAU', units: 5n, total: 120n, live: true } as const
const sell = { side: 'sell', metal: 'XAU', units: 3n, total: 40n, live: true } as const

// Each row breaks its rule and all later ones.
const DECISIONS: [what: string, facts: Parameters<typeof decideOrder>[0], expected: string][] = [
  ['taken before', { quote: { ...buy, live: false }, taken: true, purse }, 'again'],
  ['no quote', { quote: undefined, taken: false, purse }, 'not_found'],
  ['too late', { quote: { ...buy, live: false, total: 999n }, taken: false, purse }, 'expired'],
  ['too dear', { quote: { ...buy, total: 151n }, taken: false, purse }, 'insufficient'],
  ['not held', { quote: { ...sell, units: 11n }, taken: false, purse }, 'insufficient'],
  ['all there is', { quote: { ...buy, total: 150n }, taken: false, purse }, 'placed'],
]
for (const [what, facts, expected] of DECISIONS) {
  test(`decide: ${what}`, () => {
    const decision = decideOrder(facts)
    assert.equal(decision.kind === 'refused' ? decision.reason : decision.kind, expected)
  })
}

test('points first, then deposit; what was paid is what it cost', () => {
  assert.deepEqual(decideOrder({ quote: buy, taken: false, purse }), {
    kind: 'placed',
    fromPoints: 100n,
    fromDeposit: 20n,
    cost: 120n,
    after: { ...purse, points: 0n, deposit: 30n, XAU: { units: 15n, cost: 153n } },
  })
})

test('a sale goes to the deposit, and takes its share of the cost along', () => {
  assert.deepEqual(decideOrder({ quote: sell, taken: false, purse }), {
    kind: 'placed',
    fromPoints: 0n,
    fromDeposit: 0n,
    cost: 10n,
    after: { ...purse, deposit: 90n, XAU: { units: 7n, cost: 23n } },
  })
})

test('what is lacking is told', () => {
  assert.deepEqual(splitOf({ points: 10n, deposit: 5n }, 20n), {
    fromPoints: 10n,
    fromDeposit: 5n,
    lacking: 5n,
  })
  assert.deepEqual(splitOf({ points: 10n, deposit: 5n }, 8n), {
    fromPoints: 8n,
    fromDeposit: 0n,
    lacking: 0n,
  })
})

test('in whatever parts a holding is sold, all of its cost goes, and never more', () => {
  const held = fc.record({
    units: fc.bigInt({ min: 1n, max: 10n ** 10n }),
    cost: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  })
  fc.assert(
    fc.property(held, fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { maxLength: 10 }), (start, parts) => {
      let left = start
      for (const part of parts) {
        if (part > left.units) continue
        const cost = costOfPart(left, part)
        left = { units: left.units - part, cost: left.cost - cost }
        assert.ok(left.cost >= 0n && (left.units > 0n || left.cost === 0n))
      }
    }),
  )
})
