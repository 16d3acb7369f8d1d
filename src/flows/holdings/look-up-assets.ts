import { assert } from '#base/assert.ts'
import { intArray } from '#base/db/binary-arrays.ts'
import type { Reader } from '#base/db/db.ts'
import { Unavailable } from '#base/db/errors.ts'
import { wonFromJson } from '#base/money.ts'
import { Batcher, Failed } from '#base/queues/batch.ts'
import { valueOfMetal } from '#modules/pricing/rules.ts'

export interface MetalHolding {
  // In units of 0.0001 g.
  units: bigint
  wonPerGram: bigint
  value: bigint
}

export interface Assets {
  asOf: Temporal.Instant
  points: bigint
  deposit: bigint
  gold: MetalHolding
  silver: MetalHolding
  totalValue: bigint
}

type AssetsOutcome =
  | { kind: 'found'; assets: Assets; linkId: string }
  | { kind: 'not_found' }
  | { kind: 'user_suspended'; linkId: string }

export type LookUpAssets = (partnerId: number, partnerKey: string) => Promise<AssetsOutcome>

const NOT_FOUND = { kind: 'not_found' } as const

interface Wanted {
  partnerId: number
  partnerKey: string
}

interface Moment {
  now: Temporal.Instant
  gold_price: bigint | null
  silver_price: bigint | null
}

interface Balances {
  points: bigint
  deposit: bigint
  gold: bigint
  silver: bigint
}

// One for each that was asked for; `active` is null where there is no such user.
interface AssetsRow extends Moment {
  users: [
    linkId: string,
    active: boolean | null,
    points: number,
    deposit: number,
    gold: number,
    silver: number,
  ][]
}

// Members, their accounts and the price in one read, so that all figures are of one moment. A confirmed link sees
// what the member holds; an unconfirmed one only what came in through it. Lateral joins and one JSON value for all, like
// the lookup of cards: each user is a probe of unique indexes.
const ASSETS = {
  name: 'look_up_assets',
  text: `with moment as materialized (
      select now, (select won_per_gram from newest_price('XAU', now)) as gold_price,
             (select won_per_gram from newest_price('XAG', now)) as silver_price
        from (select service_now() as now offset 0) clock)
    select moment.*, (
      select json_agg(json_build_array(u.id, u.active, h.points, h.deposit, h.gold, h.silver) order by w.i)
        from unnest($1::int[], $2::text[]) with ordinality as w (partner_id, partner_key, i)
        left join lateral (
               select id, status = 'active' as active, link_holder(confirmed, member_id, id) as holder_id
                 from partner_user where partner_id = w.partner_id and partner_key = w.partner_key) u on true
       cross join lateral balances_of(u.holder_id) h) as users
      from moment`,
}

// Lookups gather like those of cards.
export function createLookUpAssets(database: Reader, onBatch: (size: number) => void): LookUpAssets {
  const batcher = new Batcher<Wanted, AssetsOutcome>({
    run: (wanted) => lookUpAssets(database, wanted),
    maxSize: 128,
    maxInFlight: 1,
    maxWaiting: 5_000,
    onBatch,
  })
  return (partnerId, partnerKey) => batcher.submit({ partnerId, partnerKey })
}

async function lookUpAssets(
  database: Reader,
  wanted: readonly Wanted[],
): Promise<(AssetsOutcome | Failed)[]> {
  const [row] = await database.read<AssetsRow>(ASSETS, [
    intArray(wanted, (w) => w.partnerId),
    wanted.map((w) => w.partnerKey),
  ])
  const { users, ...moment } = row!
  assert(users.length === wanted.length, 'there is an answer for each')
  return users.map(([linkId, active, ...balances]) => {
    if (active === null) return NOT_FOUND
    if (!active) return { kind: 'user_suspended', linkId }
    try {
      const [points, deposit, gold, silver] = balances.map(wonFromJson) as Four
      return { kind: 'found', assets: valueHoldings({ points, deposit, gold, silver }, moment), linkId }
    } catch (error) {
      // A balance beyond what JSON can say fails its holder's request, not those of others in the batch.
      return new Failed(error)
    }
  })
}

type Four = [bigint, bigint, bigint, bigint]

// The value of the holdings at the prices of the moment.
export function valueHoldings(row: Balances, moment: Moment): Assets {
  const { points, deposit } = row
  const gold = holding(row.gold, moment.gold_price)
  const silver = holding(row.silver, moment.silver_price)
  return {
    asOf: moment.now,
    points,
    deposit,
    gold,
    silver,
    totalValue: points + deposit + gold.value + silver.value,
  }
}

function holding(units: bigint, wonPerGram: bigint | null): MetalHolding {
  if (wonPerGram === null) throw new Unavailable('there is no price of this metal yet')
  return { units, wonPerGram, value: valueOfMetal(units, wonPerGram) }
}
