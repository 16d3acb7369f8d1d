import { sql } from 'kysely'
import type { Database, Db } from '#base/db/db.ts'
import { findNoticeIds } from '#modules/deliveries/notices/sending.ts'
import { parseKey, parseNoticeKey } from '#modules/deliveries/rules.ts'
import { findDeliveryIds } from '#modules/deliveries/store.ts'
import { listListings, listLostAttempts } from '#modules/restorations/listings.ts'
import { listRestorations } from '#modules/restorations/store.ts'
import type { Listing, LostAttempt, Restoration } from '#modules/restorations/types.ts'

const MOST = 100_000 // what a person can look through by a program

// A message that this database has nothing of. The card or the act that it was about is lost too, unless only the message is.
interface LostMessage extends LostAttempt {
  // The card's giftId; null for a notice to a member.
  giftId: string | null
  purpose: string
  // The card is here; only this message of it is lost.
  cardIsHere: boolean
}

export interface RestorationReport {
  restorations: (Restoration & { listings: Listing[] })[]
  lost: LostMessage[]
}

export async function describeRestorations(database: Database): Promise<RestorationReport> {
  const { db } = database
  const restorations = []
  for (const restoration of await listRestorations(db)) {
    restorations.push({ ...restoration, listings: await listListings(db, restoration.id) })
  }
  const attempts = await listLostAttempts(db, MOST)
  const cards = attempts.flatMap((attempt) => {
    const key = parseKey(attempt.key)
    return key ? [{ attempt, key }] : []
  })
  const notices = attempts.flatMap((attempt) => {
    const key = parseNoticeKey(attempt.key)
    return key ? [{ attempt, key }] : []
  })
  const knownCards = await findDeliveryIds(
    database,
    cards.map(({ key }) => key),
  )
  const knownNotices = await findNoticeIds(
    database,
    notices.map(({ key }) => key),
  )
  const here = await findCards(
    db,
    cards.map(({ key }) => key.cardId),
  )
  // What was taken over is not lost.
  const lost = [
    ...cards.flatMap(({ attempt, key }, i) =>
      knownCards[i] === undefined
        ? [{ ...attempt, giftId: key.cardId, purpose: key.purpose, cardIsHere: here.has(key.cardId) }]
        : [],
    ),
    ...notices.flatMap(({ attempt }, i) =>
      knownNotices[i] === undefined
        ? [{ ...attempt, giftId: null, purpose: 'notice', cardIsHere: false }]
        : [],
    ),
  ]
  return { restorations, lost: lost.sort((a, b) => Temporal.Instant.compare(a.sentAt, b.sentAt)) }
}

async function findCards(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from gift_card where id = any(${ids}::uuid[])`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}
