import { hash } from 'node:crypto'
import { pooledRandomBytes } from '#base/random.ts'
import { Secret } from '#base/secret.ts'
import type { DeviceId, HashKey, SessionId } from './types.ts'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function newHashKey(): { key: HashKey; hash: Buffer } {
  const key = newToken()
  return { key: new Secret(key), hash: hashToken(key) }
}

export function newSessionId(): { id: SessionId; hash: Buffer } {
  const id = newToken()
  return { id: new Secret(id), hash: hashToken(id) }
}

// The device that a browser says it is, or a new one. Who copies the cookie copies the trust, as with a session.
export function deviceOf(told: string | undefined): { id: DeviceId; hash: Buffer } {
  const id = told !== undefined && TOKEN.test(told) ? told : newToken()
  return { id: new Secret(id), hash: hashToken(id) }
}

// What is stored of a hash key or a session id that somebody sent; undefined if it cannot be one of ours.
export function hashOfToken(text: string): Buffer | undefined {
  return TOKEN.test(text) ? hashToken(text) : undefined
}

// 256 random bits, so a plain hash is enough: there is nothing to guess.
function newToken(): string {
  return pooledRandomBytes(TOKEN_BYTES).toString('base64url')
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
