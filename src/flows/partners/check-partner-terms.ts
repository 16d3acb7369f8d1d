import { isShownName } from '#base/text/text.ts'
import { isSenderName } from '#modules/deliveries/messages/sender-name.ts'
import { refuseTerms } from '#modules/partners/rules.ts'
import type { PartnerTerms, PartnerTermsRefusal } from '#modules/partners/types.ts'

export type AgreementRefusal = PartnerTermsRefusal | 'sender_name_invalid'

// What stands against an agreement: a partner's own terms, and what its messages can carry.
export function checkPartnerTerms(terms: PartnerTerms): AgreementRefusal | undefined {
  const refusal = refuseTerms(terms)
  if (refusal) return refusal
  const { senderName } = terms
  return senderName === null || (isSenderName(senderName) && isShownName(senderName))
    ? undefined
    : 'sender_name_invalid'
}
