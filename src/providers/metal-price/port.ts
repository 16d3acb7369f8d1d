// What the service asks of a price feed. A feed's own codes and texts end here.

export const PRICE_FEEDS = ['goldapi', 'simulated'] as const
export type PriceFeedName = (typeof PRICE_FEEDS)[number]

export const METALS = ['XAU', 'XAG'] as const
export type Metal = (typeof METALS)[number]

interface Price {
  metal: Metal
  // Of the pure metal, rounded to the nearest won.
  wonPerGram: bigint
  // How old it was when it was read, by the feed's own account: a feed that repeats an old price is a stale one.
  ageMs: number
}

export type PriceOutcome = { kind: 'price'; price: Price } | { kind: 'unavailable'; reason: string }

export interface PriceFeed {
  readonly name: PriceFeedName
  // Never throws; ends within half a minute. `at` is the service's moment, which a sandbox may have moved on.
  read(metal: Metal, at: Temporal.Instant): Promise<PriceOutcome>
  // What it cost at moments of the past, for charts; undefined for a feed that does not know.
  readonly past: ((metal: Metal, at: Temporal.Instant) => bigint) | undefined
  close(): Promise<void>
}

export interface PriceWatch {
  onRequest(fields: { provider: string; call: string; outcome: string; ms: number }): void
}
