import { sql } from 'kysely'
import type { Tx } from '#base/db.ts'
import type { CardId, CardOfPin } from './types.ts'

// A PIN is found by its keyed hash. The shared lock is what a change of keys waits for: under another epoch the card may
// be indexed by a key that the caller did not ask for.
export async function lockCardOfPin(
  tx: Tx,
  epoch: number,
  hashes: readonly Buffer[],
): Promise<CardOfPin | undefined | 'stale_keys'> {
  await sql`select pg_advisory_xact_lock_shared(4857102)`.execute(tx)
  const installation = await tx.selectFrom('installation').select('key_epoch').executeTakeFirstOrThrow()
  if (installation.key_epoch !== epoch) return 'stale_keys'
  const { rows } = await sql<CardOfPin>`
    select id, partner_id as "partnerId", amount, status, issued_on as "issuedOn", expires_on as "expiresOn",
           used_by as "usedBy", seoul_date(service_now()) as today
      from gift_card where pin_index = any(${hashes}::bytea[]) for update`.execute(tx)
  return rows[0]
}

// The PIN is erased with the card's value: a dump of a later day cannot show it.
export async function markUsed(tx: Tx, id: CardId, holderId: string): Promise<void> {
  await sql`update gift_card set status = 'used', used_at = service_now(), used_by = ${holderId}, pin = null
             where id = ${id} and status = 'issued'`.execute(tx)
}
