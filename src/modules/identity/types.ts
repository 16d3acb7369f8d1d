export type Purpose = 'sign_up' | 'recover' | 'step_up'

// The carrier's details of the member, apart from the CI. Sealed as one value.
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
