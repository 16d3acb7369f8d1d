import type { Database } from '#base/db/db.ts'
import { filterUnknown } from '#modules/deliveries/unknown-attempts.ts'
import {
  insertListings,
  insertLostAttempts,
  moveListing,
  noteTrouble,
} from '#modules/restorations/listings.ts'
import type { Listing, LostAttempt } from '#modules/restorations/types.ts'

// Makes sure that every provider of the settings is asked, beside those that had messages under way.
export function beginListings(database: Database, id: string, providers: readonly string[]): Promise<void> {
  return database.withTransaction((tx) => insertListings(tx, id, providers))
}

interface Page {
  messages: readonly LostAttempt[]
  // Where the list goes on.
  place: Parameters<typeof moveListing>[3]
}

// A page of a provider's list. What this database does not know, and how far the list was read, are one transaction: cut
// off, the page is read again.
export function recordPage(database: Database, id: string, listing: Listing, page: Page): Promise<boolean> {
  return database.withTransaction(async (tx) => {
    await insertLostAttempts(tx, await filterUnknown(tx, page.messages))
    return moveListing(tx, id, listing, page.place)
  })
}

export function recordTrouble(
  database: Database,
  id: string,
  provider: string,
  trouble: string,
): Promise<void> {
  return database.withTransaction((tx) => noteTrouble(tx, id, provider, trouble))
}
