import { randomBytes } from 'node:crypto'

// Random bytes are fetched by the kilobyte: a system call for each nonce or PIN would be most of its cost.
// Each byte is handed out once and is a copy, so nothing can be read back.
const POOL_BYTES = 4_096

let pool = Buffer.alloc(0)
let at = 0

export function pooledRandomBytes(bytes: number): Buffer {
  if (at + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES)
    at = 0
  }
  const taken = Buffer.from(pool.subarray(at, at + bytes))
  pool.fill(0, at, at + bytes)
  at += bytes
  return taken
}
