import { type Cipheriv, createCipheriv } from 'node:crypto'
import { assert } from '#base/assert.ts'

// A keyed permutation of 0 … 8·10^15−1, shown as a 16-digit number below 2^53. Consecutive serials come out
// scattered, so a number does not show how many were issued before it.
// A Feistel network of eight rounds over 54 bits with AES as the round function. Results outside the range go through
// it again ("cycle walking"), which keeps it a permutation of the range.
const RANGE = 8_000_000_000_000_000
const FIRST = 1_000_000_000_000_000
const HALF = 2 ** 27
const ROUNDS = 8
const BLOCK_BYTES = 16

export function permuteSerials(key: Buffer, serials: readonly number[]): bigint[] {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const values = serials.map((serial) => {
    assert(Number.isSafeInteger(serial) && serial >= 0 && serial < RANGE, 'a serial is within the range')
    return serial
  })
  let pending = values.map((_, at) => at)
  while (pending.length > 0) {
    const scattered = scatter(
      cipher,
      pending.map((at) => values[at]!),
    )
    for (const [i, at] of pending.entries()) values[at] = scattered[i]!
    pending = pending.filter((at) => values[at]! >= RANGE)
  }
  return values.map((value) => BigInt(FIRST + value))
}

// All values go through each round together: one call into AES per round, not one per value.
function scatter(cipher: Cipheriv, values: readonly number[]): number[] {
  const left = values.map((value) => Math.floor(value / HALF))
  const right = values.map((value) => value % HALF)
  const blocks = Buffer.alloc(values.length * BLOCK_BYTES)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let i = 0; i < values.length; i += 1) {
      blocks.writeUInt32LE(round, i * BLOCK_BYTES)
      blocks.writeUInt32LE(right[i]!, i * BLOCK_BYTES + 4)
    }
    const mixed = cipher.update(blocks)
    for (let i = 0; i < values.length; i += 1) {
      const next = (left[i]! ^ mixed.readUInt32LE(i * BLOCK_BYTES)) & (HALF - 1)
      left[i] = right[i]!
      right[i] = next
    }
  }
  return values.map((_, i) => left[i]! * HALF + right[i]!)
}
