import { pooledRandomBytes } from '#base/crypto/random.ts'
import { Secret } from '#base/crypto/secret.ts'
import type { Vault } from '#base/crypto/vault.ts'

export type Pin = Secret<'pin'>

// 15 random Crockford base32 characters and a check character. The check is the sum of the characters, each times its
// own weight, in the field of 32 elements. No weight is zero, so every single typo changes it. No two weights are
// equal, so every swap of two characters does.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_LENGTH = 15
const X5_PLUS_X2_PLUS_1 = 0b100101

const POWERS = [1]
for (let i = 1; i < 31; i += 1) {
  const doubled = POWERS[i - 1]! << 1
  POWERS.push(doubled & 32 ? doubled ^ X5_PLUS_X2_PLUS_1 : doubled)
}
const LOGS: number[] = []
for (const [power, element] of POWERS.entries()) LOGS[element] = power

function times(element: number, power: number): number {
  return element === 0 ? 0 : POWERS[(LOGS[element]! + power) % 31]!
}

// Position i has the weight x^(i+1); the check character itself has weight 1.
function checkOf(values: readonly number[]): number {
  return values.reduce((sum, value, i) => sum ^ times(value, i + 1), 0)
}

export function newPin(): Pin {
  const values: number[] = []
  let text = ''
  for (const byte of pooledRandomBytes(RANDOM_LENGTH)) {
    values.push(byte & 31)
    text += ALPHABET[byte & 31]
  }
  return new Secret(text + ALPHABET[checkOf(values)])
}

// The typed text in the one form that is stored; undefined if it cannot be a PIN. Crockford reads O as 0 and I and L
// as 1. Hyphens and spaces are for the eye.
export function parsePin(typed: string): Pin | undefined {
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const values = [...text].map((character) => ALPHABET.indexOf(character))
  if (values.length !== RANDOM_LENGTH + 1 || values.includes(-1)) return undefined
  return checkOf(values.slice(0, -1)) === values.at(-1) ? new Secret(text) : undefined
}

// The PIN is the key of its redemption, as an Idempotency-Key is of a purchase, and recognised in the same way.
export function keptPinHash(vault: Vault, pin: string): Buffer {
  return vault.fingerprint('redeemed pin', pin)
}
