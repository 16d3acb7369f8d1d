import { sql } from 'kysely'
import type { Database, Reader } from '#base/db/db.ts'
import type { BalanceDifference } from '#modules/closed-days/types.ts'
import {
  type Acting,
  CARD_OF_TRANSFER,
  type Covered,
  IS_OF_ITS_CARD,
  type Pacing,
  pause,
  type Range,
} from './read-movements.ts'

const SHOWN = 100 // more rows than anybody looks at one by one

// A row on which two sources differ, and what each says. day: the day that it keeps open; null: all of them.
export interface Difference {
  row: 'transfer' | 'card' | 'account'
  id: string
  day: string | null
  byTransfers: string
  byRow: string
}

const TRANSFERS = {
  name: 'list_close_differences',
  text: `select 'transfer' as row, t.id::text as id, seoul_date(t.at) as day,
                t.kind || ' of ' || t.amount || ' at ' || t.at::text || ', card ' || coalesce(t.card_id::text, 'none') as "byTransfers",
                case when c.id is null then 'there is no such card'
                     else 'the card has ' || c.amount || ', ' || coalesce(t.kind || ' at ' || c.cause::text, 'and no ' || t.kind) end as "byRow"
           from transfer t ${CARD_OF_TRANSFER}
          where t.id > $1::bigint and t.id <= $2::bigint and (t.id > $3::bigint or seoul_date(t.at) > $4::date)
            and not coalesce(${IS_OF_ITS_CARD}, false)
          order by t.id limit ${SHOWN}`,
}

export function listWrongTransfers(database: Reader, range: Range, covered: Covered): Promise<Difference[]> {
  return database.read<Difference>(TRANSFERS, [range.after, range.through, covered.throughId, covered.day])
}

const ACTS = { issue: 'issued_at', redeem: 'used_at', void: 'voided_at', expire: 'expired_at' } as const

type Kind = keyof typeof ACTS
export type ActCounts = Record<Kind, bigint>

// How many cards say that something happened to them in the period, each from its index alone.
const COUNTS = {
  name: 'count_card_acts',
  text: `select ${Object.entries(ACTS)
    .map(
      ([kind, at]) =>
        `(select count(*) from gift_card where ${at} >= $1::timestamptz and ${at} < $2::timestamptz) as ${kind}`,
    )
    .join(', ')}`,
}

// By the transfers that were read. A card has one transfer of a kind (listCardsMovedTwice), and each of these was found at its card.
// So if there are as many of them as cards say, every card has its own, and none needs to be looked at.
export async function hasEveryAct(
  database: Reader,
  counted: ActCounts,
  { from, end }: Acting,
): Promise<boolean> {
  const [cards] = await database.read<ActCounts>(COUNTS, [from, end])
  return Object.keys(ACTS).every((kind) => cards![kind as Kind] === counted[kind as Kind])
}

// Cards by the time of an act, in the order of its index, each probed for its transfer. The last row says where to go on.
const cardsOf = (kind: Kind, at: string) => ({
  name: `list_cards_without_${kind}`,
  text: `with page as materialized (
      select id, ${at} as at, amount from gift_card
       where ${at} is not null and (${at}, id) > ($1::timestamptz, $2::uuid) and ${at} < $3::timestamptz
       order by ${at}, id limit $4::int),
    checked as (
      select p.id, p.at, p.amount, exists (select from transfer t where t.card_id = p.id and t.kind = '${kind}') as fine from page p)
    (select id::text as id, at, amount, fine from checked where not fine order by at, id limit ${SHOWN})
    union all
    (select id::text, at, amount, true from (select * from page order by at desc, id desc limit 1) last
      where (select count(*) from page) = $4::int)`,
})

interface CardRow {
  id: string
  at: Temporal.Instant
  amount: bigint
  // The last card of a full page.
  fine: boolean
}

