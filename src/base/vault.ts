import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { assert } from '#base/assert.ts'
import type { KeyRing, Keys } from '#base/key-ring.ts'
import { pooledRandomBytes } from '#base/random.ts'

// Where a value lives: bound into its seal, so that a ciphertext moved to another row or column, even by
// someone who can write to the database, does not open.
interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
}

export interface Vault {
  seal(place: Place, value: string): Buffer
  open(place: Place, sealed: Buffer): string
  // A keyed hash to find a value by. Purpose keeps the same text in two columns from looking alike.
  index(purpose: string, value: string): Buffer
  readonly indexKeyId: string
  // A keyed hash that must never change, whichever keys rotate: to compare with, never to find a person by.
  fingerprint(purpose: string, value: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

// Sealed: one byte with the key id's length, the key id, nonce, ciphertext, tag.
export function createVault(ring: KeyRing): Vault {
  const sealKey = currentKey(ring.encryption)
  const indexKey = currentKey(ring.index)
  const keyId = Buffer.from(ring.encryption.current)
  const header = Buffer.concat([Buffer.from([keyId.length]), keyId])
  const fingerprintKey = createSecretKey(createHmac('sha256', ring.numberKey).update('fingerprint').digest())
  return {
    indexKeyId: ring.index.current,
    seal(place, value) {
      const nonce = pooledRandomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      cipher.setAAD(associatedData(place))
      const body = cipher.update(value, 'utf8')
      cipher.final()
      return Buffer.concat([header, nonce, body, cipher.getAuthTag()])
    },
    open(place, sealed) {
      const idLength = sealed[0] ?? 0
      const id = sealed.subarray(1, 1 + idLength).toString()
      const key = ring.encryption.byId.get(id)
      assert(key, `a sealed value names an encryption key that the ring does not hold: ${place.table}`)
      const nonceAt = 1 + idLength
      const nonce = sealed.subarray(nonceAt, nonceAt + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(associatedData(place))
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
      const body = decipher.update(sealed.subarray(nonceAt + NONCE_BYTES, sealed.length - TAG_BYTES))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    },
    index(purpose, value) {
      return createHmac('sha256', indexKey).update(`${purpose}\0${value}`).digest()
    },
    fingerprint(purpose, value) {
      return createHmac('sha256', fingerprintKey).update(`${purpose}\0${value}`).digest()
    },
  }
}

function currentKey(keys: Keys): KeyObject {
  const key = keys.byId.get(keys.current)
  assert(key, 'parseKeyRing checks that the current key is there')
  return createSecretKey(key)
}

function associatedData(place: Place): Buffer {
  return Buffer.from(`${place.table}\0${place.column}\0${place.row}`)
}
