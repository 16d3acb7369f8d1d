// What the service asks of a provider that knows the holders of bank accounts: does this account belong to this
// person? The bank's name of the holder stays behind this port, so that callers cannot learn who owns an account.

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
  // The outcome is unknown, and nothing is paid.
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
