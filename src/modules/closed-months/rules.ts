import { MONTH_ITEMS, type MonthFacts, type MonthItem, type MonthItemKind } from './types.ts'

const SHOWN = 20 // names; the count says how many there are

type Found = Omit<MonthItem, 'kind'>

const found = (state: 'warns' | 'blocks', names: readonly string[], more: Partial<Found> = {}): Found => {
  const count = more.count ?? names.length
  return {
    won: null,
    ...more,
    state: count > 0 ? state : 'done',
    count,
    names: names.slice(0, SHOWN),
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)

// A thing blocks if the closed month would be wrong or incomplete without it. What is booked in a later month, whenever it is done,
// only warns: it cannot change this one.
export function judgeMonth(facts: MonthFacts): MonthItem[] {
  const unsent = facts.statements.filter(({ isSent }) => !isSent)
  const unpaid = facts.statements.filter(({ open }) => open > 0n)
  const numbers = (statements: readonly { number: string }[]) => statements.map(({ number }) => number)
  const partners = (isLate: boolean) =>
    facts.unbilled.filter((one) => one.isLate === isLate).map(({ partner }) => partner)
  const priced = facts.gaps.map(({ won }) => won)
  const judged: Record<MonthItemKind, Found> = {
    days_closed: found('blocks', facts.openDays),
    balances_even: found('blocks', facts.unevenAssets),
    books_verified: found('blocks', facts.verification === 'good' ? [] : [facts.verification]),
    statements_closed: found('blocks', partners(false)),
    partners_billed: found('warns', partners(true)),
    statements_sent: found('warns', numbers(unsent)),
    statements_paid: found('warns', numbers(unpaid), { won: sum(unpaid.map(({ open }) => open)) }),
    payments_assigned: found(
      'warns',
      facts.unassigned.map(({ partner }) => partner),
      { won: sum(facts.unassigned.map(({ won }) => won)) },
    ),
    refunds_decided: found('warns', [], { count: facts.waitingRefunds }),
    requests_decided: found('warns', [], { count: facts.waitingRequests }),
    withdrawals_paid: found('warns', [], facts.withdrawals),
    metal_covered: found(
      'warns',
      facts.gaps.map(({ metal }) => metal),
      { won: priced.every((won) => won !== null) ? sum(priced) : null },
    ),
    corrections: found('warns', facts.corrections.days, { count: Number(facts.corrections.count) }),
  }
  return MONTH_ITEMS.map((kind) => ({ kind, ...judged[kind] }))
}

export type MonthPlace = 'closed' | 'not_over' | 'before_first' | 'out_of_order' | 'next'

// Months are closed in order, from the one in which the books begin. first: null if there are no transfers yet.
export function placeMonth(
  month: string,
  { today, first, last }: { today: string; first: string | null; last: string | null },
): { place: MonthPlace; next: string } {
  const next = last === null ? (first ?? today).slice(0, 7) : monthAfter(last)
  const place = (): MonthPlace => {
    if (last !== null && month <= last && month >= (first ?? last).slice(0, 7)) return 'closed'
    if (first === null ? month < next : month < first.slice(0, 7)) return 'before_first'
    if (month >= today.slice(0, 7)) return 'not_over'
    return month === next ? 'next' : 'out_of_order'
  }
  return { place: place(), next }
}

function monthAfter(month: string): string {
  return Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()
}
