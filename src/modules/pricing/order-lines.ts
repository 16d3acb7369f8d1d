import { assert } from '#base/assert.ts'
import { spreadWonOf, valueOfMetal } from './rules.ts'
import type { Metal } from './types.ts'

// An order as it was carried out. Won, but for the units of 0.0001 g.
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
  // What the metal that was bought cost, or what the metal that was sold had cost, by moving average.
  cost: bigint
}

// The lines of an order on a statement, in won. They add up:
//   bought:  value + rounding + fee = total
//   sold:    value + rounding − fee = total
export interface OrderLines {
  // Price × grams, floored.
  value: bigint
  // Bought: 1 where price × grams is no whole won, since its cost is ceiled. Sold: 0, since what it brings is floored.
  rounding: bigint
  // How much of value and rounding is the spread: against the same metal at the reference price, floored. In the sum already.
  spread: bigint
  // Of a sale: what it brought after the fee, less what the metal had cost.
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

// What the orders of a statement come to.
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
