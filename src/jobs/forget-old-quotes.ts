import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { deleteOldQuotes } from '#modules/trading/store.ts'

const CHUNK = 5_000 // a transaction of well under a second

// Quotes that hold no longer go, a chunk at a time.
export async function forgetOldQuotes({ database, log }: { database: Database; log: Log }): Promise<void> {
  for (let total = 0; ; ) {
    const gone = Number(await database.withTransaction((tx) => deleteOldQuotes(tx, CHUNK)))
    total += gone
    if (gone < CHUNK) {
      log.info('old quotes forgotten', { job: 'forget_old_quotes', count: total })
      return
    }
  }
}
