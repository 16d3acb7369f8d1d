import { Secret } from '#base/crypto/secret.ts'
import { hashOfToken, hashToken, newToken } from '#base/crypto/token.ts'
import type { DeviceId, HashKey, SessionId } from './types.ts'

// How long a verified identity is good for what cannot be undone: time enough to do one such thing, not to leave a phone
// on a table.
export const FRESH_MINUTES = 10

// In SQL, of a row of web_session: seen within 30 minutes, begun within 8 hours, not ended.
export function liveSession(session: string, now: string): string {
  return `${session}.ended_at is null
               and ${session}.seen_at > ${now} - interval '30 minutes'
               and ${session}.created_at > ${now} - interval '8 hours'`
}

export function newHashKey(): { key: HashKey; hash: Buffer } {
  const key = newToken()
  return { key: new Secret(key), hash: hashToken(key) }
}

export function newSessionId(): { id: SessionId; hash: Buffer } {
  const id = newToken()
  return { id: new Secret(id), hash: hashToken(id) }
}

// The service makes the id of a device. An attacker who planted an id would be trusted with it.
export function newDevice(): { id: DeviceId; hash: Buffer } {
  const id = newToken()
  return { id: new Secret(id), hash: hashToken(id) }
}

// People who share a browser, or one person with several partners, are each known by an id of their own.
const MAX_DEVICES = 5
const MAX_BROUGHT = 20

// The ids in a browser's device cookies as they came: shaped like ours, otherwise unknown. Another host of our domain
// can plant cookies before ours. So each cookie is read only as far as we write one, and all first ids come before
// any second.
export function readDevices(cookies: readonly string[]): string[] {
  const lists = cookies.map((cookie) => cookie.split('.').filter((id) => hashOfToken(id)))
  const ids = Array.from({ length: MAX_DEVICES }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat()
  return [...new Set(ids)].slice(0, MAX_BROUGHT)
}

// The ids that the browser keeps: this device first, then those it brought, without the ones that this device
// replaces. An id that was only brought is never trusted, so keeping it is harmless. If there is no room for all,
// known ids stay.
export async function deviceList(
  device: DeviceId,
  brought: readonly string[],
  replaced: readonly Buffer[],
  findKnown: (hashes: readonly Buffer[]) => Promise<readonly Buffer[]>,
): Promise<DeviceId> {
  const others = brought
    .filter((id) => id !== device.reveal())
    .map((id) => ({ id, hash: hashToken(id) }))
    .filter(({ hash }) => !replaced.some((old) => old.equals(hash)))
  const kept =
    others.length < MAX_DEVICES
      ? others
      : (await findKnown(others.map(({ hash }) => hash))).flatMap(
          (known) => others.find(({ hash }) => hash.equals(known)) ?? [],
        )
  return new Secret([device.reveal(), ...kept.map(({ id }) => id)].slice(0, MAX_DEVICES).join('.'))
}
