import type { Database } from '#base/db/db.ts'
import { isJump, isPrice, pastMoments } from '#modules/pricing/rules.ts'
import { insertPastPrices, insertPrices, type Reading, readLastPrices } from '#modules/pricing/store.ts'
import { METALS, type Metal } from '#modules/pricing/types.ts'

export interface Recorded {
  metal: Metal
  outcome: 'recorded' | 'held_back'
}

// Writes what a feed says. A reading that is too far from the last one is held back. Then the price grows old and trading
// stops by itself. An operator who finds the reading right sets it by hand (`price set`).
export async function recordPrices(
  database: Database,
  source: string,
  readings: readonly Reading[],
): Promise<Recorded[]> {
  const last = await readLastPrices(database)
  const outcomes = readings.map((reading) => {
    const before = last.find(({ metal }) => metal === reading.metal)
    return { reading, heldBack: !isPrice(reading.wonPerGram) || isJump(before, reading.wonPerGram) }
  })
  const believed = outcomes.filter(({ heldBack }) => !heldBack).map(({ reading }) => reading)
  if (believed.length > 0) await database.withTransaction((tx) => insertPrices(tx, source, believed))
  return outcomes.map(({ reading, heldBack }) => ({
    metal: reading.metal,
    outcome: heldBack ? 'held_back' : 'recorded',
  }))
}

const GAP_SECONDS = 600 // of ten readings

const NOW = { name: 'service_now', text: 'select service_now() as now' }

export async function readServiceNow(database: Database): Promise<Temporal.Instant> {
  const [row] = await database.read<{ now: Temporal.Instant }>(NOW, [])
  return row!.now
}

// For a feed that knows the past: fills the charts with a year at the first start, and fills gaps after a standstill
// or a sandbox's clock advance. Runs before the present is recorded, so that a kill in between leaves the gap
// visible.
export async function fillPast(
  database: Database,
  source: string,
  now: Temporal.Instant,
  past: (metal: Metal, at: Temporal.Instant) => bigint,
): Promise<number> {
  const last = await readLastPrices(database)
  const gaps = METALS.filter((metal) => {
    const newest = last.find((price) => price.metal === metal)
    return !newest || newest.source === 'seed' || newest.ageSeconds > GAP_SECONDS
  })
  if (gaps.length === 0) return 0
  const moments = pastMoments(now.epochMilliseconds / 1_000)
  const rows = gaps.flatMap((metal) =>
    moments.map((at) => ({
      metal,
      at,
      wonPerGram: past(metal, Temporal.Instant.fromEpochMilliseconds(at * 1_000)),
    })),
  )
  return database.withTransaction((tx) => insertPastPrices(tx, source, rows))
}
