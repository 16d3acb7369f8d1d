import type { Id } from '#base/ids.ts'

export type MemberId = Id<'member'>
export type LinkId = Id<'partner user'>

// What a partner gives us about its user, apart from the CI.
export interface Details {
  name: string
  // YYYYMMDD
  birthday: string
  nationality: 'K'
  mdn: string
  gender: 'F' | 'M'
}

export interface Consent {
  termsId: string
  agreed: boolean
}

// A partner sees the first that applies.
export type SignupRefusal = 'partner_suspended' | 'key_taken' | 'user_suspended' | 'other_key'

export type SignupOutcome =
  | {
      kind: 'new' | 'known'
      linkId: LinkId
      userKey: string
      registeredAt: Temporal.Instant
      // Under which the call's trace number is kept.
      traceId: string | null
    }
  | { kind: 'refused'; reason: SignupRefusal }

export interface PartnerUser {
  id: LinkId
  memberId: MemberId
  // Whose assets the link means: the member's, or its own until the member has confirmed it.
  holderId: string
  partnerId: number
  partnerKey: string
  // `refused`: by the member, who alone can undo it. `frozen`: with the member, by the operator.
  status: 'active' | 'suspended' | 'refused' | 'frozen'
  confirmed: boolean
  registeredAt: Temporal.Instant
  registeredBy: string
  details: Buffer
  detailsAt: Temporal.Instant
}

// A link as its member sees it.
export interface MemberLink {
  id: LinkId
  partner: string
  status: PartnerUser['status']
  confirmed: boolean
  registeredAt: Temporal.Instant
}
