// Months as `2026-11`.

// What is looked at before a month is closed, in the order in which it is done.
export const MONTH_ITEMS = [
  'days_closed',
  'balances_even',
  'books_verified',
  'statements_closed',
  'partners_billed',
  'statements_sent',
  'statements_paid',
  'payments_assigned',
  'refunds_decided',
  'requests_decided',
  'withdrawals_paid',
  'metal_covered',
  'corrections',
] as const
export type MonthItemKind = (typeof MONTH_ITEMS)[number]

// blocks: the month cannot be closed. warns: it can, and the closed month says so.
export interface MonthItem {
  kind: MonthItemKind
  state: 'done' | 'warns' | 'blocks'
  count: number
  won: bigint | null
  // Days, partners, statements or metals, the first of them.
  names: string[]
}

// broken: the last run found mistakes. behind: it did not reach the end of the month.
export type MonthVerification = 'good' | 'broken' | 'none' | 'behind'

export interface MonthFacts {
  // Days of the month that are over and not closed.
  openDays: readonly string[]
  // Assets whose accounts do not add up to zero at the end of the month.
  unevenAssets: readonly string[]
  verification: MonthVerification
  // Partners with movements in the month that no statement covers. late: their first statement begins after them.
  unbilled: readonly { partner: string; isLate: boolean }[]
  // Statements that end in the month.
  statements: readonly { number: string; isSent: boolean; open: bigint }[]
  // What partners with open statements paid without naming one.
  unassigned: readonly { partner: string; won: bigint }[]
  waitingRefunds: number
  waitingRequests: number
  withdrawals: { count: number; won: bigint }
  // Metal that the house does not hold for its members; won: null without a price.
  gaps: readonly { metal: string; won: bigint | null }[]
  // Days, in which movements were booked that belong to earlier days, of this month or by days of this month.
  corrections: { count: bigint; days: readonly string[] }
}

export interface ClosedMonth {
  month: string
  throughId: bigint
  data: string
  closedAt: Temporal.Instant
  closedBy: string
  hash: Buffer
}

// What is stored of a closed month. Hashes are hexadecimal.
export interface MonthData {
  version: 1
  month: string
  throughId: string
  days: { day: string; hash: string }[]
  statements: { number: string; hash: string }[]
  warnings: { kind: MonthItemKind; count: number }[]
}
