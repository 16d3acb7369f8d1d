import type { Database, Reader } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { idOf, type NotClosed } from '#flows/books/read-day.ts'
import { findSince } from '#flows/books/read-moved.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { findClosedDay } from '#modules/closed-days/store.ts'
import type { ClosedDay, IdRange } from '#modules/closed-days/types.ts'
import { mapPartnerCodes } from '#modules/partners/store.ts'

export interface DayRow {
  id: bigint
  at: Temporal.Instant
  belongsTo: string
  kind: string
  asset: string
  amount: bigint
  debit: string
  credit: string
  debitAccount: bigint
  creditAccount: bigint
  groupId: string
  cardId: string | null
}

export interface RowFilter {
  account?: string | undefined
  asset?: string | undefined
  kind?: string | undefined
  partner?: string | undefined
  belongsTo?: string | undefined
  after?: bigint | undefined
}

// In the order of their ids. Accounts are probed for each transfer of the day.
const ROWS = {
  name: 'list_rows_of_day',
  text: `select t.id, t.at, seoul_date(t.at) as "belongsTo", t.kind, t.asset, t.amount, d.kind as debit, c.kind as credit,
                t.debit_account as "debitAccount", t.credit_account as "creditAccount", t.group_id as "groupId", t.card_id as "cardId"
           from transfer t
          cross join lateral (select kind, partner_id from account where id = t.debit_account offset 0) d
          cross join lateral (select kind, partner_id from account where id = t.credit_account offset 0) c
           left join lateral (select partner_id from gift_card where id = t.card_id offset 0) g on true
          where t.id > greatest($1::bigint, $2::bigint) and t.id <= $3::bigint
            and seoul_date(t.at) <= $4::date and (t.id > $5::bigint or seoul_date(t.at) > $6::date)
            and ($7::text is null or t.asset = $7) and ($8::text is null or t.kind = $8)
            and ($9::text is null or $9 in (d.kind, c.kind))
            and ($10::int is null or $10 in (d.partner_id, c.partner_id, g.partner_id))
            and ($11::date is null or seoul_date(t.at) = $11) and ($13::timestamptz is null or t.at < $13)
          order by t.id limit $12::int`,
}

export type RowsRefusal = NotClosed | Refusal<'partner_not_found', { partner: string }>
type Rows = { kind: 'rows'; rows: DayRow[]; next: bigint | null }

// Transfers of a range of ids that a closed day does not cover, and that are of a day or of before it.
interface Place {
  range: IdRange
  covered: Pick<ClosedDay, 'day' | 'throughId'> | undefined
  day: string
  until: Temporal.Instant | null
}

const NEWEST = 2n ** 63n - 1n

// From a total of a closed day to its rows. next: where the next page begins; null if this is the last.
export async function listDayRows(
  database: Reader,
  date: string,
  filter: RowFilter,
  limit: number,
): Promise<Rows | RowsRefusal> {
  const day = await findClosedDay(database, date)
  if (!day) return refused('not_closed', { day: date })
  const before = await findClosedDay(database, Temporal.PlainDate.from(date).subtract({ days: 1 }).toString())
  const range = { after: (before?.readsFrom ?? 1n) - 1n, through: day.throughId }
  return listRows(database, [{ range, covered: before, day: date, until: null }], filter, limit)
}

// From what moved between the last closed day and a moment to its rows.
export async function listRowsUntil(
  database: Database,
  at: Temporal.Instant,
  filter: RowFilter,
  limit: number,
): Promise<Rows | RowsRefusal> {
  const { base, ranges } = await findSince(database, at)
  const day = seoulDate(at).toString()
  const places = ranges.map((range) => ({ range, covered: base, day, until: at }))
  return listRows(database, places, filter, limit)
}

async function listRows(
  database: Reader,
  places: readonly Place[],
  { account, asset, kind, partner, belongsTo, after }: RowFilter,
  limit: number,
): Promise<Rows | RowsRefusal> {
  const codes = await mapPartnerCodes(database)
  const partnerId = partner === undefined ? null : idOf(codes, partner)
  if (partnerId === undefined) return refused('partner_not_found', { partner: partner! })
  const rows: DayRow[] = []
  // Ranges follow one another, so the ids stay in order.
  for (const { range, covered, day, until } of places) {
    if (rows.length > limit) break
    const found = await database.read<DayRow>(ROWS, [
      range.after,
      after ?? 0n,
      range.through ?? NEWEST,
      day,
      covered?.throughId ?? 0n,
      covered?.day ?? '-infinity',
      asset ?? null,
      kind ?? null,
      account ?? null,
      partnerId,
      belongsTo ?? null,
      limit + 1 - rows.length,
      until?.toString() ?? null,
    ])
    rows.push(...found)
  }
  const page = rows.slice(0, limit)
  return { kind: 'rows', rows: page, next: rows.length > limit ? page.at(-1)!.id : null }
}
