import { assert } from '#base/assert.ts'
import { splitOf } from './rules.ts'
import type { Deal, OrderRefusal, Purse } from './types.ts'

// The reference model of the SQL function place_orders. A property test holds the two together.
export interface OrderFacts {
  // This holder's quote; undefined if there is none, or it is another holder's.
  quote: (Pick<Deal, 'side' | 'metal' | 'units' | 'total'> & { live: boolean }) | undefined
  // By this holder.
  taken: boolean
  purse: Purse
}

export type OrderDecision =
  | { kind: 'placed'; fromPoints: bigint; fromDeposit: bigint; cost: bigint; after: Purse }
  | { kind: 'again' }
  | { kind: 'refused'; reason: OrderRefusal }

export function decideOrder({ quote, taken, purse }: OrderFacts): OrderDecision {
  // An answer once given stands, however late it is asked for again.
  if (taken) return { kind: 'again' }
  if (!quote) return { kind: 'refused', reason: 'not_found' }
  if (!quote.live) return { kind: 'refused', reason: 'expired' }
  return quote.side === 'buy' ? decidePurchase(purse, quote) : decideSale(purse, quote)
}

function decidePurchase(
  purse: Purse,
  { metal, units, total }: NonNullable<OrderFacts['quote']>,
): OrderDecision {
  const split = splitOf(purse, total)
  if (split.lacking > 0n) return { kind: 'refused', reason: 'insufficient' }
  const { fromPoints, fromDeposit } = split
  const held = purse[metal]
  const after = {
    ...purse,
    points: purse.points - fromPoints,
    deposit: purse.deposit - fromDeposit,
    [metal]: { units: held.units + units, cost: held.cost + total },
  }
  return { kind: 'placed', fromPoints, fromDeposit, cost: total, after }
}

function decideSale(purse: Purse, { metal, units, total }: NonNullable<OrderFacts['quote']>): OrderDecision {
  const held = purse[metal]
  if (held.units < units) return { kind: 'refused', reason: 'insufficient' }
  const cost = costOfPart(held, units)
  const after = {
    ...purse,
    deposit: purse.deposit + total,
    [metal]: { units: held.units - units, cost: held.cost - cost },
  }
  return { kind: 'placed', fromPoints: 0n, fromDeposit: 0n, cost, after }
}

// The cost of a part of a holding, by moving average. The last unit takes the rest.
export function costOfPart(held: { units: bigint; cost: bigint }, units: bigint): bigint {
  assert(units > 0n && units <= held.units, 'a part is of what is held')
  return (held.cost * units + held.units - 1n) / held.units
}
