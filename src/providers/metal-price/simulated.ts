import type { Metal, PriceFeed, PriceWatch } from './port.ts'

// The sandbox's feed: a price is a function of the metal and the minute alone. Every process gives the same one, and every
// moment, past or to come, has one.

const MINUTE_MS = 60_000
const YEAR_MINUTES = 365 * 24 * 60
const LEVELS: Readonly<Record<Metal, { won: number; seed: number }>> = {
  XAU: { won: 198_500, seed: 0x1f0a_0c01 },
  XAG: { won: 2_480, seed: 0x2f0a_0c02 },
}
// The levels are those of that day. From there it goes up by 1.5% a year, so that a year keeps within a tenth of its level.
const LEVEL_MINUTE = Temporal.Instant.from('2026-01-01T00:00Z').epochMilliseconds / MINUTE_MS
const YEARLY = 1.015

// Waves of several lengths, each with its height. Months make a year's course, hours move a day by half to one per
// cent, and minutes keep the last digits moving. No minute moves more than 0.1%.
const WAVES: readonly { minutes: number; height: number }[] = [
  { minutes: 100 * 24 * 60, height: 0.042 },
  { minutes: 23 * 24 * 60, height: 0.02 },
  { minutes: 5 * 24 * 60, height: 0.01 },
  { minutes: 21 * 60, height: 0.004 },
  { minutes: 4 * 60 + 20, height: 0.0025 },
  { minutes: 47, height: 0.001 },
  { minutes: 6, height: 0.0005 },
]

export function createSimulatedPrices(options: { watch: PriceWatch }): PriceFeed {
  return {
    name: 'simulated',
    read(metal, at) {
      options.watch.onRequest({ provider: 'simulated', call: 'read', outcome: 'status_200', ms: 0 })
      const wonPerGram = simulatedWonPerGram(metal, at)
      // It was made when its minute began.
      const ageMs = at.epochMilliseconds - minuteOf(at) * MINUTE_MS
      return Promise.resolve({ kind: 'price', price: { metal, wonPerGram, ageMs } })
    },
    past: simulatedWonPerGram,
    close: async () => {},
  }
}

export function simulatedWonPerGram(metal: Metal, at: Temporal.Instant): bigint {
  const { won, seed } = LEVELS[metal]
  const minute = minuteOf(at)
  const trend = YEARLY ** ((minute - LEVEL_MINUTE) / YEAR_MINUTES)
  const waves = WAVES.reduce(
    (sum, wave, index) => sum + wave.height * noise(seed + index, minute / wave.minutes),
    0,
  )
  return BigInt(Math.max(1, Math.round(won * trend * (1 + waves))))
}

function minuteOf(at: Temporal.Instant): number {
  return Math.floor(at.epochMilliseconds / MINUTE_MS)
}

// Between -1 and 1: a value of its own at every whole number, and a smooth way from one to the next.
function noise(seed: number, x: number): number {
  const whole = Math.floor(x)
  const part = x - whole
  const [from, to] = [valueAt(seed, whole), valueAt(seed, whole + 1)]
  return from + (to - from) * part * part * (3 - 2 * part)
}

function valueAt(seed: number, index: number): number {
  let mixed = Math.imul(index ^ Math.imul(seed, 0x9e37_79b1), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2_ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4_eb2f)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x8000_0000 - 1
}
