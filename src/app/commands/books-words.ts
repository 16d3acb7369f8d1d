import { formatWon } from '#base/money.ts'
import type { CloseRefusal } from '#flows/books/close/close-days.ts'
import type { RowsRefusal } from '#flows/books/list-rows.ts'
import type { StatementRefusal } from '#flows/books/read-statement.ts'
import type { TrialRefusal } from '#flows/books/read-trial-balance.ts'
import { gramsText } from '#modules/pricing/rules.ts'

export function closeWords(refusal: CloseRefusal): string {
  switch (refusal.reason) {
    case 'day_not_over':
      return `${refusal.day} is not over: it is ${refusal.today} in Seoul`
    case 'day_before_first':
      return refusal.first === null
        ? 'there are no transfers yet: nothing to close'
        : `the books begin on ${refusal.first}: there is no ${refusal.day} to close`
    case 'transaction_open':
      return 'a transaction that wrote transfers does not end: find it in pg_stat_activity and try again. Nothing was closed'
    case 'closing_runs':
      return 'another process is closing days: try again in a minute'
  }
}

export function rowsWords(refusal: RowsRefusal): string {
  switch (refusal.reason) {
    case 'not_closed':
      return `${refusal.day} is not closed: \`ingot books days\` lists the days that are`
    case 'partner_not_found':
      return `there is no partner ${refusal.partner}`
  }
}

export function trialWords({ now }: TrialRefusal): string {
  return `that moment is still to come: it is ${now}`
}

export function statementWords(refusal: StatementRefusal): string {
  switch (refusal.reason) {
    case 'period_empty':
      return 'a period begins before it ends: --to is the first day after it'
    case 'account_not_found':
      return `there is no account ${refusal.account}: there are ${refusal.accounts.join(', ')}`
    default:
      return rowsWords(refusal)
  }
}

// Won as people write it, metal in grams.
export function amountText(asset: string, amount: bigint): string {
  if (asset === 'KRW' || asset === 'KRW_POINT') return formatWon(amount)
  const grams = gramsText(amount < 0n ? -amount : amount)
  return `${amount < 0n ? '-' : ''}${grams} g`
}
