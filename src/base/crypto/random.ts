import { randomBytes } from 'node:crypto'

// Random bytes are fetched by the kilobyte: a system call for each nonce or PIN would be most of its cost.
// Each byte is handed out once and is a copy, so nothing can be read back.
const POOL_BYTES = 4_096

let pool = Buffer.alloc(0)
let at = 0

export function pooledRandomBytes(bytes: number): Buffer {
  const taken = Buffer.allocUnsafe(bytes)
  fillRandom(taken, 0, bytes)
  return taken
}

export function fillRandom(target: Buffer, from: number, bytes: number): void {
  if (at + bytes > pool.length) {
    pool = randomBytes(Math.max(POOL_BYTES, bytes))
    at = 0
  }
  // A few bytes each: a loop is faster than a call.
  for (let i = 0; i < bytes; i += 1) {
    target[from + i] = pool[at + i]!
    pool[at + i] = 0
  }
  at += bytes
}
