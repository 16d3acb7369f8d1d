import type { Database, Tx } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import { deleteOldHashKeys, deleteOldSessions } from '#modules/web-view/store.ts'

const CHUNK = 5_000 // a transaction of well under a second, so that nobody who enters waits for it

// Hash keys and web view sessions that have long been dead go, a chunk at a time.
export async function forgetOldLogins({ database, log }: { database: Database; log: Log }): Promise<void> {
  let total = 0
  for (const forget of [deleteOldHashKeys, deleteOldSessions]) total += await inChunks(database, forget)
  log.info('old web view logins forgotten', { job: 'forget_old_logins', count: total })
}

async function inChunks(
  database: Database,
  forget: (tx: Tx, limit: number) => Promise<bigint>,
): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await database.withTransaction((tx) => forget(tx, CHUNK))
    total += Number(gone)
    if (gone < BigInt(CHUNK)) return total
  }
}