// Cards that say that something happened to them in a period, and have no transfer for it.
export async function listCardsWithoutTransfer(
  database: Reader,
  { from, end }: Acting,
  pacing: Pacing,
): Promise<Difference[]> {
  const found: Difference[] = []
  for (const [kind, column] of Object.entries(ACTS)) {
    const statement = cardsOf(kind as Kind, column)
    let place: [at: string, id: string] = [from, '00000000-0000-0000-0000-000000000000']
    for (;;) {
      const began = performance.now()
      const rows = await database.read<CardRow>(statement, [...place, end, pacing.chunk])
      found.push(...rows.filter(({ fine }) => !fine).map((card) => withoutTransfer(card, kind)))
      const last = rows.find(({ fine }) => fine)
      if (!last || found.length >= SHOWN) break
      place = [last.at.toString(), last.id]
      await pause(began, pacing)
    }
  }
  return found.slice(0, SHOWN)
}

function withoutTransfer({ id, at, amount }: CardRow, kind: string): Difference {
  const day = at.toZonedDateTimeISO('Asia/Seoul').toPlainDate().toString()
  return { row: 'card', id, day, byTransfers: `no ${kind}`, byRow: `${kind} of ${amount} at ${at}` }
}

// A card has one transfer of a kind as long as this index makes it so, or a later one of the same columns.
const ONE_OF_A_KIND = {
  name: 'find_index_of_card_acts',
  text: `select from pg_index i
          where i.indrelid = 'transfer'::regclass::oid and i.indisunique and i.indisvalid and i.indisready and i.indpred is null
            and i.indnkeyatts = 2::smallint
            and 2 = (select count(*)::int from pg_attribute a
                      where a.attrelid = i.indrelid and a.attname in ('card_id', 'kind') and a.attnum in (i.indkey[0], i.indkey[1]))`,
}

// Cards for which something happened twice: among these transfers, or among all up to the position if nothing keeps them apart.
export async function listCardsMovedTwice(
  database: Database,
  { after, through }: Range,
  isEqual: boolean,
): Promise<Difference[]> {
  const isKept = (await database.read(ONE_OF_A_KIND, [])).length > 0
  if (isKept && isEqual) return []
  return database.withSnapshot(async (db) => {
    const { rows } = await sql<Difference>`
      select 'card' as row, card_id::text as id, seoul_date(min(at)) as day,
             count(*) || ' of ' || kind as "byTransfers", 'one ' || kind as "byRow"
        from transfer where id > ${isKept ? after : 0n} and id <= ${through} and card_id is not null
       group by card_id, kind having count(*) > 1 order by min(id) limit ${sql.lit(SHOWN)}`.execute(db)
    return rows
  })
}

// Which accounts of a group are not what their transfers make them. Reads all transfers, so only where there is a difference.
export function listWrongAccounts(
  database: Database,
  differences: readonly BalanceDifference[],
): Promise<Difference[]> {
  return database.withSnapshot(async (db) => {
    const { rows } = await sql<Difference>`
      with wrong as (
        select a.id from account a
          join unnest(${differences.map((d) => d.account)}::text[], ${differences.map((d) => d.asset)}::text[],
                      ${differences.map((d) => d.partnerId)}::int[]) as d (kind, asset, partner_id)
            on a.kind = d.kind and a.asset = d.asset and coalesce(a.partner_id, 0) = d.partner_id)
      select 'account' as row, a.id::text as id, null as day,
             coalesce(m.net, 0)::text as "byTransfers", a.kind || ' ' || a.asset || ': ' || a.balance as "byRow"
        from account a join wrong w on w.id = a.id
        left join (select account, sum(net) as net
                     from (select credit_account as account, amount as net from transfer
                           union all select debit_account, -amount from transfer) legs
                    group by account) m on m.account = a.id
       where a.balance <> coalesce(m.net, 0) order by a.id limit ${SHOWN}`.execute(db)
    return rows.length > 0 ? rows : differences.map(unexplained)
  })
}

// The accounts agree with their transfers now, so what earlier days were closed with does not.
function unexplained({ account, asset, partnerId, byTransfers, byAccounts }: BalanceDifference): Difference {
  const id = partnerId === 0 ? `${account} ${asset}` : `${account} ${asset} of partner ${partnerId}`
  return {
    row: 'account',
    id,
    day: null,
    byTransfers: `${byTransfers} with the closed days`,
    byRow: `${byAccounts}`,
  }
}
