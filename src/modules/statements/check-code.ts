import { hash } from 'node:crypto'
import { pooledRandomBytes } from '#base/crypto/random.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 20 // 100 random bits; a PIN has 16 characters
const NUMBER = /^[0-9]{12}$/
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`)

export function newCheckCode(): string {
  return Array.from(pooledRandomBytes(CODE_LENGTH), (byte) => ALPHABET[byte & 31]).join('')
}

export function newStatementNumber(): string {
  return (pooledRandomBytes(8).readBigUInt64BE() % 1_000_000_000_000n).toString().padStart(12, '0')
}

export function hashOfCheckCode(code: string): Buffer {
  return hash('sha256', `statement ${code}`, 'buffer')
}

// As a person typed them from paper; undefined if they cannot be ours.
export function parseCheck(typed: {
  number: string
  code: string
}): { number: string; code: string } | undefined {
  const number = typed.number.replace(/[\s-]/g, '')
  const code = typed.code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return NUMBER.test(number) && CODE.test(code) ? { number, code } : undefined
}
