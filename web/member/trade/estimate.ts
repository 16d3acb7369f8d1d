import type { Side } from '../../../contract/member.gen.ts'

// An order's total with its fee, at the price that the page knows. The quote decides: it follows the service's rule
// (src/modules/pricing/rules.ts), and a property test holds this file to it. Pure functions.
const UNITS_PER_GRAM = 10_000n
const BPS = 10_000n

export type Size = { won: bigint } | { units: bigint }
export interface Rate {
  // Won per gram, the spread included.
  price: bigint
  feeBps: bigint
}
export interface Estimate {
  units: bigint
  fee: bigint
  total: bigint
}

// Undefined: too small to be traded.
export function estimate(side: Side, size: Size, rate: Rate): Estimate | undefined {
  return side === 'buy' ? estimatePurchase(size, rate) : estimateSale(size, rate)
}

// Metal rounds down, its cost and the fee round up: the member never spends more than the amount entered.
function estimatePurchase(size: Size, { price, feeBps }: Rate): Estimate | undefined {
  // The fee is taken out first, so that metal and fee together stay within the amount.
  const units = 'units' in size ? size.units : (((size.won * BPS) / (BPS + feeBps)) * UNITS_PER_GRAM) / price
  if (units < 1n) return undefined
  const metalWon = ceilDiv(units * price, UNITS_PER_GRAM)
  const fee = ceilDiv(metalWon * feeBps, BPS)
  return { units, fee, total: metalWon + fee }
}

// The other way round: the member never receives less than the amount entered.
// The fee is added first, so that what is left after it reaches the amount.
function estimateSale(size: Size, { price, feeBps }: Rate): Estimate | undefined {
  const units =
    'units' in size ? size.units : ceilDiv(ceilDiv(size.won * BPS, BPS - feeBps) * UNITS_PER_GRAM, price)
  const metalWon = (units * price) / UNITS_PER_GRAM
  const fee = ceilDiv(metalWon * feeBps, BPS)
  const total = metalWon - fee
  return units < 1n || total < 1n ? undefined : { units, fee, total }
}

// The smallest order: one unit of metal to buy, one won to receive.
export function smallest(side: Side, rate: Rate): Estimate {
  const found = side === 'buy' ? estimatePurchase({ units: 1n }, rate) : estimateSale({ won: 1n }, rate)
  // One unit and one won are always enough.
  return found!
}

// The service's limit for one order, in won to buy and in units to sell.
const MOST = { buy: 1_000_000_000n, sell: 10_000_000_000n }

// A share of the money in won, or of the metal in units. In these an order never exceeds the balance, whatever the price
// does until the quote. Undefined if the share is too small to trade.
export function shareOf(side: Side, have: bigint, percent: bigint, rate: Rate): bigint | undefined {
  const part = (have * percent) / 100n
  const share = part < MOST[side] ? part : MOST[side]
  return estimate(side, side === 'buy' ? { won: share } : { units: share }, rate) ? share : undefined
}

// For positive numbers: division of BigInts cuts towards zero.
function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
