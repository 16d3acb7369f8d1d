import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'

// Who is told at a partner. phone: E.164.
export interface ContactDetails {
  name: string
  phone: string | null
  email: string | null
}

export type Contact = ContactDetails & { id: string }

const placeOf = (row: string) => ({ table: 'partner_contact', column: 'details', row })

export async function insertContact(
  tx: Tx,
  vault: Vault,
  partnerId: number,
  details: ContactDetails,
): Promise<string> {
  const id = newId<'partner contact'>()
  const sealed = vault.seal(placeOf(id), JSON.stringify(details))
  await sql`insert into partner_contact (id, partner_id, details, added_at)
    values (${id}, ${partnerId}, ${sealed}, service_now())`.execute(tx)
  return id
}

export async function listContacts(db: Db, vault: Vault, partnerId: number): Promise<Contact[]> {
  const rows = await db
    .selectFrom('partner_contact')
    .select(['id', 'details'])
    .where('partner_id', '=', partnerId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id, details }) => ({
    id,
    ...(JSON.parse(vault.open(placeOf(id), details!)) as ContactDetails),
  }))
}

// What was known of the person goes at once. False: there is no such contact.
export async function eraseContact(tx: Tx, partnerId: number, id: string): Promise<boolean> {
  const result = await sql`update partner_contact set details = null, removed_at = service_now()
    where partner_id = ${partnerId} and id = ${id} and removed_at is null`.execute(tx)
  return result.numAffectedRows === 1n
}

export const rekeyContacts = rekeySealed('partner_contact', ['details'])
