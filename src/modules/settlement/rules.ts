import type { CardSum, Period, Statement, StatementData, StatementStatus } from './types.ts'

const VAT_PERCENT = 10n

// Rounded towards zero: an amount and the same amount given back cancel out.
function shareOf(won: bigint, parts: bigint, whole: bigint): bigint {
  return won < 0n ? -((-won * parts) / whole) : (won * parts) / whole
}

export const supplyOf = (won: bigint, bps: number) => shareOf(won, BigInt(bps), 10_000n)
export const vatOf = (supply: bigint) => shareOf(supply, VAT_PERCENT, 100n)

export const sumOf = (sums: readonly CardSum[]) => ({
  amount: sums.reduce((total, { amount }) => total + amount, 0n),
  count: sums.reduce((total, { count }) => total + count, 0n),
})

export function monthPeriod(month: string): Period {
  const from = Temporal.PlainDate.from(`${month}-01`)
  return { from: from.toString(), to: from.add({ months: 1 }).toString() }
}

export function lastDayOf({ to }: Period): string {
  return Temporal.PlainDate.from(to).subtract({ days: 1 }).toString()
}

// `acme-2026-11` for a month, and both days for anything else.
export function statementNumber(code: string, period: Period): string {
  const from = Temporal.PlainDate.from(period.from)
  const isMonth = from.day === 1 && from.add({ months: 1 }).toString() === period.to
  return isMonth ? `${code}-${period.from.slice(0, 7)}` : `${code}-${period.from}-${lastDayOf(period)}`
}

// The first that applies.
export type PeriodRefusal =
  | 'period_empty'
  | 'period_too_long'
  | 'period_not_over'
  | 'period_overlap'
  | 'period_gap'
  | 'period_leaves_days'

// A partner's statements follow one another without a gap, so that nothing is left out or billed twice. moved: the partner's first
// day with movements, if the first statement must not leave it out.
export function refusePeriod(
  { from, to }: Period,
  today: string,
  { last, moved }: { last: Period | undefined; moved: string | null },
): PeriodRefusal | undefined {
  if (from >= to) return 'period_empty'
  if (Temporal.PlainDate.from(from).add({ years: 1 }).toString() < to) return 'period_too_long'
  if (to > today) return 'period_not_over'
  if (last && from < last.to) return 'period_overlap'
  if (last) return from > last.to ? 'period_gap' : undefined
  return moved !== null && moved < from ? 'period_leaves_days' : undefined
}

export function toText(data: StatementData): string {
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

const IS_WON =
  /^(?:amount|count|supply|of|charged|opening|paid|closing|deposit|depositLeft|due|vat|credit|creditLeft|throughId|issued|used|voided|issuedLater|usedLater|creditLimit)$/

// The other way: what was a number is one again.
export function fromText(text: string): StatementData {
  return JSON.parse(text, (key, value) =>
    typeof value === 'string' && IS_WON.test(key) ? BigInt(value) : value,
  ) as StatementData
}

type Settled = Pick<Statement, 'due' | 'dueCommission' | 'paid' | 'sentAt'>

export const openOf = ({ due, dueCommission, paid }: Pick<Settled, 'due' | 'dueCommission' | 'paid'>) =>
  due + dueCommission - paid

export function statusOf(statement: Settled): StatementStatus {
  const { due, dueCommission, sentAt } = statement
  if (openOf(statement) === 0n && (sentAt || due + dueCommission > 0n)) return 'paid'
  return sentAt ? 'sent' : 'closed'
}

export interface PaymentPart {
  statementId: string
  amount: bigint
  commission: bigint
}

// A payment over the statements that it names, in their order: of each first the cards, then the commission. rest: what is left.
export function divide(
  won: bigint,
  statements: readonly Pick<Statement, 'id' | 'due' | 'dueCommission' | 'paid' | 'paidCommission'>[],
): { parts: PaymentPart[]; commission: bigint; rest: bigint } {
  let rest = won
  const parts: PaymentPart[] = []
  for (const { id, due, dueCommission, paid, paidCommission } of statements) {
    const cards = least(rest, due - (paid - paidCommission))
    const commission = least(rest - cards, dueCommission - paidCommission)
    if (cards + commission === 0n) continue
    parts.push({ statementId: id, amount: cards + commission, commission })
    rest -= cards + commission
  }
  return { parts, commission: parts.reduce((sum, part) => sum + part.commission, 0n), rest }
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)
