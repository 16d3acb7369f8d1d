import { formatWon } from '#base/money.ts'
import type {
  ExecutePaymentRefusal,
  ExecuteReversalRefusal,
  RequestRefusal,
} from '#flows/partners/book-payment.ts'
import type { ChangeRefusal, CreditRefusal } from '#flows/partners/change-partner.ts'
import type { AgreementRefusal } from '#flows/partners/check-partner-terms.ts'
import type { RegisterRefusal } from '#flows/partners/register-partner.ts'
import { KEY_FORMATS, MESSAGE_LANGUAGES, PARTNER_STATUSES } from '#modules/partners/types.ts'

export function noPartner({ partner }: { partner: string }): string {
  return `there is no partner ${partner}`
}

export const NETWORKS = 'networks are addresses or CIDR blocks'

const AGREEMENT: Record<AgreementRefusal, string> = {
  name_length: 'the name has 1 to 200 characters',
  name_unreadable:
    'the name is one line that can be read, without a web address (words that only a full stop joins count as one)',
  status_unknown: `the status is one of ${PARTNER_STATUSES.join(', ')}`,
  key_format_unknown: `the key format is one of ${KEY_FORMATS.join(', ')}`,
  key_pattern_missing: 'a custom key format needs a key pattern',
  key_pattern_unused: 'a key pattern goes with the custom key format',
  key_pattern_invalid:
    'the key pattern is a regular expression (RE2 syntax) of at most 200 characters, without counts in the hundreds',
  amount_min_too_small: 'the smallest amount is at least 1 won',
  amount_max_below_min: 'the largest amount is not below the smallest',
  amount_max_too_large: 'the largest amount is too large',
  validity_too_short: 'cards are valid for at least 12 months',
  validity_too_long: 'cards are valid for at most 120 months',
  credit_limit_out_of_bounds: 'the credit limit is between 0 and 10^15 won',
  rate_limit_out_of_bounds: 'the rate limit is between 0 (none) and 1,000,000',
  network_invalid: NETWORKS,
  too_many_networks: 'at most 100 networks',
  frame_ancestor_invalid:
    'frame ancestors are origins such as https://shop.example or https://*.shop.example; plain http only for this machine',
  too_many_frame_ancestors: 'at most 20 frame ancestors',
  message_language_unknown: `the message language is one of ${MESSAGE_LANGUAGES.join(', ')}`,
  sender_name_invalid:
    'the sender name is one line of at most 40 bytes (20 Korean letters) that text messages can carry, without a web address (words that only a full stop joins count as one)',
}

export function partnerWords(refusal: RegisterRefusal | ChangeRefusal | CreditRefusal): string {
  switch (refusal.reason) {
    case 'code_invalid':
      return 'a partner code has 1 to 64 letters, digits, dots, hyphens or underscores'
    case 'partner_exists':
      return `there is a partner ${refusal.partner} already`
    case 'partner_not_found':
      return noPartner(refusal)
    case 'limit_below_owed':
      return (
        `${refusal.partner} owes ${formatWon(refusal.owed)} already: the limit cannot be below that. ` +
        'To stop its purchases now, set its status to suspended'
      )
    case 'credit_limit_changed':
      return 'the credit limit has changed since it was asked for: ask again'
    default:
      return AGREEMENT[refusal.reason]
  }
}

export function paymentWords(
  refusal: RequestRefusal | ExecutePaymentRefusal | ExecuteReversalRefusal,
): string {
  switch (refusal.reason) {
    case 'partner_not_found':
      return noPartner(refusal)
    case 'reference_invalid':
      return 'a reference is one line of 1 to 100 characters'
    case 'statement_not_found':
      return `the partner has no closed statement ${refusal.number}: see ingot statement list`
    case 'statement_paid':
      return `${refusal.number} is paid`
    case 'statement_twice':
      return `${refusal.number} is named twice`
    case 'payment_not_found':
      return `${refusal.partner} has no payment with the reference ${refusal.reference}`
    case 'amount_out_of_bounds':
      return 'a payment is between 1 and 10^15 won'
    case 'reference_reversed':
      return `${refusal.reference} was booked and reversed: give the right one another reference`
    case 'reference_booked':
      return `${refusal.reference} is booked with another amount: see ingot partner payments ${refusal.partner}`
    case 'reference_waits':
      return `${refusal.reference} waits with another amount: see ingot partner pending, and refuse that one first`
    case 'more_than_owed': {
      const owed = formatWon(refusal.owed > 0n ? refusal.owed : 0n)
      return `${refusal.partner} owes ${owed}: to book more than that as prepaid, say --prepay`
    }
    case 'too_much_prepaid':
      return 'nobody prepays more than 10^15 won'
    case 'already_booked':
      return `${refusal.reference} is booked already`
    case 'payment_changed':
      return 'the payment is not what it was when its reversal was asked for'
    case 'payment_spent': {
      const { partner, owedWithout, creditLimit } = refusal
      return (
        `${partner} has bought cards on this payment: without it ${partner} owes ${formatWon(owedWithout)}, ` +
        `above its limit of ${formatWon(creditLimit)}. Suspend it, raise the limit to that, reverse, and lower the limit later`
      )
    }
  }
}
