import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { newId } from '#base/ids.ts'
import { LINK_HOURS } from './rules.ts'
import type { StaffId } from './types.ts'

export interface OpenLink {
  id: string
  staffId: StaffId
  expiresAt: Temporal.Instant
}

// A newer link replaces the one before. Its staff member is locked.
export async function replaceLink(tx: Tx, staffId: StaffId, hash: Buffer): Promise<Temporal.Instant> {
  await endLinks(tx, staffId)
  const { rows } = await sql<{ expiresAt: Temporal.Instant }>`
    insert into staff_link (id, hash, staff_id, created_at, expires_at)
    values (${newId()}, ${hash}, ${staffId}, service_now(),
            service_now() + ${LINK_HOURS} * interval '1 hour')
    returning expires_at as "expiresAt"`.execute(tx)
  return rows[0]!.expiresAt
}

export async function endLinks(tx: Tx, staffId: StaffId): Promise<void> {
  await sql`update staff_link set used_at = service_now()
             where staff_id = ${staffId} and used_at is null`.execute(tx)
}

// A link that can still be used.
export async function findLink(db: Db, hash: Buffer): Promise<OpenLink | undefined> {
  const { rows } = await sql<OpenLink>`
    select id, staff_id as "staffId", expires_at as "expiresAt" from staff_link
     where hash = ${hash} and used_at is null and expires_at > service_now()`.execute(db)
  return rows[0]
}

export async function lockOpenLink(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from staff_link where id = ${id} and used_at is null for update`.execute(
    tx,
  )
  return rows.length > 0
}

// False if it was used, replaced or is too old. Of two who use it at once, one does.
export async function spendLink(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update staff_link set used_at = service_now()
     where id = ${id} and used_at is null and expires_at > service_now() returning id`.execute(tx)
  return rows.length > 0
}

// A month later no one asks what became of a link.
export const deleteOldLinks = deleteOld('staff_link', "expires_at < service_now() - interval '30 days'")
