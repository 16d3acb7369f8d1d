import type { Reader } from '#base/db/db.ts'
import { ASSETS, type Asset } from './types.ts'

export type MovementKind =
  | 'redeem'
  | 'buy'
  | 'sell'
  | 'withdraw'
  | 'withdraw_back'
  | 'join'
  | 'waive'
  | 'grant'
  | 'adjust_up'
  | 'adjust_down'
  | 'refund'

// A transfer as the holder of one of its accounts sees it.
export interface Movement {
  id: bigint
  at: Temporal.Instant
  kind: MovementKind
  asset: Asset
  // In the asset's own unit, signed.
  change: bigint
  // Of the asset, after it.
  balance: bigint
  // Of an order or a withdrawal.
  groupId: string
  cardId: string | null
}

export type Balances = Record<Asset, bigint>

// Where a page ends: below this movement, and what was held after the next older one.
export interface Place {
  before: bigint
  balances: Balances
}

// The kinds stand as they do in the two partial indexes, so that those serve it.
export const DEBITS = `
  select t.id, t.at, t.kind, t.asset, -t.amount as change, t.group_id, t.card_id from transfer t
   where t.debit_account = a.id and t.kind in ('buy', 'sell', 'withdraw', 'join', 'waive', 'adjust_down')`
export const CREDITS = `
  select t.id, t.at, t.kind, t.asset, t.amount, t.group_id, t.card_id from transfer t
   where t.credit_account = a.id
     and t.kind in ('redeem', 'grant', 'buy', 'sell', 'withdraw_back', 'join', 'adjust_up', 'refund')`

// Balances and movements of one snapshot: a row of its own for each asset that is held, with no movement in it.
const PAGE = {
  name: 'read_movements',
  text: `with mine as materialized (
      select id, asset, balance from account where holder_id = $1::uuid and asset = any ($2::text[]))
    select null::bigint as id, null::timestamptz as at, null as kind, a.asset, a.balance as change,
           null::uuid as "groupId", null::uuid as "cardId"
      from mine a
    union all
    (select t.id, t.at, t.kind, t.asset, t.change, t.group_id, t.card_id
       from mine a cross join lateral (
              (${DEBITS} and t.id < $3::bigint order by t.id desc limit $4::int)
              union all
              (${CREDITS} and t.id < $3::bigint order by t.id desc limit $4::int)) t
      order by t.id desc limit $4::int)`,
}

export type Row = Omit<Movement, 'id' | 'balance'> & { id: bigint | null }

export const NEWEST = 9_223_372_036_854_775_807n

// One more than asked for tells whether there are more.
export async function readMovements(
  database: Reader,
  holderId: string,
  { assets, from, limit }: { assets: readonly Asset[]; from: Place | undefined; limit: number },
): Promise<{ movements: Movement[]; next: Place | null }> {
  const rows = await database.read<Row>(PAGE, [holderId, assets, from?.before ?? NEWEST, limit + 1])
  const held = balancesOf(rows)
  const balances = from ? { ...from.balances } : held
  const found = rows.filter(isMovement).sort((a, b) => (a.id < b.id ? 1 : -1))
  const movements = found.slice(0, limit).map((row) => {
    const balance = balances[row.asset]
    balances[row.asset] = balance - row.change
    return { ...row, balance }
  })
  const last = movements.at(-1)
  return { movements, next: found.length > limit && last ? { before: last.id, balances } : null }
}

export function isMovement(row: Row): row is Row & { id: bigint } {
  return row.id !== null
}

export function balancesOf(rows: readonly Row[]): Balances {
  const balances = Object.fromEntries(ASSETS.map((asset) => [asset, 0n])) as Balances
  for (const row of rows) if (!isMovement(row)) balances[row.asset] = row.change
  return balances
}

// All movements since a Seoul day. Those after the period are needed to work out what was held at its end. The query reads
// every movement that the holder ever made, which stays small for a person.
const SINCE = {
  name: 'read_movements_since',
  text: `with mine as materialized (select id, asset, balance from account where holder_id = $1::uuid)
    select null::bigint as id, service_now() as at, null as kind, w.asset, coalesce(a.balance, 0) as change,
           null::uuid as "groupId", null::uuid as "cardId"
      from unnest(array['KRW_POINT', 'KRW', 'XAU', 'XAG']) as w (asset) left join mine a on a.asset = w.asset
    union all
    (select t.id, t.at, t.kind, t.asset, t.change, t.group_id, t.card_id
       from mine a cross join lateral (${DEBITS} union all ${CREDITS} offset 0) t
      where t.at >= ($2::date::timestamp at time zone 'Asia/Seoul')
      order by t.id desc limit $3::int)`,
}

export interface MovementsOfPeriod {
  madeAt: Temporal.Instant
  opening: Balances
  closing: Balances
  // Oldest first.
  movements: Movement[]
}

// Both days included; `end` is the first moment after them. Undefined: there are more than can be shown at once.
export async function readMovementsOfPeriod(
  database: Reader,
  holderId: string,
  { from, end, limit }: { from: Temporal.PlainDate; end: Temporal.Instant; limit: number },
): Promise<MovementsOfPeriod | undefined> {
  const rows = await database.read<Row>(SINCE, [holderId, from.toString(), limit + 1])
  const since = rows.filter(isMovement).sort((a, b) => (a.id < b.id ? -1 : 1))
  if (since.length > limit) return undefined
  const opening = balancesOf(rows)
  for (const { asset, change } of since) opening[asset] -= change
  const running = { ...opening }
  const movements = since
    .filter(({ at }) => Temporal.Instant.compare(at, end) < 0)
    .map((row) => {
      running[row.asset] += row.change
      return { ...row, balance: running[row.asset] }
    })
  return { madeAt: rows.find((row) => !isMovement(row))!.at, opening, closing: running, movements }
}
