import type { Reader } from './db.ts'

const NEWEST = (table: string) => ({
  name: `newest_row_of_${table}`,
  text: `select coalesce(max(id), 0) as id from ${table}`,
})

// Only what was granted: a transaction that still waits for the table has drawn no id yet.
const WRITERS = {
  name: 'writers_of_table',
  text: `select virtualtransaction as writer from pg_locks
          where locktype = 'relation' and relation = $1::regclass and mode = 'RowExclusiveLock' and granted
            and database = (select oid from pg_database where datname = current_database())`,
}

export type CommittedRows = () => Promise<bigint>

// The id up to which a table can be read once and for all. Ids are drawn before their transactions commit, so a smaller one may
// appear after a larger one. Every insert locks its table before it draws an id. So once all who held that lock when the newest
// id was seen are gone, no row up to it can appear any more. Never waits: what is not committed yet is looked at the next time.
export function watchCommittedRows(database: Reader, table: string): CommittedRows {
  let committed = 0n
  let pending: { id: bigint; writers: ReadonlySet<string> } | undefined

  async function listWriters(): Promise<Set<string>> {
    const rows = await database.read<{ writer: string }>(WRITERS, [table])
    return new Set(rows.map(({ writer }) => writer))
  }

  return async () => {
    if (!pending) {
      const [newest] = await database.read<{ id: bigint }>(NEWEST(table), [])
      if (newest!.id <= committed) return committed
      // After the newest id, not before it.
      pending = { id: newest!.id, writers: await listWriters() }
    } else {
      pending = { id: pending.id, writers: pending.writers.intersection(await listWriters()) }
    }
    if (pending.writers.size > 0) return committed
    committed = pending.id
    pending = undefined
    return committed
  }
}
