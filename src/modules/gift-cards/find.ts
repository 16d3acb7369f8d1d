import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { cardColumns, toCard } from './store.ts'
import type { Card } from './types.ts'

const SHOWN = 50

// For support: the newest cards that were sent to a number. They are found first and sorted then: in one step, PostgreSQL may
// walk through all cards by their time instead.
export async function findCardsByRecipient(db: Db, hashes: readonly Buffer[]): Promise<Card[]> {
  const rows = await cardColumns(db)
    .where(
      sql<boolean>`id = any(array(select id from gift_card where recipient_index = any(${hashes}::bytea[])))`,
    )
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  return rows.map(toCard)
}

// By the keyed hashes of a PIN, the one that is kept of a used card included.
export async function findCardByPin(
  db: Db,
  { current, next, kept }: { current: Buffer; next: Buffer | null; kept: Buffer },
): Promise<Card | undefined> {
  const row = await cardColumns(db)
    .where(
      sql<boolean>`id = (select id from gift_card where pin_index = ${current}::bytea
                         union all select id from gift_card where pin_index = ${next}::bytea
                         union all select card_id from redemption_key where pin_hash = ${kept}::bytea limit 1)`,
    )
    .executeTakeFirst()
  return row && toCard(row)
}
