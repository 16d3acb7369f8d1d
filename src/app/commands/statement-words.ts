import { noPartner } from '#app/commands/partner-words.ts'
import { formatWon } from '#base/money.ts'
import type { ExecuteRateRefusal } from '#flows/settlement/change-rate.ts'
import type { DraftRefusal } from '#flows/settlement/draft-statement.ts'
import type { BillingRefusal } from '#flows/settlement/set-billing.ts'
import { lastDayOf } from '#modules/settlement/rules.ts'

export function draftWords(refusal: DraftRefusal): string {
  switch (refusal.reason) {
    case 'partner_not_found':
      return noPartner(refusal)
    case 'period_empty':
      return 'the period has no day: --to is the first day after it'
    case 'period_too_long':
      return 'a period has at most a year'
    case 'period_not_over':
      return `the period ends on ${lastDayOf(refusal.period)} and today is ${refusal.today}: it is not over`
    case 'period_overlap':
      return `days before ${refusal.last} are in a statement already: the next one begins on that day`
    case 'period_gap':
      return `the next statement begins on ${refusal.last}, so that no day is left out`
    case 'period_leaves_days':
      return (
        `${refusal.moved} has movements and no statement, and would never get one: begin with --month ${refusal.moved?.slice(0, 7)}. ` +
        'If the days before were billed elsewhere, --leave-earlier leaves them out'
      )
    case 'period_not_closed':
      if ((refusal.closedUntil ?? '') > refusal.day)
        return `${refusal.day} is before the first closed day: the books begin after it`
      return `${refusal.day} is not closed (closed until ${refusal.closedUntil ?? 'never'}): run ingot books close`
    case 'books_differ':
      return (
        `${refusal.figure}: the closed days say ${formatWon(refusal.books)} and the cards ${formatWon(refusal.cards)}. ` +
        'Run ingot verify'
      )
  }
}

const FIELDS = {
  legalName: 'legal name',
  businessNumber: 'business number',
  representative: 'representative',
  address: 'address',
} as const

export function billingWords(refusal: BillingRefusal | ExecuteRateRefusal): string {
  switch (refusal.reason) {
    case 'partner_not_found':
      return noPartner(refusal)
    case 'legal_name_missing':
      return 'company details begin with --legal-name'
    case 'legal_text_invalid':
      return `the ${FIELDS[refusal.field]} is one line of text, and not that long`
    case 'business_number_invalid':
      return 'a business number is written 123-45-67890'
    case 'rate_out_of_bounds':
      return 'a commission is between 0 and 10000 hundredths of a percent'
    case 'rate_too_early':
      return `statements are closed until then: a rate may hold from ${refusal.earliest} on`
    case 'rate_exists':
      return `there is a rate from ${refusal.from} already: give the next one another day`
    case 'rate_changed':
      return 'another rate was set since it was asked for: refuse the request, and ask again'
  }
}
