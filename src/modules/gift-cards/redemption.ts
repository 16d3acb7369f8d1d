import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Database, Tx } from '#base/db.ts'
import type { CardId, RedeemOutcome, RedeemRefusal } from './types.ts'

// A PIN as a card is found by it: under the index key in force, and under the next while a rotation runs.
export interface HashedPin {
  current: Buffer
  next: Buffer | null
  // Never changes with the keys: recognises the retry of a redemption whose PIN is erased.
  kept: Buffer
  holderId: string
  // Of the movement that it will be.
  groupId: string
}

const REDEEM = {
  name: 'redeem_gift_cards',
  text: `select outcome, card_id, partner_id, amount, expires_on, points
           from redeem_gift_cards($1::int, $2::bytea[], $3::bytea[], $4::uuid[], $5::uuid[], $6::bytea[])`,
}

interface RedeemRow {
  outcome: 'redeemed' | 'again' | 'stale_keys' | RedeemRefusal
  card_id: CardId
  partner_id: number
  amount: bigint
  expires_on: string
  points: bigint
}

// As with purchases. No PIN twice in a batch.
export async function redeemCards(
  database: Database,
  epoch: number,
  batch: readonly HashedPin[],
): Promise<RedeemOutcome[] | 'stale_keys'> {
  const rows = await database.writeOnce<RedeemRow>(REDEEM, [
    epoch,
    batch.map((p) => p.current),
    batch.map((p) => p.next),
    batch.map((p) => p.holderId),
    batch.map((p) => p.groupId),
    batch.map((p) => p.kept),
  ])
  if (rows[0]?.outcome === 'stale_keys') return 'stale_keys'
  return rows.map((row) => {
    const { outcome, points } = row
    assert(outcome !== 'stale_keys', 'a batch is of one epoch')
    if (outcome !== 'redeemed' && outcome !== 'again') return { kind: 'refused', reason: outcome }
    const card = {
      id: row.card_id,
      partnerId: row.partner_id,
      amount: row.amount,
      expiresOn: row.expires_on,
    }
    return { kind: 'redeemed', card, points: points ?? 0n, again: outcome === 'again' }
  })
}

// Until then the retry of a redemption is recognised, whichever keys have changed since.
export async function deleteOldRedemptionKeys(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from redemption_key where ctid = any(array(
      select ctid from redemption_key where created_at < service_now() - interval '30 days'
       limit ${limit} for update skip locked))`.execute(tx)
  return result.numAffectedRows ?? 0n
}
