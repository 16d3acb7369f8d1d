import { hash } from 'node:crypto'
import { pooledRandomBytes } from '#base/random.ts'
import { Secret } from '#base/secret.ts'
import type { DeviceId, HashKey, SessionId } from './types.ts'

// How long a verified identity is good for what cannot be undone: time enough to do one such thing, not to leave a phone
// on a table.
export const FRESH_MINUTES = 10

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

// A device gets its id here, never from its browser: whoever planted one would be trusted with it.
export function newDevice(): { id: DeviceId; hash: Buffer } {
  const id = newToken()
  return { id: new Secret(id), hash: hashToken(id) }
}

// People who share a browser, or one person with several partners, are each known by an id of their own.
const MAX_DEVICES = 5

// The ids in a browser's device cookies, as they came: shaped like ours, and nothing more is known of them.
export function readDevices(cookies: readonly string[]): string[] {
  const ids = cookies.flatMap((cookie) => cookie.split('.')).filter((id) => TOKEN.test(id))
  return [...new Set(ids)].slice(0, MAX_DEVICES)
}

// What the browser keeps from now on: this device first, then those it brought, but for the ones this one replaces. An id
// that was only brought is never trusted, so keeping it gives nobody anything.
export function deviceList(
  device: DeviceId,
  brought: readonly string[],
  replaced: readonly Buffer[],
): DeviceId {
  const others = brought.filter(
    (id) => id !== device.reveal() && !replaced.some((hash) => hash.equals(hashToken(id))),
  )
  return new Secret([device.reveal(), ...others].slice(0, MAX_DEVICES).join('.'))
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
