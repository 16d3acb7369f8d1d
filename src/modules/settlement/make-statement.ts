import { assert } from '#base/assert.ts'
import { correctionsOf } from './corrections.ts'
import { sumOf, supplyOf, vatOf } from './rules.ts'
import type {
  CardSum,
  CommissionLine,
  CommissionRate,
  CorrectedFigure,
  Period,
  StatementData,
  StatementFacts,
} from './types.ts'

const NO_RATE: CommissionRate = { effectiveFrom: '0001-01-01', bps: 0, base: 'issued' }

function rateOn(rates: readonly CommissionRate[], day: string): CommissionRate {
  return rates.filter(({ effectiveFrom }) => effectiveFrom <= day).at(-1) ?? NO_RATE
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
