import { sql } from 'kysely'
import type { Database, Tx } from '#base/db/db.ts'

// The database as `tx` sees it: what reads a snapshot also finds what is still to be undone.
export const seenBy = (database: Database, tx: Tx): Database => ({
  ...database,
  withSnapshot: (work) => work(tx),
})

// Whether each transaction of `work` wrote something, and so waited for a synchronous standby at its commit.
export async function watchTransactions(
  database: Database,
  work: () => Promise<unknown>,
): Promise<boolean[]> {
  const wrote: boolean[] = []
  const original = database.withTransaction
  database.withTransaction = (inside) =>
    original(async (tx: Tx) => {
      const result = await inside(tx)
      const { rows } = await sql<{ id: string | null }>`
        select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
      wrote.push(rows[0]!.id !== null)
      return result
    })
  try {
    await work()
    return wrote
  } finally {
    database.withTransaction = original
  }
}
