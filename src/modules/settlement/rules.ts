import { assert } from '#base/assert.ts'
import { correctionsOf, sumOf, supplyOf, vatOf } from './corrections.ts'
import type {
  CardSum,
  CommissionLine,
  CommissionRate,
  CorrectedFigure,
  Period,
  Statement,
  StatementData,
  StatementFacts,
  StatementStatus,
} from './types.ts'

export { monthPeriod } from './corrections.ts'

const NO_RATE: CommissionRate = { effectiveFrom: '0001-01-01', bps: 0, base: 'issued' }

function rateOn(rates: readonly CommissionRate[], day: string): CommissionRate {
  return rates.filter(({ effectiveFrom }) => effectiveFrom <= day).at(-1) ?? NO_RATE
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

// A partner's statements follow one another without a gap, so that nothing is left out or billed twice.
export function refusePeriod(
  { from, to }: Period,
  today: string,
  last: Period | undefined,
): PeriodRefusal | undefined {
  if (from >= to) return 'period_empty'
  if (Temporal.PlainDate.from(from).add({ years: 1 }).toString() < to) return 'period_too_long'
  if (to > today) return 'period_not_over'
  if (last && from < last.to) return 'period_overlap'
  return last && from > last.to ? 'period_gap' : undefined
}

function commissionLines(
  { from, to }: Period,
  rates: readonly CommissionRate[],
  { issued, used, voided }: Record<CorrectedFigure, readonly CardSum[]>,
): CommissionLine[] {
  const starts = [from, ...rates.map((rate) => rate.effectiveFrom).filter((day) => day > from && day < to)]
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? to
    const { bps, base } = rateOn(rates, start)
    const within = (sums: readonly CardSum[]) =>
      sumOf(sums.filter(({ day }) => day >= start && day < end)).amount
    const of = base === 'used' ? within(used) : within(issued) - within(voided)
    return { from: start, to: end, bps, base, of, supply: supplyOf(of, bps) }
  })
}

// What there is to pay, after what was left over before; or what is left over.
function settle(charged: bigint, before: bigint): { due: bigint; left: bigint } {
  const open = charged - before
  return open > 0n ? { due: open, left: 0n } : { due: 0n, left: -open }
}

// A statement, from the closed days of its period. The same facts make the same bytes.
export function makeStatement(facts: StatementFacts): StatementData {
  const { period, paid, previous } = facts
  const isOwn = ({ day }: CardSum) => day >= period.from
  const own = {
    issued: facts.issued.filter(isOwn),
    used: facts.used.filter(isOwn),
    voided: facts.voided.filter(isOwn),
  }
  const late = (sums: readonly CardSum[]) => sums.filter((sum) => !isOwn(sum))
  const corrections = correctionsOf(
    { issued: late(facts.issued), used: late(facts.used), voided: late(facts.voided) },
    facts.earlier,
  )
  const charged = sumOf(facts.issued).amount - sumOf(facts.voided).amount
  const owed = { opening: -facts.opening, closing: -facts.closing }
  assert(owed.opening + charged - paid.cards === owed.closing, 'the receivable moves by cards and payments')
  // The first statement begins with what the partner owed or had prepaid until then.
  const deposit = (previous ? previous.cards.depositLeft : facts.opening) + paid.cards - paid.named
  const cards = settle(charged, deposit)
  const lines = commissionLines(period, facts.rates, own)
  const ownSupply = lines.reduce((total, one) => total + one.supply, 0n)
  const supply = corrections.reduce((total, one) => total + one.supply, ownSupply)
  const vat = corrections.reduce((total, one) => total + (one.vat ?? 0n), vatOf(ownSupply))
  const credit = previous?.commission.creditLeft ?? 0n
  const commission = settle(supply + vat, credit)
  const commissionOpening = previous?.commission.closing ?? 0n
  const net = sumOf(own.issued).amount - sumOf(own.voided).amount
  return {
    version: 1,
    number: facts.number,
    ...period,
    partner: facts.partner,
    books: facts.books,
    cards: {
      issued: sumOf(own.issued),
      voided: sumOf(own.voided),
      used: sumOf(own.used),
      corrections,
      charged,
      opening: owed.opening,
      paid: paid.cards,
      closing: owed.closing,
      deposit,
      depositLeft: cards.left,
      due: cards.due,
    },
    commission: {
      lines,
      supply,
      vat,
      opening: commissionOpening,
      paid: paid.commission,
      closing: commissionOpening + supply + vat - paid.commission,
      credit,
      creditLeft: commission.left,
      due: commission.due,
    },
    due: cards.due + commission.due,
    payments: [...facts.payments],
    usage: {
      ...facts.usage,
      issuedLater: facts.usage.issued - net,
      usedLater: facts.usage.used - sumOf(own.used).amount,
    },
    settings: { creditLimit: facts.creditLimit },
    days: daysOf(facts),
  }
}

function daysOf({ period, issued, used, voidedOn }: StatementFacts): StatementData['days'] {
  const on = (sums: readonly CardSum[], day: string) => sumOf(sums.filter((sum) => sum.day === day)).amount
  const days = new Set([...issued, ...used, ...voidedOn].map(({ day }) => day))
  return [...days]
    .filter((day) => day >= period.from)
    .sort()
    .map((day) => ({ day, issued: on(issued, day), used: on(used, day), voided: on(voidedOn, day) }))
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
