import type { BullionRefusal, BullionTerms } from './types.ts'

const MAX_UNITS = 10_000_000_000_000n // a thousand tons
const MAX_WON = 1_000_000_000_000_000n // far above any use, exact in JSON

interface BullionFacts {
  wanted: BullionTerms
  // What the house holds of the metal.
  held: bigint
  // Under the same reference, done or waiting.
  known: BullionTerms | undefined
}

type Decision = { kind: 'new' } | { kind: 'known' } | { kind: 'refused'; reason: BullionRefusal }

const refused = (reason: BullionRefusal) => ({ kind: 'refused', reason }) as const

// Asked when a trade is requested, and again when it is approved. The same reference is the same trade, and happens once.
export function decideBullion({ wanted, held, known }: BullionFacts): Decision {
  const { side, units, won } = wanted
  if (units < 1n || units > MAX_UNITS || won < 1n || won > MAX_WON) return refused('bullion_out_of_bounds')
  if (known) return isSame(known, wanted) ? { kind: 'known' } : refused('bullion_reference_used')
  if (side === 'sell' && units > held) return refused('more_than_held')
  return { kind: 'new' }
}

const isSame = (one: BullionTerms, other: BullionTerms) =>
  one.side === other.side && one.metal === other.metal && one.units === other.units && one.won === other.won

// What is owed to members and not covered by the house's own metal. Negative: the house holds more.
export function hedgeGap(members: bigint, house: bigint, wonPerGram: bigint): { units: bigint; won: bigint } {
  const units = members - house
  const size = units < 0n ? -units : units
  // A shortage is rounded up and a surplus down: never shown better than it is.
  const won = (size * wonPerGram + (units > 0n ? 9_999n : 0n)) / 10_000n
  return { units, won: units < 0n ? -won : won }
}
