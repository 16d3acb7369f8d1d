import { createCipheriv } from 'node:crypto'
import { Ghash } from './ghash.ts'
import { fillRandom } from './random.ts'

export const NONCE_BYTES = 12
export const TAG_BYTES = 16

const BLOCK_BYTES = 16
const POOLED_BLOCKS = 4 // of one seal: one for the tag and 48 bytes of text
const POOLED_SEALS = 64
const SEAL_BYTES = POOLED_BLOCKS * BLOCK_BYTES

// Writes a random nonce, the encrypted text and the tag at `at`: NONCE_BYTES + bytes of the text + TAG_BYTES.
export type Seal = (target: Buffer, at: number, text: string, associated: string) => void

// AES-256-GCM as NIST SP 800-38D defines it. The runtime's own makes an object for each seal, with memory outside its heap:
// some 20 µs, and a full garbage collection each second under load. What AES adds to a text does not depend on the text,
// so here it is made for many seals at once, by the runtime's AES. The tag is made in `Ghash`. What it seals is opened
// by the runtime's own GCM.
export function createAesGcm(key: Buffer): Seal {
  const aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const ghash = new Ghash(aes.update(Buffer.alloc(BLOCK_BYTES)))
  const counters = Buffer.alloc(POOLED_SEALS * SEAL_BYTES)
  let associatedData = Buffer.alloc(256)
  let stream = Buffer.alloc(0)
  let next = POOLED_SEALS

  function refill(): void {
    for (let seal = 0; seal < POOLED_SEALS; seal += 1) {
      const at = seal * SEAL_BYTES
      fillRandom(counters, at, NONCE_BYTES)
      for (let block = 0; block < POOLED_BLOCKS; block += 1) setCounter(counters, at, block)
    }
    stream = aes.update(counters)
    next = 0
  }

  // Of a text that is longer than what is made beforehand.
  function streamOf(nonce: Buffer, bytes: number): Buffer {
    const blocks = 1 + Math.ceil(bytes / BLOCK_BYTES)
    const own = Buffer.alloc(blocks * BLOCK_BYTES)
    own.set(nonce)
    for (let block = 0; block < blocks; block += 1) setCounter(own, 0, block)
    return aes.update(own)
  }

  return (target, at, text, associated) => {
    if (next === POOLED_SEALS) refill()
    const from = next * SEAL_BYTES
    next += 1
    const bodyAt = at + NONCE_BYTES
    const bodyBytes = target.write(text, bodyAt, 'utf8')
    const tagAt = bodyAt + bodyBytes
    for (let i = 0; i < NONCE_BYTES; i += 1) target[at + i] = counters[from + i]!

    const isPooled = bodyBytes <= SEAL_BYTES - BLOCK_BYTES
    const own = isPooled ? stream : streamOf(target.subarray(at, bodyAt), bodyBytes)
    const ownFrom = isPooled ? from : 0
    for (let i = 0; i < bodyBytes; i += 1) target[bodyAt + i]! ^= own[ownFrom + BLOCK_BYTES + i]!
    for (let i = 0; i < TAG_BYTES; i += 1) target[tagAt + i] = own[ownFrom + i]!
    // Each is used once, and not left behind in memory: with the sealed value it would tell the text.
    own.fill(0, ownFrom, isPooled ? from + SEAL_BYTES : own.length)

    if (associated.length * 3 > associatedData.length) associatedData = Buffer.alloc(associated.length * 3)
    const associatedBytes = associatedData.write(associated, 'utf8')
    ghash.start()
    ghash.update(associatedData, 0, associatedBytes)
    ghash.update(target, bodyAt, tagAt)
    ghash.finish(associatedBytes, bodyBytes)
    ghash.addTo(target, tagAt)
  }
}

// The nonce of the first block, and a counter that begins with 1. The first makes the tag.
function setCounter(counters: Buffer, at: number, block: number): void {
  const blockAt = at + block * BLOCK_BYTES
  if (block > 0) counters.copyWithin(blockAt, at, at + NONCE_BYTES)
  counters.writeUInt32BE(block + 1, blockAt + NONCE_BYTES)
}
