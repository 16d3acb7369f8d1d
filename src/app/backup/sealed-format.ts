import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '#base/assert.ts'

// A sealed file: a header, then chunks. Each chunk is its length and AES-256-GCM of its bytes. The key of a file comes from
// the backup's key, a random salt and the file's name, so a file under another name does not open. The nonce is the chunk's
// position and whether it is the last, so a chunk that was moved, repeated or cut off does not open either.

const MAGIC = Buffer.from('INGOTBK1')
const ID_BYTES = 16
const SALT_BYTES = 32
const TAG_BYTES = 16
export const HEADER_BYTES = MAGIC.length + ID_BYTES + SALT_BYTES
export const LENGTH_BYTES = 4
export const CHUNK_BYTES = 1024 * 1024
// What a chunk may be at most: compression can add a little, and there is the byte that says whether it was used.
export const SEALED_MAX = CHUNK_BYTES + 1 + TAG_BYTES

/** The key of the backups of one or more installations. Never that of the service. */
export interface BackupKey {
  readonly id: string
  readonly secret: Buffer
}

export function backupKey(secret: Buffer): BackupKey {
  assert(secret.length === 32, 'a key has 256 bits')
  const id = createHmac('sha256', secret).update('ingot backup key id').digest('hex')
  return { id: id.slice(0, ID_BYTES), secret }
}

export interface FileSeal {
  readonly header: Buffer
  seal(chunk: Buffer, position: number, last: boolean): Buffer
  /** Undefined: not what was sealed at this position. */
  open(sealed: Buffer, position: number, last: boolean): Buffer | undefined
}

export function newSeal(key: BackupKey, name: string): FileSeal {
  return sealOf(key, name, Buffer.concat([MAGIC, Buffer.from(key.id), randomBytes(SALT_BYTES)]))
}

export type HeaderProblem = 'no_backup' | 'other_key'

/** How to open a file that begins with this header. */
export function readHeader(key: BackupKey, name: string, header: Buffer): FileSeal | HeaderProblem {
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return 'no_backup'
  if (header.subarray(MAGIC.length, MAGIC.length + ID_BYTES).toString('latin1') !== key.id) return 'other_key'
  return sealOf(key, name, header)
}

function sealOf(key: BackupKey, name: string, header: Buffer): FileSeal {
  const salt = header.subarray(MAGIC.length + ID_BYTES)
  const fileKey = Buffer.from(hkdfSync('sha256', key.secret, salt, `ingot backup file\0${name}`, 32))
  return {
    header,
    seal(chunk, position, last) {
      const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(position, last)).setAAD(header)
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, position, last) {
      if (sealed.length < TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(position, last), {
        authTagLength: TAG_BYTES,
      }).setAAD(header)
      const end = sealed.length - TAG_BYTES
      decipher.setAuthTag(sealed.subarray(end))
      const chunk = decipher.update(sealed.subarray(0, end))
      try {
        decipher.final()
        return chunk
      } catch {
        return undefined
      }
    },
  }
}

// Never twice under one key: each file has a key of its own.
function nonceOf(position: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce[0] = last ? 1 : 0
  nonce.writeBigUInt64BE(BigInt(position), 4)
  return nonce
}
