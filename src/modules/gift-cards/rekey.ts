import { sql } from 'kysely'
import type { RekeyChunk, Rekeyed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'

interface CardRow {
  id: string
  recipient: Buffer
  pin: Buffer | null
}

// Seals and indexes the next cards after `after` that are not under the vault's own keys; undefined if none are left.
// An erased PIN cannot be indexed again, so the card can no longer be found by it.
export async function rekeyCards(tx: Tx, vault: Vault, { after, limit }: RekeyChunk): Promise<Rekeyed> {
  const { rows } = await sql<CardRow>`
    select id, recipient, pin from gift_card
     where id > ${after}::uuid
       and (index_key <> ${vault.indexKeyId} or sealed_under(recipient) <> ${vault.sealKeyId}
            or sealed_under(pin) <> ${vault.sealKeyId})
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map((row) => rekeyed(vault, row))
  await sql`
    update gift_card c
       set recipient = f.recipient, recipient_index = f.recipient_index, pin = f.pin, pin_index = f.pin_index,
           index_key = ${vault.indexKeyId}
      from unnest(${rows.map((row) => row.id)}::uuid[], ${fresh.map((f) => f.recipient)}::bytea[],
                  ${fresh.map((f) => f.recipientIndex)}::bytea[], ${fresh.map((f) => f.pin)}::bytea[],
                  ${fresh.map((f) => f.pinIndex)}::bytea[]) as f (id, recipient, recipient_index, pin, pin_index)
     where c.id = f.id`.execute(tx)
  return { last: rows.at(-1)!.id, count: rows.length }
}

function rekeyed(vault: Vault, row: CardRow) {
  const place = (column: string) => ({ table: 'gift_card', column, row: row.id })
  const recipient = vault.open(place('recipient'), row.recipient)
  const pin = row.pin && vault.open(place('pin'), row.pin)
  return {
    recipient: vault.seal(place('recipient'), recipient),
    recipientIndex: vault.index('phone', recipient),
    pin: pin && vault.seal(place('pin'), pin),
    pinIndex: pin && vault.index('pin', pin),
  }
}
