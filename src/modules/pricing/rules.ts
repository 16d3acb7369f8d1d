import { assert } from '#base/assert.ts'
import type { Gain, Period, TradingState, TradingTerms } from './types.ts'

// Metal is counted in units of 0.0001 g.
export const UNITS_PER_GRAM = 10_000n
const GRAMS = /^(\d{1,9})(?:\.(\d{1,4}))?$/
export const BPS = 10_000n // of one
const HALF_SPREAD = 20_000n // the spread is two sided: half of it above the reference, half below

// Floored, so that no page shows a won that the metal is not worth.
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

export function divCeil(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

// Rounded against the caller, like everything here: nothing is owed that was not paid for.
export function askOf(reference: bigint, spreadBps: number): bigint {
  return divCeil(reference * (HALF_SPREAD + BigInt(spreadBps)), HALF_SPREAD)
}

export function bidOf(reference: bigint, spreadBps: number): bigint {
  const bid = (reference * (HALF_SPREAD - BigInt(spreadBps))) / HALF_SPREAD
  return bid > 0n ? bid : 1n // a price is positive, however cheap the metal
}

// How much of an order is the spread: against the same metal at the reference price.
export function spreadWonOf(units: bigint, reference: bigint, metalWon: bigint): bigint {
  const difference = metalWon - valueOfMetal(units, reference)
  return difference < 0n ? -difference : difference
}

// `-1.25`: two places, half a hundredth rounded away from zero.
export function percentText(part: bigint, whole: bigint): string {
  assert(whole > 0n, 'a share of nothing has no percent')
  const size = part < 0n ? -part : part
  const hundredths = (size * 20_000n + whole) / (2n * whole)
  const text = `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`
  return part < 0n && hundredths > 0n ? `-${text}` : text
}

export function bpsText(bps: number): string {
  return percentText(BigInt(bps), BPS)
}

export function gainOf(value: bigint, cost: bigint): Gain {
  const won = value - cost
  return { won, percent: cost > 0n ? percentText(won, cost) : null }
}

export function tradingState(metal: { ageSeconds: number; terms: TradingTerms }): TradingState {
  if (metal.terms.stopped) return 'stopped'
  return metal.ageSeconds > metal.terms.maxAgeSeconds ? 'stale' : 'open'
}

const MAX_PRICE = 100_000_000n // won per gram: a hundred times what gold has ever cost; beyond it sums leave 64 bits

export function isPrice(wonPerGram: bigint): boolean {
  return wonPerGram >= 1n && wonPerGram <= MAX_PRICE
}

const JUMP_PERCENT = 15n
const JUMP_PERCENT_A_DAY = 5n
const MOST_JUMP_PERCENT = 50n
const DAY_SECONDS = 86_400

// A reading that cannot be believed: metal does not move like that, a broken feed does. Repetition does not help;
// only days allow a little more. The price that a sandbox begins with is no measure.
export function isJump(last: KnownPrice | undefined, wonPerGram: bigint): boolean {
  if (!last || last.source === 'seed') return false
  const wider =
    JUMP_PERCENT + JUMP_PERCENT_A_DAY * BigInt(Math.floor(Math.max(last.ageSeconds, 0) / DAY_SECONDS))
  const percent = wider < MOST_JUMP_PERCENT ? wider : MOST_JUMP_PERCENT
  return differsBy(percent, wonPerGram, last.wonPerGram)
}

const MOST_BY_HAND_PERCENT = 50n
const FEED_COUNTS_SECONDS = DAY_SECONDS
const MOVED_PERCENT = 5n

interface KnownPrice {
  wonPerGram: bigint
  source: string
  ageSeconds: number
}

function differsBy(percent: bigint, a: bigint, b: bigint): boolean {
  return (a > b ? a - b : b - a) * 100n > b * percent
}

// A price by hand stays within half of what the feed said last, within a day, however many people ask. Without a feed
// the last price counts. What a sandbox was born with measures nothing.
export function isBeyondHand(
  { last, feed }: { last: KnownPrice | undefined; feed: KnownPrice | undefined },
  wonPerGram: bigint,
): boolean {
  const measure = feed && feed.ageSeconds <= FEED_COUNTS_SECONDS ? feed : last
  if (!measure || measure.source === 'seed') return false
  return differsBy(MOST_BY_HAND_PERCENT, wonPerGram, measure.wonPerGram)
}

// Between a request and its approval: what was right an hour ago may give metal away now.
export function hasMoved(then: bigint, now: bigint): boolean {
  return differsBy(MOVED_PERCENT, now, then)
}

// Anything but the cautious direction: a smaller spread or fee, or trading on older prices.
export function favoursBuyers(
  before: Omit<TradingTerms, 'stopped'>,
  after: Omit<TradingTerms, 'stopped'>,
): boolean {
  return (
    after.spreadBps < before.spreadBps ||
    after.feeBps < before.feeBps ||
    after.maxAgeSeconds > before.maxAgeSeconds
  )
}

const HOUR = 3_600
// Some 150 moments each: what a chart of a phone's width can show.
const STEPS: Record<Period, { seconds: number; count: number }> = {
  '1d': { seconds: HOUR / 6, count: 144 },
  '1w': { seconds: HOUR, count: 168 },
  '1m': { seconds: 5 * HOUR, count: 144 },
  '1y': { seconds: 60 * HOUR, count: 146 },
}

export function stepsOf(period: Period): { seconds: number; count: number } {
  return STEPS[period]
}

// How closely the past is kept: so many seconds apart, for so long back.
const PAST: readonly { seconds: number; back: number }[] = [
  { seconds: 300, back: 24 * HOUR },
  { seconds: HOUR, back: 31 * 24 * HOUR },
  { seconds: 24 * HOUR, back: 367 * 24 * HOUR },
]

// Moments of the past year at which a chart wants a price, as seconds; whole multiples, so that the same come again.
export function pastMoments(nowSeconds: number): number[] {
  const moments = new Set<number>()
  for (const { seconds, back } of PAST) {
    const first = Math.ceil((nowSeconds - back) / seconds) * seconds
    for (let at = first; at < nowSeconds; at += seconds) moments.add(at)
  }
  return [...moments].sort((a, b) => a - b)
}
