import { isIP } from 'node:net'
import { Secret } from '#base/crypto/secret.ts'
import { hashToken, newToken } from '#base/crypto/token.ts'
import type { CeremonyToken, RelyingParty } from './types.ts'

export const ALGORITHMS = [-7, -257, -8] // ES256, RS256 (Windows Hello), EdDSA
// A phone, a desk, a security key and their successors.
export const MAX_PASSKEYS = 10
// Each sends a text, and the phone must not ring all night.
export const ADDED_AN_HOUR = 5
// Long enough to look for a security key.
export const CEREMONY_SECONDS = 300

const MAX_NAME = 40

// The site for passkeys; none if browsers support none there: on an IP address, or without https unless on this
// machine.
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure ? { id: hostname, origin } : undefined
}

export interface Ceremony {
  token: CeremonyToken
  hash: Buffer
  challenge: string
}

export function newCeremony(): Ceremony {
  const token = newToken()
  return { token: new Secret(token), hash: hashToken(token), challenge: newToken() }
}

// An account as its passkeys know it: nothing of the person.
export function userHandleOf(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')
}

// A device that counts its uses never counts the same twice. Synced passkeys do not count at all.
export function wentBack(before: number, now: number): boolean {
  return (before > 0 || now > 0) && now <= before
}

// As the member typed it, in one line; undefined if nothing is left or it is too long.
export function cleanName(text: string): string | undefined {
  const name = text
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return name.length > 0 && [...name].length <= MAX_NAME ? name : undefined
}
