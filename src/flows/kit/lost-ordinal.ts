import type { Db } from '#base/db/db.ts'
import { parseKey } from '#modules/deliveries/rules.ts'
import { listLostKeys } from '#modules/restorations/listings.ts'

// The last resend of a card that a restore has lost; 0 if there is none. Its key is the one that the next would get.
export async function lastLostOrdinal(db: Db, cardId: string): Promise<number> {
  const keys = (await listLostKeys(db, cardId)).flatMap((key) => parseKey(key) ?? [])
  return Math.max(0, ...keys.flatMap(({ purpose, ordinal }) => (purpose === 'resend' ? [ordinal] : [])))
}
