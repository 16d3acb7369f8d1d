// What the service asks of a provider that verifies people. The person stays on our pages: a code goes to the phone
// that the carrier knows them by, and is typed here. A provider's own codes and texts end here.

export const IDENTITY_PROVIDERS = ['portone', 'simulated'] as const
export type IdentityProviderName = (typeof IDENTITY_PROVIDERS)[number]

export const CARRIERS = ['SKT', 'KT', 'LGU', 'SKT_MVNO', 'KT_MVNO', 'LGU_MVNO'] as const
export type Carrier = (typeof CARRIERS)[number]

// What a person types about themselves.
export interface Applicant {
  name: string
  // YYYYMMDD
  birthday: string
  gender: 'F' | 'M'
  // Digits, as dialled in Korea: 01012345678.
  mdn: string
  carrier: Carrier
  // The caller's address, which the carrier asks for.
  address: string
}

// The person whom the carrier names.
export interface VerifiedPerson {
  // 88 characters.
  ci: string
  name: string
  birthday: string
  gender: 'F' | 'M'
  isForeigner: boolean
  // As the carrier gave it, or as typed when it did not.
  mdn: string
}

// `unavailable`: unknown whether it happened; asking again is safe.
export type StartOutcome =
  | { kind: 'sent' }
  // The carrier knows no such person under that number, or the details are of the wrong shape.
  | { kind: 'refused' }
  | { kind: 'unavailable' }

export type ConfirmOutcome =
  | { kind: 'verified'; person: VerifiedPerson }
  | { kind: 'wrong_code' }
  // Too late, too often, or never begun: another verification has to be started.
  | { kind: 'failed' }
  | { kind: 'unavailable' }

export interface IdentityProvider {
  readonly name: IdentityProviderName
  // Ids are ours and unguessable; one verification each. None of these throws, and each ends within half a minute.
  start(id: string, applicant: Applicant): Promise<StartOutcome>
  // Sends another code for the same verification.
  resend(id: string): Promise<StartOutcome>
  // Confirms the code, then asks the provider for the result: what counts is what it says under our own secret. A code
  // that was right the first time, with its answer lost, is `verified` again.
  confirm(id: string, code: string, applicant: Pick<Applicant, 'mdn'>): Promise<ConfirmOutcome>
  close(): Promise<void>
}

// What is measured of a provider, handed in so that the port knows no metrics.
export interface IdentityWatch {
  onRequest(fields: { provider: string; call: string; outcome: string; ms: number }): void
}
