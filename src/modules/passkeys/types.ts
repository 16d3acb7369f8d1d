import type { Secret } from '#base/crypto/secret.ts'
import type { Id } from '#base/ids.ts'

export type PasskeyId = Id<'passkey'>
// Keeps a ceremony together with the browser that began it.
export type CeremonyToken = Secret<'passkey ceremony'>

// The site of passkeys: browsers use them on this site only.
export interface RelyingParty {
  id: string
  // To the letter: what a browser signs with each use.
  origin: string
}

export interface Passkey {
  id: PasskeyId
  accountId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  backedUp: boolean
  // Sealed.
  name: Buffer
  createdAt: Temporal.Instant
  lastUsedAt: Temporal.Instant | null
  blockedAt: Temporal.Instant | null
}

// What a browser sends after making a passkey, and after using one. Binary values are base64url.
export interface MadeCredential {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] }
}

export interface UsedCredential {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string }
}

// A key that its device has proven to hold, with what it says of itself.
export interface ProvenKey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  backupEligible: boolean
  backedUp: boolean
}
