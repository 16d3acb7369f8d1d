export const GUESS_KINDS = ['pin', 'login', 'identity', 'stop'] as const
export type GuessKind = (typeof GUESS_KINDS)[number]
export type GuessScope = 'account' | 'address' | 'all'

// Failures of one subject in one window of ten minutes.
export interface Counted {
  scope: GuessScope
  bucket: Temporal.Instant
  failures: number
}

export interface Judged {
  // How long nothing more is looked at; null when the next try may be made.
  retryAfterSeconds: number | null
  alarmed: boolean
}
