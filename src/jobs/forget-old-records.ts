import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { eraseOldPrivate } from '#flows/audit/erase-private.ts'
import { inChunks } from '#jobs/in-chunks.ts'
import { deleteOldEvents } from '#modules/deliveries/store.ts'
import { deleteOldCancelReasons } from '#modules/gift-cards/cancel-reason.ts'
import { deleteOldFormerDetails } from '#modules/members/former-details.ts'
import { deleteOldTraces } from '#modules/members/signup-traces.ts'
import { thinOldPrices } from '#modules/pricing/store.ts'
import { eraseLostRecipients } from '#modules/restorations/listings.ts'
import { deleteOldStatements } from '#modules/statements/store.ts'

const FORGOTTEN = [
  deleteOldTraces,
  deleteOldFormerDetails,
  deleteOldCancelReasons,
  deleteOldStatements,
  deleteOldEvents,
  thinOldPrices,
  eraseLostRecipients,
  eraseOldPrivate,
] as const

// What has been kept for as long as docs/retention.md says.
export async function forgetOldRecords({ database, log }: { database: Database; log: Log }): Promise<void> {
  let total = 0
  for (const forget of FORGOTTEN) total += await inChunks(database, forget)
  log.info('old records forgotten', { job: 'forget_old_records', count: total })
}
