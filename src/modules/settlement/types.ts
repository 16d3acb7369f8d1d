// Seoul days as `2026-11-01`; `to` is the first day after the period.
export interface Period {
  from: string
  to: string
}

export const COMMISSION_BASES = ['issued', 'used'] as const
type CommissionBase = (typeof COMMISSION_BASES)[number]

// bps: hundredths of a percent.
export interface CommissionRate {
  effectiveFrom: string
  bps: number
  base: CommissionBase
}

// A partner as a company.
export interface LegalDetails {
  legalName: string
  businessNumber: string | null
  representative: string | null
  address: string | null
}

// Cards of a kind of movement, by the day that it belongs to: of its own, or for voids the day the card was issued on.
export interface CardSum {
  day: string
  amount: bigint
  count: bigint
}

export type CorrectedFigure = 'issued' | 'used' | 'voided'

// What came after its own period was over. Names the statement that it corrects, or the period if that has none.
export interface Correction extends Period {
  figure: CorrectedFigure
  statement: string | null
  amount: bigint
  count: bigint
  // The commission that it changes, and the VAT of it. Statements of the first release kept no VAT of a correction.
  supply: bigint
  vat?: bigint
  // The first day of the statement's commission line that it changes; null without a statement.
  line?: string | null
}

export interface CommissionLine extends Period, Omit<CommissionRate, 'effectiveFrom'> {
  // What the rate is applied to.
  of: bigint
  supply: bigint
}

interface ShownPayment {
  reference: string
  // Negative: a reversal.
  amount: bigint
  at: string
  // The statements that it pays, with what it pays of each.
  pays: { statement: string; amount: bigint }[]
}

interface Figure {
  amount: bigint
  count: bigint
}

// Everything that a statement shows. Won are text in JSON.
export interface StatementData extends Period {
  version: 1
  number: string
  partner: { code: string; name: string } & LegalDetails
  // The ledger it was made at: the last day of the period.
  books: { day: string; throughId: bigint; hash: string }
  // Face value: no supply for VAT.
  cards: {
    issued: Figure
    voided: Figure
    used: Figure
    corrections: Correction[]
    // What is charged: issued − voided, with the corrections of both.
    charged: bigint
    // What the partner owed. Negative: prepaid.
    opening: bigint
    paid: bigint
    closing: bigint
    // Deposit that the period drew on or that was missing, and what is left of it.
    deposit: bigint
    depositLeft: bigint
    due: bigint
  }
  // A supply for VAT: the tax invoice is about this block.
  commission: {
    lines: CommissionLine[]
    supply: bigint
    vat: bigint
    opening: bigint
    paid: bigint
    closing: bigint
    // What earlier corrections left over.
    credit: bigint
    creditLeft: bigint
    due: bigint
  }
  due: bigint
  payments: ShownPayment[]
  // What the usage API said at the moment of closing, and what of it the next statements correct.
  usage: { issued: bigint; used: bigint; issuedLater: bigint; usedLater: bigint }
  settings: { creditLimit: bigint }
  days: { day: string; issued: bigint; used: bigint; voided: bigint }[]
}

// What a partner paid in a period, as far as the ledger has it, and what of it names statements.
export interface PaidInPeriod {
  // To the receivable, less reversals.
  cards: bigint
  // Of this, what pays the cards of statements.
  named: bigint
  commission: bigint
}

// A closed statement, as far as later ones can correct it.
export interface EarlierStatement extends Period, Pick<StatementData, 'number'> {
  cards: Pick<StatementData['cards'], 'corrections'>
  commission: Pick<StatementData['commission'], 'lines'>
}

export interface StatementFacts {
  number: string
  period: Period
  partner: StatementData['partner']
  books: StatementData['books']
  issued: readonly CardSum[]
  used: readonly CardSum[]
  // By the day the card was issued on.
  voided: readonly CardSum[]
  // By the day of the void.
  voidedOn: readonly CardSum[]
  // Of the receivable: credits − debits.
  opening: bigint
  closing: bigint
  paid: PaidInPeriod
  rates: readonly CommissionRate[]
  // From the first that may be corrected on.
  earlier: readonly EarlierStatement[]
  previous: Pick<StatementData, 'cards' | 'commission'> | undefined
  payments: readonly ShownPayment[]
  usage: { issued: bigint; used: bigint }
  creditLimit: bigint
}

export type StatementStatus = 'closed' | 'sent' | 'paid'

export interface Statement {
  id: string
  partnerId: number
  partner: string
  number: string
  period: Period
  due: bigint
  dueCommission: bigint
  closedAt: Temporal.Instant
  closedBy: string
  sentAt: Temporal.Instant | null
  sentBy: string | null
  sentWay: string | null
  // By payments that name it.
  paid: bigint
  paidCommission: bigint
  hash: Buffer
}
