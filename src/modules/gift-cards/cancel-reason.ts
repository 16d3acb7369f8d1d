import { sql } from 'kysely'
import type { Db, Tx } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'

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

export async function rekeyCancelReasons(
  tx: Tx,
  vault: Vault,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; count: number } | undefined> {
  const { rows } = await sql<{ id: string; reason: Buffer }>`
    select card_id as id, reason from cancel_reason
     where card_id > ${after}::uuid and sealed_under(reason) <> ${vault.sealKeyId}
     order by card_id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, reason }) => vault.seal(placeOf(id), vault.open(placeOf(id), reason)))
  const ids = rows.map((row) => row.id)
  await sql`
    update cancel_reason c set reason = f.reason
      from unnest(${ids}::uuid[], ${fresh}::bytea[]) as f (id, reason) where c.card_id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}

// Five years, as the law has it for records of contracts.
export async function deleteOldCancelReasons(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from cancel_reason where ctid = any(array(
      select ctid from cancel_reason where at < service_now() - interval '5 years'
       limit ${limit} for update skip locked))`.execute(tx)
  return result.numAffectedRows ?? 0n
}
