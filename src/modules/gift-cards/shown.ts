import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'

// What the operator is told of a card beside the card itself.
export interface CardRecord {
  partner: string
  partnerName: string
  // The key that bought it.
  apiKeyId: string
  expiredAt: Temporal.Instant | null
  // The last day on which its buyer may cancel it.
  cancelUntil: string
  // The moment of this answer.
  now: Temporal.Instant
}

export async function findCardRecord(db: Db, cardId: string): Promise<CardRecord | undefined> {
  const { rows } = await sql<CardRecord>`
    select p.code as partner, p.name as "partnerName", c.api_key_id as "apiKeyId", c.expired_at as "expiredAt",
           c.issued_on + (refund_policy_of(c.issued_on)).cancel_days as "cancelUntil", service_now() as now
      from gift_card c join partner p on p.id = c.partner_id where c.id = ${cardId}`.execute(db)
  return rows[0]
}
