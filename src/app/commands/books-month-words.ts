import { formatWon } from '#base/money.ts'
import type { MonthRefusal } from '#flows/books/month/close-month.ts'
import type { MonthItem, MonthItemKind } from '#modules/closed-months/types.ts'

export function monthWords(refusal: MonthRefusal): string {
  switch (refusal.reason) {
    case 'month_not_over':
      return `${refusal.month} is not over: it is ${refusal.today} in Seoul`
    case 'month_before_first':
      return refusal.first === null
        ? 'there are no transfers yet: nothing to close'
        : `the books begin in ${refusal.first}: there is no ${refusal.month} to close`
    case 'month_out_of_order':
      return `months are closed in order: ${refusal.next} comes before ${refusal.month}`
    case 'month_blocked': {
      const lines = refusal.blocking.map((item) => `- ${itemWords(item)}`)
      return [`${refusal.month} cannot be closed yet:`, ...lines].join('\n')
    }
  }
}

const WORDS: Record<MonthItemKind, [done: string, open: string]> = {
  days_closed: ['all days are closed', 'days are not closed: `ingot books close` says why'],
  balances_even: ['the accounts of each asset add up to zero', 'assets do not add up: run `ingot verify`'],
  books_verified: [
    'the books are verified to the end of the month',
    'the books are not verified to the end of the month: run `ingot verify`',
  ],
  statements_closed: [
    'each partner has its statement',
    'partners have no statement yet: `ingot statement close CODE --month MONTH`',
  ],
  partners_billed: ['no partner was left out', 'partners have their first statement later'],
  statements_sent: ['all statements are sent', 'statements are not sent: `ingot statement send`'],
  statements_paid: ['all statements are paid', 'statements are not paid'],
  payments_assigned: [
    'payments name their statements',
    'partners have open statements and paid without naming one',
  ],
  refunds_decided: ['no refund waits', 'refunds wait for a second person: `ingot approvals list`'],
  requests_decided: ['no request waits', 'requests wait for a second person: `ingot approvals list`'],
  withdrawals_paid: ['no withdrawal waits', 'withdrawals wait: `ingot withdrawal list`'],
  metal_covered: [
    'the house holds the metal of its members',
    'metals that the house does not hold in full: `ingot books hedge`',
  ],
  corrections: ['no corrections', 'movements came late and were booked in another month'],
}

export function itemWords({ kind, state, count, won, names }: MonthItem): string {
  const [done, open] = WORDS[kind]
  if (state === 'done') return done
  const said = kind === 'books_verified' ? open : `${count} ${open}`
  const money = won === null ? '' : `, ${formatWon(won)}`
  return `${said}${money}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}
