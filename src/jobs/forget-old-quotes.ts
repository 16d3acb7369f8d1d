import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { deleteOldRefundQuotes } from '#modules/refunds/store.ts'
import { deleteOldQuotes } from '#modules/trading/store.ts'

const CHUNK = 5_000 // a transaction of well under a second

// Quotes of orders and of refunds that hold no longer go, a chunk at a time.
export async function forgetOldQuotes({ database, log }: { database: Database; log: Log }): Promise<void> {
  let total = 0
  for (const deleteOld of [deleteOldQuotes, deleteOldRefundQuotes]) {
    for (let gone = CHUNK; gone === CHUNK; total += gone) {
      gone = Number(await database.withTransaction((tx) => deleteOld(tx, CHUNK)))
    }
  }
  log.info('old quotes forgotten', { job: 'forget_old_quotes', count: total })
}
