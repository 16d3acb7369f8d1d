import { assert } from '#base/assert.ts'
import { spreadWonOf, valueOfMetal } from './rules.ts'
import type { Metal } from './types.ts'

// An order as it was carried out. In won, except for the units of 0.0001 g.
export interface OrderFigures {
  side: 'buy' | 'sell'
  metal: Metal
  units: bigint
  // Per gram: as the feed had it, and with the spread.
  reference: bigint
  price: bigint
  spreadBps: number
  feeBps: number
  metalWon: bigint
  fee: bigint
  total: bigint
  // The cost of the metal that was bought, or the former cost of the metal that was sold, by moving average.
  cost: bigint
}

// The lines of an order on a statement, in won. They add up:
//   bought:  value + rounding + fee = total
//   sold:    value + rounding − fee = total
export interface OrderLines {
  // Price × grams, floored.
  value: bigint
  // Bought: 1 if price × grams is not a whole won, because its cost is ceiled. Sold: 0, because the proceeds are
  // floored.
  rounding: bigint
  // How much of value and rounding is the spread: against the same metal at the reference price, floored. In the sum already.
  spread: bigint
  // For a sale: the proceeds after the fee, less the cost of the metal.
  gain: bigint | null
}

export function linesOf(order: OrderFigures): OrderLines {
  const { side, units, reference, price, metalWon, fee, total, cost } = order
  const value = valueOfMetal(units, price)
  const rounding = metalWon - value
  assert(rounding === 0n || (side === 'buy' && rounding === 1n), 'the metal is rounded to the next won')
  assert(total === (side === 'buy' ? metalWon + fee : metalWon - fee), 'as the order’s CHECK has it')
  return {
    value,
    rounding,
    spread: spreadWonOf(units, reference, metalWon),
    gain: side === 'sell' ? total - cost : null,
  }
}

export interface OrderSums {
  fee: bigint
  spread: bigint
  gain: bigint
}

// The sums of a statement's orders.
export function sumUp(orders: readonly OrderFigures[]): OrderSums {
  const sums = { fee: 0n, spread: 0n, gain: 0n }
  for (const order of orders) {
    const { spread, gain } = linesOf(order)
    sums.fee += order.fee
    sums.spread += spread
    sums.gain += gain ?? 0n
  }
  return sums
}
