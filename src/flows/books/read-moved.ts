import { sql } from 'kysely'
import type { Database, Db } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { joinRanges } from '#modules/closed-days/rules.ts'
import { findNextClosed, listClosedDays, listDaysCorrecting } from '#modules/closed-days/store.ts'
import type { ClosedDay, IdRange, Line } from '#modules/closed-days/types.ts'

// The last closed day before a moment, and where the transfers are that are of before the moment and that it does not cover.
export interface Since {
  base: ClosedDay | undefined
  ranges: IdRange[]
}

export async function findSince(database: Database, at: Temporal.Instant): Promise<Since> {
  const dayBefore = seoulDate(at).subtract({ days: 1 }).toString()
  const [base] = await listClosedDays(database, { until: dayBefore, limit: 1 })
  return { base, ranges: await rangesSince(database, base) }
}

// In the day of the moment, in later days that correct it or an earlier one, and in what is not closed yet.
async function rangesSince(database: Database, base: ClosedDay | undefined): Promise<IdRange[]> {
  const after = base ? base.readsFrom - 1n : 0n
  const next = await findNextClosed(database, base?.day)
  if (!next) return [{ after, through: null }]
  const [last] = await listClosedDays(database, { limit: 1 })
  const late = await listDaysCorrecting(database, next.day)
  return joinRanges([
    { after, through: next.throughId },
    ...late,
    { after: last!.readsFrom - 1n, through: null },
  ])
}

// What moved between the base and the moment, by account, kind and day of the transfers.
export async function readMovedSince(db: Db, { base, ranges }: Since, at: Temporal.Instant): Promise<Line[]> {
  const lines: Line[] = []
  for (const range of ranges) lines.push(...(await readMoved(db, range, base, at)))
  return lines
}

// The numbers stand in the text: planned for any number, the statement might read all transfers.
async function readMoved(
  db: Db,
  { after, through }: IdRange,
  base: ClosedDay | undefined,
  at: Temporal.Instant,
): Promise<Line[]> {
  const range = `t.id > ${after}${through === null ? '' : ` and t.id <= ${through}`}`
  const isOpen = base ? `(t.id > ${base.throughId} or seoul_date(t.at) > '${base.day}')` : 'true'
  const { rows } = await sql<Line>`
    with moved as materialized (
      select t.asset, t.kind, seoul_date(t.at) as day, t.debit_account, t.credit_account, coalesce(g.partner_id, 0) as partner_id,
             sum(t.amount) as amount, count(*) as count
        from transfer t left join lateral (select partner_id from gift_card where id = t.card_id offset 0) g on true
       where ${sql.raw(range)} and ${sql.raw(isOpen)} and t.at < ${at.toString()}::timestamptz
       group by 1, 2, 3, 4, 5, 6)
    select l.day, l.day as "belongsTo", a.kind as account, l.asset, l.kind,
           case when a.partner_id is not null then a.partner_id
                when a.kind in ('outstanding_cards', 'expired_cards') then l.partner_id else 0 end as "partnerId",
           sum(l.debit)::bigint as debit, sum(l.credit)::bigint as credit,
           sum(l.debits)::bigint as "debitCount", sum(l.credits)::bigint as "creditCount"
      from (select asset, kind, day, partner_id, debit_account as account, amount as debit, 0 as credit, count as debits, 0 as credits
              from moved
            union all
            select asset, kind, day, partner_id, credit_account, 0, amount, 0, count from moved) l
      join account a on a.id = l.account
     group by 1, 3, 4, 5, 6 order by 1, 5`.execute(db)
  return rows
}
