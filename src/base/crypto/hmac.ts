import { createHmac, hash } from 'node:crypto'
import { assert } from '#base/assert.ts'

const BLOCK_BYTES = 64
const HASH_BYTES = 32
const TEXT_BYTES = 1_024 // an index or a fingerprint is of a short text; a longer one takes the slower way

export type Hmac = (text: string) => Buffer

// HMAC-SHA-256 as RFC 2104 defines it, in two one-shot hashes. An Hmac object and the memory of its result, which the
// runtime allocates outside its heap, would take more than twice the time. A purchase needs two to four.
export function createHmacSha256(key: Buffer): Hmac {
  assert(key.length <= BLOCK_BYTES, 'a longer key would have to be hashed first')
  const inner = Buffer.alloc(BLOCK_BYTES + TEXT_BYTES)
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)
  for (let i = 0; i < BLOCK_BYTES; i += 1) {
    inner[i] = (key[i] ?? 0) ^ 0x36
    outer[i] = (key[i] ?? 0) ^ 0x5c
  }
  return (text) => {
    // A UTF-16 unit is at most three bytes.
    if (text.length * 3 > TEXT_BYTES) return createHmac('sha256', key).update(text).digest()
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES, 'utf8')
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1')
    // The text may be a PIN.
    inner.fill(0, BLOCK_BYTES, end)
    return Buffer.from(hash('sha256', outer, 'binary'), 'latin1')
  }
}
