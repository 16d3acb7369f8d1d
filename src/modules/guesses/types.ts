export const GUESS_KINDS = ['pin', 'login', 'identity', 'payout_account', 'stop', 'statement'] as const
export type GuessKind = (typeof GUESS_KINDS)[number]
// An address, and of IPv6 the larger networks around it.
export const ADDRESS_SCOPES = ['address', 'block', 'site'] as const
export type AddressScope = (typeof ADDRESS_SCOPES)[number]
// `texts`: all that went to one number.
export type GuessScope = 'account' | 'texts' | AddressScope | 'all'

// Failures of one subject in one window of ten minutes.
export interface Counted {
  scope: GuessScope
  bucket: Temporal.Instant
  failures: number
}

// One failure that was counted, so that it can be taken back.
export interface CountedOnce {
  scope: GuessScope
  // The keyed hash, in hexadecimal: it is kept as JSON.
  subject: string
  bucket: string
}

export interface Judged {
  // How long nothing more is looked at; null when the next try may be made.
  retryAfterSeconds: number | null
  alarmed: boolean
}
