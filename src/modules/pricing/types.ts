export const METALS = ['XAU', 'XAG'] as const
export type Metal = (typeof METALS)[number]

type Side = 'buy' | 'sell'

// What the operator adds to the reference price. Basis points are hundredths of a percent.
export interface PriceTerms {
  spreadBps: number
  feeBps: number
}

export interface TradingTerms extends PriceTerms {
  maxAgeSeconds: number
  stopped: boolean
}

// stale: the newest price is older than the operator allows. stopped: by the operator.
export type TradingState = 'open' | 'stale' | 'stopped'

// The wished trade: an amount of won, or units of 0.0001 g.
export type Wish = { side: Side } & ({ won: bigint } | { units: bigint })

// A wish at a price. In won, except for the units.
export interface Figures {
  units: bigint
  // Per gram, the spread included.
  price: bigint
  metalWon: bigint
  fee: bigint
  total: bigint
  // The part of the wished won that is not spent, or is received beyond it.
  rounding: bigint
}

export interface Gain {
  won: bigint
  // Null where nothing was paid: there is no share of nothing.
  percent: string | null
}

export interface MetalPrice {
  reference: bigint
  at: Temporal.Instant
  // A day before; null when the first price is younger.
  dayBefore: bigint | null
  ageSeconds: number
  terms: TradingTerms
}

export const PERIODS = ['1d', '1w', '1m', '1y'] as const
export type Period = (typeof PERIODS)[number]
