import { adjustmentWords } from '#app/commands/adjustment-words.ts'
import { bullionWords } from '#app/commands/bullion-words.ts'
import { partnerWords, paymentWords } from '#app/commands/partner-words.ts'
import { priceWords } from '#app/commands/price-words.ts'
import { policyWords, refundWords } from '#app/commands/refund-words.ts'
import { fundWords } from '#app/commands/report-words.ts'
import { staffWords } from '#app/commands/staff-words.ts'
import { billingWords } from '#app/commands/statement-words.ts'
import type { DecisionRefusal } from '#flows/approvals/decide-change.ts'

export const UNBOUND =
  'no staff member is bound to this account of the machine: an admin runs `ingot operator bind`, or approve it in the console'
export const NOT_PERMITTED = 'the staff member of this account may not: `ingot operator list` shows the roles'

// Who may not decide; or, of the change itself, what its own command would say.
export function decisionWords(refusal: DecisionRefusal): string {
  switch (refusal.reason) {
    case 'not_found':
      return 'there is no such request'
    case 'executed':
      return 'it is approved already'
    case 'refused':
      return 'it was refused'
    case 'expired':
      return 'nobody approved it in time: ask again'
    case 'unknown_person':
      return 'the machine does not say who you are: use an account with a name'
    case 'same_person':
      return 'another person has to approve what you asked for'
    case 'same_login':
      return 'the machine says that it was you who asked, by log-in, sudo, account or terminal: another person has to approve it, logged in as themselves'
    case 'unbound_account':
      return UNBOUND
    case 'not_permitted':
      return NOT_PERMITTED
    case 'adjusted_below_zero':
    case 'holder_closed':
    case 'holder_frozen':
    case 'holder_not_found':
      return adjustmentWords(refusal)
    case 'refunded':
    case 'refund_quote_gone':
    case 'refund_holder_closed':
      return refundWords(refusal)
    case 'policy_invalid':
    case 'policy_exists':
    case 'policy_begins_too_soon':
    case 'policy_overlap':
    case 'policy_gap':
      return policyWords(refusal)
    case 'role_changed':
      return 'this person has another role by now: refuse the request, and ask again'
    case 'staff_not_found':
      return staffWords(refusal)
    case 'bullion_out_of_bounds':
    case 'bullion_reference_used':
    case 'more_than_held':
      return bullionWords(refusal)
    case 'rate_out_of_bounds':
    case 'rate_too_early':
    case 'rate_exists':
    case 'rate_changed':
      return billingWords(refusal)
    case 'fund_out_of_bounds':
    case 'fund_reference_used':
    case 'fund_day_not_over':
      return fundWords(refusal)
    case 'card_changed':
      return `the card is ${refusal.status} by now: refuse the request`
    case 'credit_limit_changed':
    case 'limit_below_owed':
      return partnerWords(refusal)
    case 'terms_changed':
    case 'price_beyond_hand':
    case 'price_jump':
    case 'price_moved':
    case 'price_of_this_moment':
      return priceWords(refusal)
    default:
      return paymentWords(refusal)
  }
}
