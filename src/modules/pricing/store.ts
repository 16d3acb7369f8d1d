import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { stepsOf } from './rules.ts'
import type { Metal, MetalPrice, Period, TradingTerms } from './types.ts'

// Both metals with their terms, at one moment: probes of the newest row each.
const MARKET = {
  name: 'read_market',
  text: `with clock as materialized (select service_now() as now)
    select m.metal, clock.now, p.won_per_gram as reference, p.at, d.won_per_gram as "dayBefore",
           extract(epoch from clock.now - p.at)::float8 as "ageSeconds", t.spread_bps as "spreadBps",
           t.fee_bps as "feeBps", t.max_age_seconds as "maxAgeSeconds", t.stopped
      from clock, unnest(array['XAU', 'XAG']) as m (metal)
      left join lateral newest_price(m.metal, clock.now) p on true
      left join lateral newest_price(m.metal, clock.now - interval '24 hours') d on true
     cross join lateral current_terms(m.metal) t`,
}

interface MarketRow extends TradingTerms {
  metal: Metal
  now: Temporal.Instant
  reference: bigint | null
  at: Temporal.Instant | null
  dayBefore: bigint | null
  ageSeconds: number | null
}

export interface Market {
  now: Temporal.Instant
  // Null: there has been no price yet.
  metals: Record<Metal, MetalPrice | null>
  terms: Record<Metal, TradingTerms>
}

export async function readMarket(database: Reader): Promise<Market> {
  const rows = await database.read<MarketRow>(MARKET, [])
  const [gold, silver] = ['XAU', 'XAG'].map((metal) => rows.find((row) => row.metal === metal))
  assert(gold && silver, 'the migration sets terms for both metals')
  return {
    now: gold.now,
    metals: { XAU: priceOf(gold), XAG: priceOf(silver) },
    terms: { XAU: termsOf(gold), XAG: termsOf(silver) },
  }
}

function priceOf(row: MarketRow): MetalPrice | null {
  const { reference, at, dayBefore, ageSeconds } = row
  if (reference === null || at === null || ageSeconds === null) return null
  return { reference, at, dayBefore, ageSeconds, terms: termsOf(row) }
}

function termsOf({ spreadBps, feeBps, maxAgeSeconds, stopped }: MarketRow): TradingTerms {
  return { spreadBps, feeBps, maxAgeSeconds, stopped }
}

// Evenly spaced moments up to now, each with the newest price before it: a probe of the primary key per moment, however
// many prices there are.
const HISTORY = {
  name: 'read_price_history',
  text: `with clock as materialized (select service_now() as now)
    select m.at, p.won_per_gram as "wonPerGram"
      from clock cross join lateral (
             select to_timestamp(floor(extract(epoch from clock.now) / $2::int) * $2::int) - i * $2::int * interval '1 second'
               from generate_series($3::int, 0, -1) as i
             union all select clock.now) as m (at)
     cross join lateral newest_price($1::text, m.at) p`,
}

export interface PricePoint {
  at: Temporal.Instant
  wonPerGram: bigint
}

export function readPriceHistory(database: Reader, metal: Metal, period: Period): Promise<PricePoint[]> {
  const { seconds, count } = stepsOf(period)
  return database.read<PricePoint>(HISTORY, [metal, seconds, count])
}

export interface LastPrice {
  metal: Metal
  wonPerGram: bigint
  source: string
  ageSeconds: number
}

const LAST = {
  name: 'read_last_prices',
  text: `select m.metal, p.won_per_gram as "wonPerGram", p.source,
                extract(epoch from service_now() - p.at)::float8 as "ageSeconds"
           from unnest(array['XAU', 'XAG']) as m (metal)
          cross join lateral newest_price(m.metal, 'infinity') p`,
}

export function readLastPrices(database: Reader): Promise<LastPrice[]> {
  return database.read<LastPrice>(LAST, [])
}

// The limits of a price by hand: the newest price of any source, and the newest of a feed. Under the lock of the
// terms, so that two decisions happen one after the other.
export async function lockLastPrices(
  tx: Tx,
  metal: Metal,
): Promise<{ last: LastPrice | undefined; feed: LastPrice | undefined }> {
  await lockPricing(tx)
  const { rows } = await sql<LastPrice & { newest: boolean }>`
    select p.newest, p.metal, p.won_per_gram as "wonPerGram", p.source,
           extract(epoch from service_now() - p.at)::float8 as "ageSeconds"
      from ((select true as newest, * from newest_price(${metal}, 'infinity'))
            union all
            (select false, * from metal_price where metal = ${metal} and source not in ('operator', 'seed')
              order by at desc limit 1)) p`.execute(tx)
  return { last: rows.find(({ newest }) => newest), feed: rows.find(({ newest }) => !newest) }
}

