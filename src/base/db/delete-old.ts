import { sql } from 'kysely'
import type { Tx } from './db.ts'

// Makes a deletion of rows that have served their time, some at a time so that no lock lasts long. A row that is locked
// just now is left for the next run: clean-up never stands in the way of a request, nor waits for one.
// `isOld` is SQL of the program's own, never a caller's value.
export function deleteOld(table: string, isOld: string) {
  const from = sql.table(table)
  return async (tx: Tx, limit: number): Promise<bigint> => {
    const result = await sql`delete from ${from} where ctid = any(array(
        select ctid from ${from} where ${sql.raw(isOld)} limit ${limit} for update skip locked))`.execute(tx)
    return result.numAffectedRows ?? 0n
  }
}
