import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { newId } from '#base/ids.ts'
import { LINK_HOURS } from './rules.ts'
import type { StaffId } from './types.ts'

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

// A month later no one asks what became of a link.
export const deleteOldLinks = deleteOld('staff_link', "expires_at < service_now() - interval '30 days'")
