import type { Database, Tx } from '#base/db/db.ts'

const CHUNK = 5_000 // a transaction of well under a second, so that nobody waits for it

export async function inChunks(
  database: Database,
  forget: (tx: Tx, limit: number) => Promise<bigint>,
): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await database.withTransaction((tx) => forget(tx, CHUNK))
    total += Number(gone)
    if (gone < BigInt(CHUNK)) return total
  }
}
