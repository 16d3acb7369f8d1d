export type Purpose = 'sign_up' | 'recover' | 'step_up'

// What the carrier said, as far as it is kept: sealed until it is used.
export interface Person {
  ci: string
  name: string
  birthday: string
  gender: 'F' | 'M'
  mdn: string
}

export interface Verification {
  id: string
  purpose: Purpose
  sessionId: string | null
  expiresAt: Temporal.Instant
  mdn: Buffer | null
  person: Buffer | null
}
