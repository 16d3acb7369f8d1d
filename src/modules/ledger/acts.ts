import type { Reader } from '#base/db/db.ts'
import {
  type Balances,
  balancesOf,
  CREDITS,
  DEBITS,
  isMovement,
  type MovementKind,
  NEWEST,
  type Place,
  type Row,
} from './movements.ts'
import type { Asset } from './types.ts'

// What one act moved of one asset.
interface Leg {
  id: bigint
  asset: Asset
  change: bigint
  // Of the asset, after it. Null in a list of one asset, for the others.
  balance: bigint | null
}

// Movements of one kind that were written together: an order, a withdrawal, a registered card.
export interface Act {
  groupId: string
  kind: MovementKind
  at: Temporal.Instant
  cardId: string | null
  // As they were written.
  legs: Leg[]
}

// An act moves each asset once at most, so this many movements hold that many acts. A few more: one act tells whether there
// is a next page, and acts of the last page may have movements that are older than the cursor.
const windowOf = (assets: readonly Asset[], limit: number) => (limit + 4) * assets.length

// The newest movements of the chosen assets name the acts; all movements of each are then found by its group, through the
// index that has these kinds. Acts of the other kinds have one movement only. Offset 0 keeps it a probe of the index.
const ACTS = {
  name: 'read_acts',
  text: `with mine as materialized (select id, asset, balance from account where holder_id = $1::uuid),
    seen as materialized (
      select t.* from mine a cross join lateral (
               (${DEBITS} and t.id < $3::bigint order by t.id desc limit $4::int)
               union all
               (${CREDITS} and t.id < $3::bigint order by t.id desc limit $4::int)) t
       where a.asset = any ($2::text[])
       order by t.id desc limit $4::int)
    select null::bigint as id, null::timestamptz as at, null as kind, a.asset, a.balance as change,
           null::uuid as "groupId", null::uuid as "cardId"
      from mine a
    union all
    select id, at, kind, asset, change, group_id, card_id from seen
     where kind in ('redeem', 'withdraw', 'withdraw_back', 'adjust_up', 'adjust_down', 'refund')
    union all
    select t.id, t.at, t.kind, t.asset, case t.credit_account when a.id then t.amount else -t.amount end,
           t.group_id, t.card_id
      from (select distinct group_id, kind from seen) s
     cross join lateral (select t.* from transfer t
                          where t.group_id = s.group_id and t.kind = s.kind
                            and t.kind in ('buy', 'sell', 'grant', 'join', 'waive') offset 0) t
      join mine a on a.id in (t.debit_account, t.credit_account)`,
}

// Newest first. An act stands where its newest movement of the chosen assets stands, so a page never cuts one in two.
export async function readActs(
  database: Reader,
  holderId: string,
  { assets, from, limit }: { assets: readonly Asset[]; from: Place | undefined; limit: number },
): Promise<{ acts: Act[]; next: Place | null }> {
  const before = from?.before ?? NEWEST
  const window = windowOf(assets, limit)
  const rows = await database.read<Row>(ACTS, [holderId, assets, before, window])
  const balances = from ? { ...from.balances } : balancesOf(rows)
  const all = gather(rows.filter(isMovement))
    .map((act) => ({ act, place: placeOf(act, assets) }))
    // Shown on the page before; only a part of it is older than the cursor.
    .filter(({ place }) => place < before)
    .sort((a, b) => (a.place < b.place ? 1 : -1))
  const shown = all.slice(0, limit)
  const acts = shown.map(({ act }) => withBalances(act, assets, balances))
  const last = shown.at(-1)
  return { acts, next: all.length > limit && last ? { before: last.place, balances } : null }
}

function gather(rows: readonly (Row & { id: bigint })[]): Act[] {
  const acts = Map.groupBy(rows, ({ groupId, kind }) => `${groupId} ${kind}`)
  return [...acts.values()].map((legs) => {
    const { groupId, kind, at, cardId } = legs[0]!
    const sorted = legs.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return {
      groupId,
      kind,
      at,
      cardId,
      legs: sorted.map(({ id, asset, change }) => ({ id, asset, change, balance: null })),
    }
  })
}

function placeOf({ legs }: Act, assets: readonly Asset[]): bigint {
  const ids = legs.filter(({ asset }) => assets.includes(asset)).map(({ id }) => id)
  return ids.reduce((a, b) => (a > b ? a : b))
}

// Goes back by one act. A transaction that moves an asset holds its account until the commit. So two acts that share
// an asset have the same order there as in the list.
function withBalances(act: Act, assets: readonly Asset[], balances: Balances): Act {
  const legs = act.legs.map((leg) => {
    if (!assets.includes(leg.asset)) return leg
    const balance = balances[leg.asset]
    balances[leg.asset] = balance - leg.change
    return { ...leg, balance }
  })
  return { ...act, legs }
}
