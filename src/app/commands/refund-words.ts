import type { PolicyChangeRefusal } from '#flows/refunds/change-policy.ts'
import type { ExecuteRefundRefusal, QuoteRefusal, RequestRefusal } from '#flows/refunds/refund-card.ts'

export function refundWords(refusal: QuoteRefusal | RequestRefusal | ExecuteRefundRefusal): string {
  switch (refusal.reason) {
    case 'member_not_found':
      return `there is no member ${refusal.member}`
    case 'member_has_no_account':
      return 'the member has no open account: a refund goes to a person who can use it'
    case 'member_frozen':
      return 'the member is frozen: nothing of theirs moves until `member thaw`'
    case 'under_14':
      return 'the member is under 14: a guardian has to agree first'
    case 'absent':
      return 'there is no such card'
    case 'used':
      return 'the card is used already'
    case 'voided':
      return 'the card is voided already'
    case 'still_valid':
      return 'the card has not expired: it can still be registered, and `ingot card extend` moves its last day once'
    case 'refunded':
      return 'the card is refunded already'
    case 'refund_too_late':
      return 'the time in which the card could be refunded is over'
    case 'quote_not_found':
      return 'there is no such quote: `ingot refund quote` makes one'
    case 'quote_expired':
      return 'the quote has expired: `ingot refund quote` makes a new one'
    case 'refund_quote_gone':
      return 'the quote is erased: refuse the request and ask again'
    case 'refund_holder_closed':
      return 'the member has closed the account or is frozen: refuse the request'
  }
}

export function policyWords({ reason, today, next }: PolicyChangeRefusal): string {
  switch (reason) {
    case 'policy_invalid':
      return (
        'a policy has a version of 2 to 40 small letters, digits, dots and hyphens; percentages of 1 to 100; up to 365 days to ' +
        'cancel, 50 years to refund and 60 months of extension; at least three reminders, 1 to 365 days before; and ends after it begins'
      )
    case 'policy_exists':
      return 'there is a policy of this version or of this first day already'
    case 'policy_begins_too_soon':
      return `a policy begins after today (${today}): cards that are sold keep the policy they were sold with`
    case 'policy_overlap':
      return `another version begins on ${next}: give --until, the day before it`
    case 'policy_gap':
      return next === null
        ? 'after --until there would be days without a policy: leave it out, or add the later version first'
        : `between --until and ${next} there would be days without a policy: --until is the day before ${next}`
  }
}
