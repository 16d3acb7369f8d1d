import { createDecipheriv, createHmac } from 'node:crypto'
import { assert } from '#base/assert.ts'
import { createAesGcm, NONCE_BYTES, TAG_BYTES } from './aes-gcm.ts'
import { createHmacSha256, type Hmac } from './hmac.ts'
import type { KeyRing, Keys } from './key-ring.ts'

// The place of a value, bound into its seal. A ciphertext that is moved to another row or column does not open, even
// if the attacker can write to the database.
interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
}

// Which keys of the ring are in force. The epoch counts their changes: what is written names it, and the
// database takes nothing of another epoch (db/functions/write_purchases.sql).
export interface KeysInForce {
  readonly epoch: number
  readonly encryption: string
  readonly index: string
  // While a rotation runs: people are indexed under both.
  readonly nextIndex: string | null
}

export interface Vault {
  readonly epoch: number
  readonly sealKeyId: string
  seal(place: Place, value: string): Buffer
  open(place: Place, sealed: Buffer): string
  // A keyed hash to find a value by. Purpose keeps the same text in two columns from looking alike. Under the
  // newest index key, whose id is beside it.
  index(purpose: string, value: string): Buffer
  readonly indexKeyId: string
  // The two of a rotation; `next` is null when none runs.
  indexes(purpose: string, value: string): { current: Buffer; next: Buffer | null }
  // A keyed hash that never changes, through every rotation: to compare with, never to find a person by.
  fingerprint(purpose: string, value: string): Buffer
}

// Hands out the vault of the present epoch.
export interface VaultKeeper {
  vault(): Vault
  // After the database has said that the keys in force are others.
  refresh(): Promise<Vault>
}

// Sealed: one byte with the key id's length, the key id, nonce, ciphertext, tag.
export function createVault(ring: KeyRing, inForce: KeysInForce, findKey: FindKey = () => undefined): Vault {
  const encrypt = createAesGcm(keyOf(ring.encryption, inForce.encryption))
  const currentIndex = createHmacSha256(keyOf(ring.index, inForce.index))
  const nextIndex = inForce.nextIndex === null ? null : createHmacSha256(keyOf(ring.index, inForce.nextIndex))
  const newestIndex = nextIndex ?? currentIndex
  const keyId = Buffer.from(inForce.encryption)
  const header = Buffer.concat([Buffer.from([keyId.length]), keyId])
  const fingerprint = createHmacSha256(createHmac('sha256', ring.numberKey).update('fingerprint').digest())
  return {
    epoch: inForce.epoch,
    sealKeyId: inForce.encryption,
    indexKeyId: inForce.nextIndex ?? inForce.index,
    seal(place, value) {
      const bytes = header.length + NONCE_BYTES + Buffer.byteLength(value) + TAG_BYTES
      const sealed = Buffer.allocUnsafe(bytes)
      sealed.set(header)
      encrypt(sealed, header.length, value, associatedData(place))
      return sealed
    },
    open(place, sealed) {
      const idLength = sealed[0] ?? 0
      const id = sealed.subarray(1, 1 + idLength).toString()
      const key = ring.encryption.byId.get(id) ?? findKey(id)
      assert(key, `a sealed value names an encryption key that the ring does not hold: ${place.table}`)
      const nonceAt = 1 + idLength
      const nonce = sealed.subarray(nonceAt, nonceAt + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(associatedData(place)))
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
      const body = decipher.update(sealed.subarray(nonceAt + NONCE_BYTES, sealed.length - TAG_BYTES))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    },
    index(purpose, value) {
      return keyedHash(newestIndex, purpose, value)
    },
    indexes: (purpose, value) => ({
      current: keyedHash(currentIndex, purpose, value),
      next: nextIndex && keyedHash(nextIndex, purpose, value),
    }),
    fingerprint(purpose, value) {
      return keyedHash(fingerprint, purpose, value)
    },
  }
}

// A key that has come into the ring since this vault was made.
type FindKey = (encryptionKeyId: string) => Buffer | undefined

function keyOf(keys: Keys, id: string): Buffer {
  const key = keys.byId.get(id)
  assert(key, 'a vault is made for keys that the ring holds')
  return key
}

function keyedHash(hmac: Hmac, purpose: string, value: string): Buffer {
  return hmac(`${purpose}\0${value}`)
}

function associatedData(place: Place): string {
  return `${place.table}\0${place.column}\0${place.row}`
}
