import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'

// Why a partner cancelled a card, in its own words: sealed, since they may name a person.
const placeOf = (row: string) => ({ table: 'cancel_reason', column: 'reason', row })

export async function insertCancelReason(
  tx: Tx,
  vault: Vault,
  cardId: string,
  reason: string,
): Promise<void> {
  const sealed = vault.seal(placeOf(cardId), reason)
  await sql`insert into cancel_reason (card_id, reason, at) values (${cardId}, ${sealed}, service_now())`.execute(
    tx,
  )
}

export async function findCancelReason(db: Db, vault: Vault, cardId: string): Promise<string | undefined> {
  const { rows } = await sql<{ reason: Buffer }>`
    select reason from cancel_reason where card_id = ${cardId}`.execute(db)
  return rows[0] && vault.open(placeOf(cardId), rows[0].reason)
}

export const rekeyCancelReasons = rekeySealed('cancel_reason', ['reason'], 'card_id')

// Five years, as the law has it for records of contracts.
export const deleteOldCancelReasons = deleteOld('cancel_reason', "at < service_now() - interval '5 years'")
