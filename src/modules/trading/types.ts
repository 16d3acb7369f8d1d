import type { Id } from '#base/ids.ts'

export type QuoteId = Id<'quote'>
export type OrderId = Id<'order'>

// The quoted deal, which is ordered exactly as quoted. In won, except for the units of 0.0001 g.
export interface Deal {
  side: 'buy' | 'sell'
  metal: 'XAU' | 'XAG'
  units: bigint
  // Per gram: as the feed had it, and with the spread.
  reference: bigint
  price: bigint
  spreadBps: number
  feeBps: number
  metalWon: bigint
  fee: bigint
  total: bigint
}

interface Order extends Deal {
  id: OrderId
  fromPoints: bigint
  fromDeposit: bigint
  at: Temporal.Instant
}

// The first that applies. Another holder's quote counts as not found.
export type OrderRefusal = 'not_found' | 'expired' | 'insufficient'

export type OrderOutcome =
  | { kind: 'placed' | 'again'; order: Order }
  | { kind: 'refused'; reason: OrderRefusal }

// A holder's balances as an order finds them. Cost: what was paid for the metal that is still held.
export interface Purse {
  points: bigint
  deposit: bigint
  XAU: { units: bigint; cost: bigint }
  XAG: { units: bigint; cost: bigint }
}
