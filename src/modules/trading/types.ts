import type { Id } from '#base/ids.ts'

export type QuoteId = Id<'quote'>
export type OrderId = Id<'order'>

// What was quoted, and is then ordered to the letter. Won, but for the units of 0.0001 g.
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

// The first that applies. Somebody else's quote is one that is not there.
export type OrderRefusal = 'not_found' | 'expired' | 'insufficient'

export type OrderOutcome =
  | { kind: 'placed' | 'again'; order: Order }
  | { kind: 'refused'; reason: OrderRefusal }

// What a holder has, as an order finds it. Cost: what was paid for the metal that is still held.
export interface Purse {
  points: bigint
  deposit: bigint
  XAU: { units: bigint; cost: bigint }
  XAG: { units: bigint; cost: bigint }
}
