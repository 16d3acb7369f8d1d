import type { Database } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import { erasePins, expireCards } from '#flows/expire-cards.ts'
import { remindOfExpiry } from '#flows/remind-of-expiry.ts'

// What cards come to by the passing of days. Found by looking, on the service's own clock: a sandbox that travels
// finds the same as one that waits.
export async function lookAfterCards({ database, log }: { database: Database; log: Log }): Promise<void> {
  const expired = await expireCards(database)
  if (expired > 0) log.info('cards expired', { count: expired })
  await remindOfExpiry(database)
  const erased = await erasePins(database)
  if (erased > 0) log.info('PINs erased past the refund deadline', { count: erased })
}
