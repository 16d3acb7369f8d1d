import type { Restoration } from './types.ts'

interface Signer {
  fingerprint(purpose: string, value: string): Buffer
}

// With a key that is not in the database: a restore that someone planted there explains nothing.
export function signRestoration(signer: Signer, restoration: Restoration): Buffer {
  const { id, certainUntil, recordedAt } = restoration
  return signer.fingerprint('restoration', `${id} ${certainUntil} ${recordedAt}`)
}

export function isRestorationSigned(signer: Signer, restoration: Restoration): boolean {
  return restoration.signature !== null && signRestoration(signer, restoration).equals(restoration.signature)
}
