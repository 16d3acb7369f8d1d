import { assert } from '#base/assert.ts'

// Won in ones, as bigint in code and 64-bit integers in the database. JSON has doubles, so an amount
// crosses that border only where it is exact.
export function wonToJson(won: bigint): number {
  const number = Number(won)
  assert(Number.isSafeInteger(number), 'an amount beyond 2^53 has no exact JSON number')
  return number
}

export function wonFromJson(number: number): bigint {
  assert(Number.isSafeInteger(number), 'a JSON number beyond 2^53 may not be the one that was written')
  return BigInt(number)
}

// ₩1,234,000: for people, never for machines.
export function formatWon(won: bigint): string {
  const digits = (won < 0n ? -won : won).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return `${won < 0n ? '-' : ''}₩${digits}`
}
