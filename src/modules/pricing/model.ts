import { assert } from '#base/assert.ts'
import { askOf, BPS, bidOf, divCeil, UNITS_PER_GRAM } from './rules.ts'
import type { Figures, PriceTerms, Wish } from './types.ts'

// The reference model of the arithmetic in flows/trading/quote-order.ts. Undefined: too small to be traded.
export function workOut(
  wish: Wish,
  reference: bigint,
  { spreadBps, feeBps }: PriceTerms,
): Figures | undefined {
  return wish.side === 'buy'
    ? workOutPurchase(wish, askOf(reference, spreadBps), BigInt(feeBps))
    : workOutSale(wish, bidOf(reference, spreadBps), BigInt(feeBps))
}

// Floor the metal, ceil its cost and its fee.
function workOutPurchase(wish: Wish, ask: bigint, feeBps: bigint): Figures | undefined {
  const won = 'won' in wish ? wish.won : undefined
  const net = won === undefined ? 0n : (won * BPS) / (BPS + feeBps)
  const units = 'units' in wish ? wish.units : (net * UNITS_PER_GRAM) / ask
  if (units < 1n) return undefined
  const metalWon = divCeil(units * ask, UNITS_PER_GRAM)
  const fee = divCeil(metalWon * feeBps, BPS)
  const total = metalWon + fee
  assert(won === undefined || total <= won, 'nobody spends more than was said')
  return { units, price: ask, metalWon, fee, total, rounding: won === undefined ? 0n : won - total }
}

// Ceil the metal that an amount takes, floor what it brings.
function workOutSale(wish: Wish, bid: bigint, feeBps: bigint): Figures | undefined {
  const won = 'won' in wish ? wish.won : undefined
  const gross = won === undefined ? 0n : divCeil(won * BPS, BPS - feeBps)
  const units = 'units' in wish ? wish.units : divCeil(gross * UNITS_PER_GRAM, bid)
  const metalWon = (units * bid) / UNITS_PER_GRAM
  const fee = divCeil(metalWon * feeBps, BPS)
  const total = metalWon - fee
  if (units < 1n || total < 1n) return undefined
  assert(won === undefined || total >= won, 'nobody receives less than was said')
  return { units, price: bid, metalWon, fee, total, rounding: won === undefined ? 0n : total - won }
}
