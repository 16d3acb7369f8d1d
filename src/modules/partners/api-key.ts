import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '#base/crypto/secret.ts'
import { BASE62, randomBase62 } from '#base/ids.ts'
import type { KeyId, KeySecret } from './types.ts'

// ik_<mode>_ + 12-character id + 32-character secret + 6-character checksum. The prefix lets a secret scanner find a
// leaked key. The checksum tells a mistyped key from a revoked one without a query. The secret has 190 random bits,
// so a plain SHA-256 is enough at rest.
export type KeyMode = 'test' | 'live'

const SHAPE = /^ik_(test|live)_([0-9A-Za-z]{12})[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/

export function newApiKey(mode: KeyMode): { id: KeyId; key: KeySecret; secretHash: Buffer } {
  const id = randomBase62(12) as KeyId
  const body = `ik_${mode}_${id}${randomBase62(32)}`
  const key = body + checksum(body)
  return { id, key: new Secret(key), secretHash: hashApiKey(key) }
}

export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

// The id of a well-formed key of this mode; undefined for anything else.
export function parseApiKey(mode: KeyMode, key: string): KeyId | undefined {
  const match = SHAPE.exec(key)
  if (match?.[1] !== mode || match[3] !== checksum(key.slice(0, -6))) return undefined
  return match[2] as KeyId
}

// Why a text is no key of this mode, for the operator's log.
export function whyNoKey(mode: KeyMode, key: string): 'not_a_key' | 'wrong_mode' | 'bad_checksum' {
  const match = SHAPE.exec(key)
  if (!match) return 'not_a_key'
  return match[1] === mode ? 'bad_checksum' : 'wrong_mode'
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < 6; i += 1) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
