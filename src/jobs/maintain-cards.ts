import type { Database } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import { type Log, stackOf } from '#base/log.ts'
import { expireCards, lapseCards } from '#flows/gift-cards/expire-cards.ts'
import { remindOfExpiry } from '#flows/gift-cards/remind-of-expiry.ts'

// Expiry, reminders, and the end of cards that nobody claimed, every ten minutes. Each searches for what is due on the service's clock, so a sandbox
// whose clock was advanced finds the same as one that waited. If one fails, the others still run, and the next run tries
// it again.
export async function maintainCards({ database, log }: { database: Database; log: Log }): Promise<void> {
  const duties = {
    'cards expired': () => expireCards(database),
    'reminders written': () => remindOfExpiry(database),
    'cards lapsed past the refund deadline': () => lapseCards(database),
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
