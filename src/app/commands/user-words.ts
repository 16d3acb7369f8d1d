import { noPartner } from '#app/commands/partner-words.ts'
import type { RedeemForUserRefusal } from '#flows/gift-cards/redeem-for-user.ts'
import type { GrantRefusal } from '#flows/holdings/grant-assets.ts'
import type { NoUser } from '#flows/partner-users/named-user.ts'
import type { UserStatusRefusal } from '#flows/partner-users/suspend-user.ts'

export function noUser(refusal: NoUser): string {
  return refusal.reason === 'partner_not_found'
    ? noPartner(refusal)
    : `${refusal.partner} has no user with that key`
}

export function userStatusWords(refusal: UserStatusRefusal): string {
  switch (refusal.reason) {
    case 'link_refused':
      return 'the member has refused this link, and only the member can take that back'
    case 'member_frozen':
      return 'the member is frozen: `member thaw` opens the link with the rest'
    case 'already_in_status':
      return `the user is ${refusal.status} already`
    default:
      return noUser(refusal)
  }
}

export function grantWords(refusal: GrantRefusal): string {
  switch (refusal.reason) {
    case 'sandbox_only':
      return 'assets can be granted in a sandbox only'
    case 'amount_out_of_bounds':
      return `at most ${refusal.most} of an asset at a time`
    case 'nothing_to_grant':
      return 'nothing to grant'
    default:
      return noUser(refusal)
  }
}

// contact: whom someone under 14 can ask.
export function redeemWords(refusal: RedeemForUserRefusal, contact: string): string {
  switch (refusal.reason) {
    case 'sandbox_only':
      return 'cards are registered by their holders; only a sandbox has this command'
    case 'pin_invalid':
      return 'that is no PIN: one of its characters is wrong'
    case 'user_not_active':
      return `the user is ${refusal.status}`
    case 'under_14':
      return `the user is under 14 and cannot register cards yet. Contact: ${contact}`
    case 'absent':
      return 'there is no card with that PIN'
    case 'used':
      return 'somebody else has used that card'
    case 'voided':
      return 'that card was taken back'
    case 'expired':
      return 'that card has expired'
    default:
      return noUser(refusal)
  }
}