// One moment and metal has one price: false if there is one of this very moment.
export async function insertPriceByHand(
  tx: Tx,
  { metal, wonPerGram, requestId }: { metal: Metal; wonPerGram: bigint; requestId: string },
): Promise<boolean> {
  const result = await sql`
    insert into metal_price (metal, at, won_per_gram, source, request_id)
    values (${metal}, service_now(), ${wonPerGram}, 'operator', ${requestId})
    on conflict (metal, at) do nothing`.execute(tx)
  return result.numAffectedRows === 1n
}

export interface OrderByHand {
  id: string
  at: Temporal.Instant
  holderId: string
  side: 'buy' | 'sell'
  metal: Metal
  units: bigint
  reference: bigint
  total: bigint
  askedBy: string | null
  approvedBy: string | null
}

// Orders at prices that people set, newest first, with who asked and who approved.
export async function listOrdersByHand(db: Db, limit: number): Promise<OrderByHand[]> {
  const { rows } = await sql<OrderByHand>`
    select o.id, o.at, o.holder_id as "holderId", o.side, o.metal, o.units, o.reference, o.total,
           r.maker as "askedBy", r.checker as "approvedBy"
      from trade_order o
      left join metal_price p on p.metal = o.metal and p.at = o.price_at
      left join change_request r on r.id = p.request_id
     where o.price_source = 'operator' order by o.at desc limit ${limit}`.execute(db)
  return rows
}

export interface Reading {
  metal: Metal
  wonPerGram: bigint
  ageMs: number
}

// One moment and metal has one price: the first that was written.
export async function insertPrices(tx: Tx, source: string, readings: readonly Reading[]): Promise<void> {
  await sql`
    insert into metal_price (metal, at, won_per_gram, source)
    select r.metal, service_now() - r.age * interval '1 millisecond', r.won, ${source}
      from unnest(${readings.map((r) => r.metal)}::text[], ${readings.map((r) => r.wonPerGram)}::bigint[],
                  ${readings.map((r) => Math.round(r.ageMs))}::bigint[]) as r (metal, won, age)
    on conflict do nothing`.execute(tx)
}

// At given moments, in seconds. Where something is known already, that stays.
export async function insertPastPrices(
  tx: Tx,
  source: string,
  past: readonly { metal: Metal; at: number; wonPerGram: bigint }[],
): Promise<number> {
  const result = await sql`
    insert into metal_price (metal, at, won_per_gram, source)
    select r.metal, to_timestamp(r.at), r.won, ${source}
      from unnest(${past.map((p) => p.metal)}::text[], ${past.map((p) => p.at)}::bigint[],
                  ${past.map((p) => p.wonPerGram)}::bigint[]) as r (metal, at, won)
    on conflict do nothing`.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

// Changes of the terms wait for each other: each starts from the one before.
export async function lockTerms(tx: Tx, metal: Metal): Promise<TradingTerms> {
  await lockPricing(tx)
  const { rows } = await sql<TradingTerms>`
    select spread_bps as "spreadBps", fee_bps as "feeBps", max_age_seconds as "maxAgeSeconds", stopped
      from current_terms(${metal})`.execute(tx)
  assert(rows[0], 'the migration sets terms for both metals')
  return rows[0]
}

async function lockPricing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(4857110)`.execute(tx)
}

export async function insertTerms(
  tx: Tx,
  metal: Metal,
  { spreadBps, feeBps, maxAgeSeconds, stopped }: TradingTerms,
  setBy: string,
  requestId?: string,
): Promise<void> {
  await tx
    .insertInto('trading_terms')
    .values({
      metal,
      spread_bps: spreadBps,
      fee_bps: feeBps,
      max_age_seconds: maxAgeSeconds,
      stopped,
      set_by: setBy,
      request_id: requestId ?? null,
      at: sql<Temporal.Instant>`service_now()`,
    })
    .execute()
}

// Every reading for five years, as long as an order can be questioned. Before that: the last one of each day, what an order
// names, and the first of all, before which no order can have been.
export async function thinOldPrices(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from metal_price where ctid = any(array(
      select p.ctid from metal_price p
       where p.metal in ('XAU', 'XAG') and p.at < service_now() - interval '5 years'
         and exists (select from metal_price l where l.metal = p.metal and l.at > p.at
                        and l.at < (seoul_date(p.at) + 1)::timestamp at time zone 'Asia/Seoul')
         and exists (select from metal_price f where f.metal = p.metal and f.at < p.at)
         and not exists (select from trade_order o where o.metal = p.metal and o.price_at = p.at)
       limit ${limit}))`.execute(tx)
  return result.numAffectedRows ?? 0n
}
