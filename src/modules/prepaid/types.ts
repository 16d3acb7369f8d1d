export const SAFEGUARD_METHODS = ['trust', 'deposit', 'guarantee'] as const
export type SafeguardMethod = (typeof SAFEGUARD_METHODS)[number]

// What an institution holds at the end of a day, behind cards and points.
export interface SafeguardedFund {
  id: string
  institution: string
  method: SafeguardMethod
  // A Seoul day, as `2026-11-16`.
  asOf: string
  won: bigint
  reference: string
  at: Temporal.Instant
}

export type FundTerms = Pick<SafeguardedFund, 'institution' | 'method' | 'asOf' | 'won'>

export type FundRefusal = 'fund_out_of_bounds' | 'fund_reference_used' | 'fund_day_not_over'

// Days of a report, both included.
export interface Days {
  from: string
  to: string
}

export type DaysRefusal = 'period_backwards' | 'period_not_over' | 'period_over_five_years'

// A figure against a threshold of the law. `statutory`: over the window by which the law measures it; the others show early
// where it is going.
export interface Meter {
  name: 'balance_average' | 'balance_now' | 'issued_last_year' | 'issued_this_year'
  statutory: boolean
  days: Days
  // Null: there is nothing to measure yet.
  won: bigint | null
  limit: bigint
}
