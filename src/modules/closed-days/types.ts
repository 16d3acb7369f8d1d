// Accounts that are shown as one: of a kind and an asset, and where it is known of whose, of a partner. 0: of no partner.
export interface AccountGroup {
  account: string
  asset: string
  partnerId: number
}

// Gross movements of one kind of transfer in a group. belongsTo: the day of the transfers, earlier than `day` if they came late.
export interface Line extends AccountGroup {
  // Seoul days as `2026-11-16`.
  day: string
  belongsTo: string
  kind: string
  debit: bigint
  credit: bigint
  debitCount: bigint
  creditCount: bigint
}

// Of a group that moved on the day. Balance = credits − debits.
export interface DayBalance extends AccountGroup {
  day: string
  opening: bigint
  debit: bigint
  credit: bigint
  closing: bigint
}

export interface ClosedDay {
  day: string
  throughId: bigint
  readsFrom: bigint
  movements: bigint
  corrections: bigint
  closedAt: Temporal.Instant
  closedBy: string
  hash: Buffer
}

// What transfers that no closed day covers moved, by the day of the transfers. firstId: the first of them.
export interface Movement extends AccountGroup {
  day: string
  kind: string
  debit: bigint
  credit: bigint
  debitCount: bigint
  creditCount: bigint
  firstId: bigint
}

export interface Balance extends AccountGroup {
  balance: bigint
}

// What is written when days are closed.
export interface Closing {
  days: { day: string; readsFrom: bigint; movements: bigint; corrections: bigint }[]
  lines: Line[]
  balances: DayBalance[]
}

// Two sources say different things about accounts: what the transfers make it, and what the accounts say.
export interface BalanceDifference extends AccountGroup {
  byTransfers: bigint
  byAccounts: bigint
}

// Ids of transfers; the first is left out. null: to the end.
export interface IdRange {
  after: bigint
  through: bigint | null
}
