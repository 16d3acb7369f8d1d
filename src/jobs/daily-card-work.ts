import type { Database } from '#base/db.ts'
import { failureFields } from '#base/db-errors.ts'
import { type Log, stackOf } from '#base/log.ts'
import { erasePins, expireCards } from '#flows/gift-cards/expire-cards.ts'
import { remindOfExpiry } from '#flows/gift-cards/remind-of-expiry.ts'

// What cards come to by the passing of days. Found by looking, on the service's own clock: a sandbox that travels
// finds the same as one that waits. One that fails does not keep the others from being done; the next run tries again.
export async function lookAfterCards({ database, log }: { database: Database; log: Log }): Promise<void> {
  const duties = {
    'cards expired': () => expireCards(database),
    'reminders written': () => remindOfExpiry(database),
    'PINs erased past the refund deadline': () => erasePins(database),
  }
  for (const [what, work] of Object.entries(duties)) {
    try {
      const count = await work()
      if (count > 0) log.info(what, { count })
    } catch (error) {
      log.error('cards not looked after', { reason: what, ...failureFields(error), stack: stackOf(error) })
    }
  }
}
