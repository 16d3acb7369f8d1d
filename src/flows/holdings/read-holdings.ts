import { uuidArray } from '#base/db/binary-arrays.ts'
import type { Reader } from '#base/db/db.ts'
import { Batcher } from '#base/queues/batch.ts'
import { type Assets, type MetalHolding, valueHoldings } from '#flows/holdings/look-up-assets.ts'
import { gainOf } from '#modules/pricing/rules.ts'
import type { Gain } from '#modules/pricing/types.ts'

export interface HeldMetal extends MetalHolding {
  // The cost of the holding, by moving average.
  cost: bigint
  gain: Gain
}

interface Holdings extends Assets {
  gold: HeldMetal
  silver: HeldMetal
  gain: Gain
}

export type ReadHoldings = (holderId: string) => Promise<Holdings>

// All figures are of one moment, and use the price that the partner's lookup shows.
const HOLDINGS = {
  name: 'read_holdings',
  text: `with clock as materialized (select service_now() as now)
    select clock.now, gold.won_per_gram as gold_price, silver.won_per_gram as silver_price, h.*
      from clock
      left join lateral newest_price('XAU', clock.now) gold on true
      left join lateral newest_price('XAG', clock.now) silver on true
     cross join unnest($1::uuid[]) with ordinality as w (holder_id, i)
     cross join lateral balances_of(w.holder_id) h
     order by w.i`,
}

interface HoldingsRow {
  now: Temporal.Instant
  gold_price: bigint | null
  silver_price: bigint | null
  points: bigint
  deposit: bigint
  gold: bigint
  silver: bigint
  gold_cost: bigint
  silver_cost: bigint
}

// Questions gather like those of partners.
export function createReadHoldings(database: Reader): ReadHoldings {
  const batcher = new Batcher<string, HoldingsRow>({
    run: (holders) => database.read<HoldingsRow>(HOLDINGS, [uuidArray(holders, (id) => id)]),
    maxSize: 64,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: 2_000,
  })
  return async (holderId) => {
    const row = await batcher.submit(holderId)
    const assets = valueHoldings(row, row)
    const gold = withCost(assets.gold, row.gold_cost)
    const silver = withCost(assets.silver, row.silver_cost)
    const gain = gainOf(gold.value + silver.value, gold.cost + silver.cost)
    return { ...assets, gold, silver, gain }
  }
}

function withCost(metal: MetalHolding, cost: bigint): HeldMetal {
  return { ...metal, cost, gain: gainOf(metal.value, cost) }
}
