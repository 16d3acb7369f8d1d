import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { ClosedMonth } from './types.ts'

const MONTHS = {
  name: 'list_closed_months',
  text: `select to_char(month, 'YYYY-MM') as month, through_id as "throughId", data, closed_at as "closedAt",
                closed_by as "closedBy", hash
           from closed_month order by closed_month.month desc limit $1`,
}

// The newest first.
export function listClosedMonths(database: Reader, limit: number): Promise<ClosedMonth[]> {
  return database.read<ClosedMonth>(MONTHS, [limit])
}

export async function lockMonths(tx: Tx): Promise<{ month: string; hash: Buffer } | undefined> {
  await sql`lock table closed_month in exclusive mode`.execute(tx)
  return findLastMonth(tx)
}

async function findLastMonth(db: Db): Promise<{ month: string; hash: Buffer } | undefined> {
  const { rows } = await sql<{ month: string; hash: Buffer }>`
    select to_char(m.month, 'YYYY-MM') as month, m.hash from closed_month m order by m.month desc limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function insertMonth(
  tx: Tx,
  {
    month,
    throughId,
    data,
    closedBy,
    previousHash,
    hash,
  }: Omit<ClosedMonth, 'closedAt'> & { previousHash: Buffer | null },
): Promise<void> {
  await sql`insert into closed_month (month, through_id, data, closed_at, closed_by, previous_hash, hash)
    values (${`${month}-01`}::date, ${throughId}, ${data}, service_now(), ${closedBy}, ${previousHash}, ${hash})`.execute(
    tx,
  )
}
