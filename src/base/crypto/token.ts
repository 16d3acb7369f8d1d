import { hash } from 'node:crypto'
import { pooledRandomBytes } from './random.ts'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

// 256 random bits, so a plain hash is enough: there is nothing to guess.
export function newToken(): string {
  return pooledRandomBytes(TOKEN_BYTES).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

// The stored hash of a token; undefined if it cannot be one of ours.
export function hashOfToken(text: string): Buffer | undefined {
  return TOKEN.test(text) ? hashToken(text) : undefined
}

// Tells a stored credential from another in the audit log, and gives nothing away. `verify` makes it again in SQL.
export function fingerprintOf(...stored: readonly Buffer[]): string {
  return hash('sha256', Buffer.concat(stored.toSorted(Buffer.compare)), 'hex').slice(0, 16)
}

// The hashes of those tokens of a browser that can be ours.
export function hashesOfTokens(texts: readonly string[]): Buffer[] {
  return texts.flatMap((text) => hashOfToken(text) ?? [])
}
