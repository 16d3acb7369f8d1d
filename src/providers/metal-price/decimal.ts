// Numbers of a feed as the decimals that were written, so that nothing is rounded twice.

export interface Fraction {
  over: bigint
  under: bigint
}

const DECIMAL = /^(\d{1,12})(?:\.(\d{1,17}))?$/
// Grams in a troy ounce: 31.1034768.
const GRAMS_IN_OUNCE: Fraction = { over: 311_034_768n, under: 10_000_000n }

// Above zero. A JSON number prints as the shortest decimal that means it: what the feed wrote, up to 15 digits.
export function decimalOf(value: unknown): Fraction | undefined {
  if (typeof value !== 'number') return undefined
  const match = DECIMAL.exec(String(value))
  if (!match || value <= 0) return undefined
  const [, whole = '', part = ''] = match
  return { over: BigInt(`${whole}${part}`), under: 10n ** BigInt(part.length) }
}

// From a price per troy ounce to a price per gram.
export function perGram({ over, under }: Fraction): Fraction {
  return { over: over * GRAMS_IN_OUNCE.under, under: under * GRAMS_IN_OUNCE.over }
}

// A half goes up.
export function toNearestWon({ over, under }: Fraction): bigint {
  return (2n * over + under) / (2n * under)
}

export function isWithinOnePercent(one: Fraction, other: Fraction): boolean {
  const [left, right] = [one.over * other.under, other.over * one.under]
  const apart = left > right ? left - right : right - left
  return apart * 100n <= right
}
