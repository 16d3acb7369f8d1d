import { isShownName } from '#base/text.ts'
import { isSenderName } from '#modules/deliveries/messages/sender-name.ts'
import { refuseTerms } from '#modules/partners/rules.ts'
import type { PartnerTerms } from '#modules/partners/types.ts'

// What stands against an agreement, as the operator reads it: a partner's own terms, and what its messages can carry.
export function refuseAgreement(terms: PartnerTerms): string | undefined {
  const refusal = refuseTerms(terms)
  if (refusal) return refusal
  const { senderName } = terms
  return senderName === null || (isSenderName(senderName) && isShownName(senderName))
    ? undefined
    : 'the sender name is one line of at most 40 bytes (20 Korean letters) that text messages can carry, without a web address (words that only a full stop joins count as one)'
}
