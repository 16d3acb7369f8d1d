import type { Assets, Metal, Prices, Side } from '../../../contract/member.gen.ts'
import { unitsOf } from '../../kit/format.ts'
import type { AmountUnit } from '../shared/amount/amount.ts'
import type { Rate } from './estimate.ts'

export interface Available {
  points: number
  deposit: number
  grams: string
  // Won to buy with, or units to sell.
  most: bigint
}

export function availableFor(assets: Assets, { metal, side }: { metal: Metal; side: Side }): Available {
  const { points, deposit } = assets
  const { grams } = assets[metal]
  return { points, deposit, grams, most: side === 'buy' ? BigInt(points + deposit) : unitsOf(grams) }
}

// Only where it is certain. Grams to buy and won to receive depend on the price: the quote says.
export function isTooMuch(
  { most }: Available,
  side: Side,
  unit: AmountUnit,
  amount: string | undefined,
): boolean {
  if (amount === undefined || (side === 'buy') !== (unit === 'won')) return false
  return (unit === 'won' ? BigInt(amount) : unitsOf(amount)) > most
}

// The newest price that the page has, and the fee. For estimates only: the quote decides.
export function rateOf(prices: Prices, { metal, side }: { metal: Metal; side: Side }): Rate {
  const { ask, bid } = prices[metal]
  return {
    price: BigInt(side === 'buy' ? ask : bid),
    // The contract has two decimals: without its point '0.30' is 30 basis points.
    feeBps: BigInt(prices.feePercent.replace('.', '')),
  }
}
