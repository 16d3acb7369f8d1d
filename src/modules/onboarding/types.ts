import type { Secret } from '#base/crypto/secret.ts'

// The cookie's value.
export type OnboardingToken = Secret<'onboarding'>

// What may be shown about a card before its holder is known, only to a visitor who came by the link of its message.
export interface ToldCard {
  partner: string
  amount: number
  expiresOn: string
}

interface HeldCard {
  pin: string
  told: ToldCard | null
  // It became points. It stays for a retry whose answer was lost, and is shown no more.
  registered: boolean
}

// The details that were typed for the carrier, to fill the form again.
export interface TypedDetails {
  name: string
  birthday: string
  gender: 'F' | 'M'
  mdn: string
  carrier: 'SKT' | 'KT' | 'LGU' | 'SKT_MVNO' | 'KT_MVNO' | 'LGU_MVNO'
}

// What the verified visitor sees.
interface Verified {
  name: string
  isMember: boolean
  loginId: string | null
  knownThrough: readonly string[]
}

interface RunningVerification {
  id: string
  purpose: 'sign_up' | 'recover'
  // Null until the code was right.
  verified: Verified | null
}

export interface OnboardingContent {
  card: HeldCard | null
  details: TypedDetails | null
  verification: RunningVerification | null
}

export interface OnboardingRow {
  id: string
  // By which it was found.
  hash: Buffer
  expiresAt: Temporal.Instant
  content: Buffer
}
