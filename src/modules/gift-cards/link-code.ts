import { timingSafeEqual } from 'node:crypto'
import { Secret } from '#base/crypto/secret.ts'
import type { Vault } from '#base/crypto/vault.ts'

export type LinkCode = Secret<'card link'>

// The code in the link of a card's message: the card's number and a keyed hash of it, in 37 lower-case characters. A
// PIN has 16, in capitals. Nothing of it is stored: the key makes it again, through every rotation of keys.
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const MAC_BYTES = 16 // 2^128 codes for a card, and guesses are counted
const NUMBER_BITS = 53n
export const LINK_CODE_LENGTH = 37 // 53 and 128 bits, five to a character

export function linkCodeOf(vault: Vault, number: bigint): LinkCode {
  let rest = (number << BigInt(MAC_BYTES * 8)) | BigInt(`0x${macOf(vault, number).toString('hex')}`)
  let text = ''
  for (let i = 0; i < LINK_CODE_LENGTH; i += 1) {
    text = ALPHABET[Number(rest & 31n)]! + text
    rest >>= 5n
  }
  return new Secret(text)
}

// The number of the card; undefined unless the code was made here.
export function readLinkCode(vault: Vault, typed: string): bigint | undefined {
  if (typed.length !== LINK_CODE_LENGTH) return undefined
  let value = 0n
  for (const character of typed) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    value = (value << 5n) | BigInt(digit)
  }
  const number = value >> BigInt(MAC_BYTES * 8)
  if (number >= 1n << NUMBER_BITS) return undefined
  const mac = Buffer.from(
    BigInt.asUintN(MAC_BYTES * 8, value)
      .toString(16)
      .padStart(MAC_BYTES * 2, '0'),
    'hex',
  )
  return timingSafeEqual(mac, macOf(vault, number)) ? number : undefined
}

function macOf(vault: Vault, number: bigint): Buffer {
  return vault.fingerprint('card link', number.toString()).subarray(0, MAC_BYTES)
}
