import { assert } from '#base/assert.ts'
import { asciiArray, bigintArray, uuidArray } from '#base/db/binary-arrays.ts'
import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import { Batcher } from '#base/queues/batch.ts'
import type { TradingMetrics } from '#flows/trading/metrics.ts'
import { spreadWonOf } from '#modules/pricing/rules.ts'
import type { Metal, Wish } from '#modules/pricing/types.ts'
import { splitOf } from '#modules/trading/rules.ts'
import type { Deal, QuoteId } from '#modules/trading/types.ts'

export type QuoteCommand = Wish & { holderId: string; metal: Metal }

export interface Quote extends Deal {
  id: QuoteId
  spreadWon: bigint
  rounding: bigint
  // What it would take if it were ordered now, and what is not there for it.
  fromPoints: bigint
  fromDeposit: bigint
  lackingWon: bigint
  lackingUnits: bigint
  expiresAt: Temporal.Instant
  expiresInSeconds: number
}

// The first that applies.
type QuoteRefusal = 'trading_stopped' | 'prices_stale' | 'amount_too_small'
type QuoteOutcome = { kind: 'quoted'; quote: Quote } | { kind: 'refused'; reason: QuoteRefusal }

export type QuoteOrder = (command: QuoteCommand) => Promise<QuoteOutcome>

export const MAX_UNITS = 10_000_000_000n // a ton: beyond it sums would leave what a number can hold
const SECONDS = 60

// Price, terms, figures, the quote's row and the holder's balances, all of one moment, in one statement. The figures
// are those of `workOut` (modules/pricing/model.ts), and a property test compares the two. Buying floors the metal
// and ceils its cost; selling does the opposite.
const QUOTE = {
  name: 'quote_orders',
  text: `with clock as materialized (select service_now() as now),
    market as materialized (
      select m.metal, p.won_per_gram as reference, p.at as price_at, p.source as price_source, t.spread_bps, t.fee_bps,
             (p.won_per_gram * (20000 + t.spread_bps) + 19999) / 20000 as ask,
             greatest(p.won_per_gram * (20000 - t.spread_bps) / 20000, 1) as bid,
             case when t.stopped then 'trading_stopped'
                  when p.at is null or p.at < clock.now - t.max_age_seconds * interval '1 second'
                       -- A price from before a restore was replaced in the lost time.
                       or p.at <= (select max(service_at) from restoration) then 'prices_stale'
             end as refusal
        from clock, unnest(array['XAU', 'XAG']) as m (metal)
       cross join lateral current_terms(m.metal) t
        left join lateral newest_price(m.metal, clock.now) p on true),
    asked as (
      select c.*, m.reference, m.price_at, m.price_source, m.spread_bps, m.fee_bps, m.refusal,
             case c.side when 'buy' then m.ask else m.bid end as price
        from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) with ordinality
             as c (id, holder_id, side, metal, won, wanted, i)
        join market m on m.metal = c.metal),
    sized as (
      select *, case when won is null then wanted
                     when side = 'buy' then won * 10000 / (10000 + fee_bps) * 10000 / price
                     else ((won * 10000 + 9999 - fee_bps) / (10000 - fee_bps) * 10000 + price - 1) / price
                end as units from asked),
    priced as (
      select *, case side when 'buy' then (units * price + 9999) / 10000 else units * price / 10000 end as metal_won
        from sized),
    charged as (select *, (metal_won * fee_bps + 9999) / 10000 as fee from priced),
    summed as (select *, case side when 'buy' then metal_won + fee else metal_won - fee end as total from charged),
    worked as materialized (
      select *, coalesce(refusal, case when units < 1 or total < 1 then 'amount_too_small' else 'quoted' end) as outcome,
             case when won is null then 0 else abs(won - total) end as rounding,
             now + $7::int * interval '1 second' as expires_at
        from summed, clock),
    kept as (
      insert into trade_quote (id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps, metal_won, fee,
                               total, rounding, created_at, expires_at, price_at, price_source)
      select id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps, metal_won, fee,
             total, rounding, now, expires_at, price_at, price_source
        from worked where outcome = 'quoted')
    select w.outcome, w.id, w.side, w.metal, w.units, w.reference, w.price, w.spread_bps as "spreadBps",
           w.fee_bps as "feeBps", w.metal_won as "metalWon", w.fee, w.total, w.rounding, w.expires_at as "expiresAt",
           h.points, h.deposit, case w.metal when 'XAU' then h.gold else h.silver end as held
      from worked w
     cross join lateral balances_of(w.holder_id) h
     order by w.i`,
}

interface QuoteRow extends Deal {
  outcome: 'quoted' | QuoteRefusal
  id: QuoteId
  rounding: bigint
  expiresAt: Temporal.Instant
  points: bigint
  deposit: bigint
  held: bigint
}

// Quotes gather like lookups do.
export function createQuoteOrder({
  database,
  metrics,
}: {
  database: Database
  metrics: BatchMetrics & TradingMetrics
}): QuoteOrder {
  const batcher = new Batcher<QuoteCommand, QuoteOutcome>({
    run: (commands) => quoteOrders(database, commands),
    maxSize: 64,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: 2_000,
    onBatch: (size) => metrics.batchSize.observe({ batch: 'quote' }, size),
  })
  return async (command) => {
    const size = 'won' in command ? command.won : command.units
    assert(size >= 0n && size <= MAX_UNITS, 'the edge lets no other amount through')
    const outcome = await batcher.submit(command)
    metrics.quotes.inc({ outcome: outcome.kind === 'refused' ? outcome.reason : outcome.kind })
    return outcome
  }
}

async function quoteOrders(database: Database, commands: readonly QuoteCommand[]): Promise<QuoteOutcome[]> {
  const rows = await database.writeOnce<QuoteRow>(QUOTE, [
    uuidArray(commands, () => newId<'quote'>()),
    uuidArray(commands, (c) => c.holderId),
    asciiArray(commands, (c) => c.side),
    asciiArray(commands, (c) => c.metal),
    bigintArray(commands, (c) => ('won' in c ? c.won : null)),
    bigintArray(commands, (c) => ('units' in c ? c.units : null)),
    SECONDS,
  ])
  return rows.map(({ outcome, points, deposit, held, ...deal }) => {
    if (outcome !== 'quoted') return { kind: 'refused', reason: outcome }
    const isPurchase = deal.side === 'buy'
    const split = splitOf({ points, deposit }, isPurchase ? deal.total : 0n)
    const quote: Quote = {
      ...deal,
      spreadWon: spreadWonOf(deal.units, deal.reference, deal.metalWon),
      fromPoints: split.fromPoints,
      fromDeposit: split.fromDeposit,
      lackingWon: split.lacking,
      lackingUnits: isPurchase || held >= deal.units ? 0n : deal.units - held,
      expiresInSeconds: SECONDS,
    }
    return { kind: 'quoted', quote }
  })
}
