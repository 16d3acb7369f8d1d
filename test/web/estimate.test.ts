import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { workOut } from '#modules/pricing/model.ts'
import { askOf, bidOf } from '#modules/pricing/rules.ts'
import type { Wish } from '#modules/pricing/types.ts'
import { splitOf } from '#modules/trading/rules.ts'
import { estimate, type Size, shareOf, smallest } from '../../web/member/trade/estimate.ts'

const market = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  reference: fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 100_000_000n)),
  spreadBps: fc.integer({ min: 0, max: 2_000 }),
  feeBps: fc.oneof(fc.constantFrom(0, 30), fc.integer({ min: 0, max: 2_000 })),
})
const rateOf = ({
  side,
  reference,
  spreadBps,
  feeBps,
}: typeof market extends fc.Arbitrary<infer M> ? M : never) => ({
  price: side === 'buy' ? askOf(reference, spreadBps) : bidOf(reference, spreadBps),
  feeBps: BigInt(feeBps),
})
const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 1_000_000_000n))

test('the page estimates what the service works out, to the won and the unit', () => {
  const size = fc.oneof(
    amount.map((won): Size => ({ won })),
    amount.map((units): Size => ({ units })),
  )
  fc.assert(
    fc.property(market, size, (terms, wanted) => {
      const figures = workOut({ side: terms.side, ...wanted } as Wish, terms.reference, terms)
      const expected = figures && { units: figures.units, fee: figures.fee, total: figures.total }
      assert.deepEqual(estimate(terms.side, wanted, rateOf(terms)), expected)
    }),
    { numRuns: 3_000 },
  )
})

test('the smallest amount is taken, and one less is not', () => {
  fc.assert(
    fc.property(market, (terms) => {
      const { total, units } = smallest(terms.side, rateOf(terms))
      const sized = (less: bigint): Size =>
        terms.side === 'buy' ? { won: total - less } : { units: units - less }
      assert.ok(workOut({ side: terms.side, ...sized(0n) } as Wish, terms.reference, terms))
      assert.equal(estimate(terms.side, sized(1n), rateOf(terms)), undefined)
    }),
    { numRuns: 1_000 },
  )
})

test('25, 50 and 100% of what is there: the service takes each that is offered, even if the price has moved by then', () => {
  const have = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 100_000_000_000n))
  const percent = fc.constantFrom(25n, 50n, 100n)
  const moved = fc.bigInt(1n, 100_000_000n)
  fc.assert(
    fc.property(market, have, percent, fc.bigInt(0n, 100n), moved, (terms, all, share, pointShare, later) => {
      const part = shareOf(terms.side, all, share, rateOf(terms))
      if (part === undefined) return
      assert.ok(part > 0n && part <= all && part * 100n <= all * share)
      const wish: Wish = terms.side === 'buy' ? { side: 'buy', won: part } : { side: 'sell', units: part }
      assert.ok(workOut(wish, terms.reference, terms), 'large enough')
      const figures = workOut(wish, later, terms)
      if (!figures) return
      if (terms.side === 'sell') return assert.ok(figures.units <= all)
      const points = (all * pointShare) / 100n
      assert.equal(splitOf({ points, deposit: all - points }, figures.total).lacking, 0n)
    }),
    { numRuns: 3_000 },
  )
})
