import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { deleteOldIdempotencyKeys, deleteOldRedemptionKeys } from '#modules/gift-cards/store.ts'

const CHUNK = 5_000 // a transaction of well under a second, so that no purchase waits for it

// What recognises a retry is kept for 30 days; older ones go, a chunk at a time.
export async function forgetOldKeys({ database, log }: { database: Database; log: Log }): Promise<void> {
  let total = 0
  for (const forget of [deleteOldIdempotencyKeys, deleteOldRedemptionKeys]) {
    for (;;) {
      const gone = await database.withTransaction((tx) => forget(tx, CHUNK))
      total += Number(gone)
      if (gone < BigInt(CHUNK)) break
    }
  }
  log.info('old idempotency keys forgotten', { job: 'forget_old_keys', count: total })
}
