import type { Database } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import { deleteOldIdempotencyKeys } from '#modules/gift-cards/store.ts'

const CHUNK = 5_000 // a transaction of well under a second, so that no purchase waits for it

// Idempotency keys are kept for 30 days; older ones go, a chunk at a time.
export async function forgetOldKeys({ database, log }: { database: Database; log: Log }): Promise<void> {
  let total = 0
  for (;;) {
    const gone = await database.withTransaction((tx) => deleteOldIdempotencyKeys(tx, CHUNK))
    total += Number(gone)
    if (gone < BigInt(CHUNK)) break
  }
  log.info('old idempotency keys forgotten', { job: 'forget_old_keys', count: total })
}
