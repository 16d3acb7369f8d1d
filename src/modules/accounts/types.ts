import type { Id } from '#base/ids.ts'

export type AccountId = Id<'member account'>

// The carrier's details of the member, apart from the CI. Sealed as one value.
export interface AccountDetails {
  name: string
  // YYYYMMDD
  birthday: string
  nationality: 'K'
  mdn: string
  gender: 'F' | 'M'
}

export type TermsId = 'service' | 'privacy' | 'marketing'

export interface Account {
  id: AccountId
  memberId: string
  // Null of a member who never chose one: the phone is the way in.
  loginId: string | null
  // Null as long as none was set, and once the account is closed.
  password: string | null
  passwordChangedAt: Temporal.Instant | null
  details: Buffer | null
  language: 'ko' | 'en'
  createdAt: Temporal.Instant
  closedAt: Temporal.Instant | null
  // Until the account is recovered with a verified identity.
  withdrawalsStopped: boolean
  // Frozen by the operator: no log-in, no movement.
  frozen: boolean
}
