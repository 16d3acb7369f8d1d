import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Reader, Tx } from '#base/db/db.ts'

export interface UsageTotals {
  issued: bigint
  used: bigint
  usedInIssued: bigint
}

// A day has several rows, one for each shard, so that purchases of one partner do not wait for one row.
const SUM_USAGE = {
  name: 'sum_usage',
  text: `select coalesce(sum(issued), 0)::bigint as issued, coalesce(sum(used), 0)::bigint as used,
                coalesce(sum(used_in_issued), 0)::bigint as "usedInIssued"
           from usage_day where partner_id = $1 and day between $2::date and $3::date`,
}

export async function sumUsage(
  database: Reader,
  partnerId: number,
  start: Temporal.PlainDate,
  end: Temporal.PlainDate,
): Promise<UsageTotals> {
  const [totals] = await database.read<UsageTotals>(SUM_USAGE, [partnerId, start.toString(), end.toString()])
  assert(totals, 'a sum over nothing is a row of zeros')
  return totals
}

const USAGE_DAYS = {
  name: 'list_usage_days',
  text: `select day::text as day, sum(issued)::bigint as issued, sum(used)::bigint as used
           from usage_day
          where partner_id = $1 and day > seoul_date(service_now()) - $2::int and day <= seoul_date(service_now())
          group by day order by day desc`,
}

// The last days on which anything happened, today included, newest first.
export function listUsageDays(
  database: Reader,
  partnerId: number,
  days: number,
): Promise<{ day: string; issued: bigint; used: bigint }[]> {
  return database.read(USAGE_DAYS, [partnerId, days])
}

// Totals are net: what is voided leaves the day it was issued on.
export async function takeBackIssued(
  tx: Tx,
  partnerId: number,
  issuedOn: string,
  amount: bigint,
): Promise<void> {
  await sql`select add_usage(${partnerId}::int, ${issuedOn}::date, ${-amount}::bigint, 0, 0)`.execute(tx)
}
