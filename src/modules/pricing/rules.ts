import { assert } from '#base/assert.ts'

// Metal is counted in units of 0.0001 g.
const UNITS_PER_GRAM = 10_000n
const GRAMS = /^(\d{1,9})(?:\.(\d{1,4}))?$/

// Floored: nobody is shown a won that the metal is not worth.
export function valueOfMetal(units: bigint, wonPerGram: bigint): bigint {
  assert(units >= 0n && wonPerGram > 0n, 'a holding has a floor of 0, and a price is positive')
  if (units === 0n) return 0n
  return (units * wonPerGram) / UNITS_PER_GRAM
}

// 1.2345: always four places.
export function gramsText(units: bigint): string {
  assert(units >= 0n, 'a holding has a floor of 0')
  if (units === 0n) return '0.0000'
  return `${units / UNITS_PER_GRAM}.${(units % UNITS_PER_GRAM).toString().padStart(4, '0')}`
}

// `1.5` in units; undefined for anything that is not grams with up to four places.
export function parseGrams(text: string): bigint | undefined {
  const match = GRAMS.exec(text)
  return match ? BigInt(match[1]!) * UNITS_PER_GRAM + BigInt((match[2] ?? '').padEnd(4, '0')) : undefined
}
