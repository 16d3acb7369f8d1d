// What the service asks of whoever knows the holders of bank accounts: whether one is this person's. The name that the
// bank has stays behind this port, so that nobody can learn from us whose an account is.

export const ACCOUNT_HOLDER_PROVIDERS = ['portone', 'simulated'] as const
export type AccountHolderProviderName = (typeof ACCOUNT_HOLDER_PROVIDERS)[number]

export interface PayoutAccount {
  // The three-digit code of Korea's clearing institute.
  bank: string
  // Digits only.
  account: string
  // Whose it should be, as the carrier has the name.
  holder: string
}

export type HolderOutcome =
  | { kind: 'matches' }
  | { kind: 'differs' }
  // The bank knows no such account, or does not tell of this one.
  | { kind: 'absent' }
  // Nobody knows. Nothing is paid on that.
  | { kind: 'unavailable' }

export interface AccountHolderProvider {
  readonly name: AccountHolderProviderName
  // Does not throw, and ends within a quarter of a minute.
  check(account: PayoutAccount): Promise<HolderOutcome>
  close(): Promise<void>
}

// What is measured of a provider, handed in so that the port knows no metrics.
export interface AccountHolderWatch {
  onRequest(fields: { provider: string; call: string; outcome: string; ms: number }): void
}

// Two names are the same if they are equal after NFKC (banks write full-width letters, and some systems take syllables
// apart), without blanks, in capitals. Nothing else is forgiven: a name that is cut off or masked is another name.
export function isSameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other) && plainName(one) !== ''
}

function plainName(name: string): string {
  return name.normalize('NFKC').replace(/\s/gu, '').toUpperCase()
}
