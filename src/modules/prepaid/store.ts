import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import type { SafeguardedFund } from './types.ts'

export async function findFund(db: Db, reference: string): Promise<SafeguardedFund | undefined> {
  const { rows } = await sql<SafeguardedFund>`
    select id, institution, method, as_of as "asOf", won, reference, at from safeguarded_fund
     where lower(reference) = ${reference.toLowerCase()}`.execute(db)
  return rows[0]
}

// What counts for an institution before a new record: its last one.
export async function findLastFund(db: Db, institution: string): Promise<SafeguardedFund | undefined> {
  const { rows } = await sql<SafeguardedFund>`
    select id, institution, method, as_of as "asOf", won, reference, at from safeguarded_fund
     where lower(institution) = ${institution.toLowerCase()} order by as_of desc, at desc, id desc limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function insertFund(tx: Tx, fund: Omit<SafeguardedFund, 'at'>): Promise<void> {
  await sql`insert into safeguarded_fund (id, institution, method, as_of, won, reference, at)
            values (${fund.id}, ${fund.institution}, ${fund.method}, ${fund.asOf}::date, ${fund.won}, ${fund.reference},
                    service_now())`.execute(tx)
}

// Of two requests for one reference the second finds the first.
export async function lockFunds(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(4857151)`.execute(tx)
}
