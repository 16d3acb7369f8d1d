import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { withinDays } from '#flows/lists/conditions.ts'
import type { Asking, Filter, FilterValues, Names, Sort, Wanted } from '#flows/lists/list-types.ts'

// What the lists of messages share: those about cards, and notices to members.

export const MESSAGE_STATUS = {
  queued: { ko: '대기', en: 'Queued' },
  accepted: { ko: '접수', en: 'Accepted' },
  delivered: { ko: '도착', en: 'Delivered' },
  failed: { ko: '실패', en: 'Failed' },
  unknown: { ko: '확인 불가', en: 'Unknown' },
}

export const BY_ID: Sort = { key: [['id', 'bigint']], range: [], decides: [] }

export const createdOn = (table: 'delivery' | 'notice', names: Names): Filter => ({
  kind: 'days',
  names,
  condition: (value, asking) => ofDays(table, value, asking),
})

// Ids and times of messages grow together, but for transactions that ran at once: none takes an hour.
const APART = { hours: 1 }

// Messages are in the order of their ids, and have no index by time. So a day is looked up like a word in a dictionary: each
// step halves the ids that are left.
async function ofDays(table: string, value: FilterValues['days'], { db }: Asking): Promise<Wanted> {
  const exact = withinDays('created_at', value).sql
  const first = value.from && (await firstSince(db, table, value.from.subtract(APART)))
  const end = value.before && (await firstSince(db, table, value.before.add(APART)))
  return {
    by: 'range',
    sql: sql.join(
      [
        exact,
        ...(first === undefined ? [] : [sql`t.id >= ${first}::bigint`]),
        ...(end === undefined ? [] : [sql`t.id < ${end}::bigint`]),
      ],
      sql` and `,
    ),
  }
}

const MOST_STEPS = 64 // ids have 63 bits

async function firstSince(db: Db, table: string, moment: Temporal.Instant): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    with recursive search (low, high, step) as (
      select coalesce((select min(id) from ${sql.table(table)}), 1), coalesce((select max(id) from ${sql.table(table)}), 0) + 1, 0
      union all
      select case when m.is_before then m.id + 1 else s.low end, case when m.is_before then s.high else s.middle end, s.step + 1
        from (select low, high, low + (high - low) / 2 as middle, step from search) s
       cross join lateral (select d.id, d.created_at < ${moment.toString()}::timestamptz as is_before from ${sql.table(table)} d
                            where d.id >= s.middle order by d.id limit 1) m
       where s.low < s.high and s.step < ${MOST_STEPS})
    select low as id from search order by step desc limit 1`.execute(db)
  return rows[0]!.id
}
