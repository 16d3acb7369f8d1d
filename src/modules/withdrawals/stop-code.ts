import { hash } from 'node:crypto'
import { pooledRandomBytes } from '#base/crypto/random.ts'

const CODE = /^[0-9a-f]{8}(?:u[0-9a-f]{8}){3}$/

// 128 random bits, for one withdrawal and one purpose. `u` is in no PIN, so that no part of a code reads like one.
export function newStopCode(): { code: string; hash: Buffer } {
  const code = pooledRandomBytes(16)
    .toString('hex')
    .replace(/.{8}(?=.)/g, '$&u')
  return { code, hash: hashCode(code) }
}

// The stored hash of a code; undefined if it cannot be one of ours.
export function hashOfStopCode(text: string): Buffer | undefined {
  return CODE.test(text) ? hashCode(text) : undefined
}

function hashCode(code: string): Buffer {
  return hash('sha256', code, 'buffer')
}
