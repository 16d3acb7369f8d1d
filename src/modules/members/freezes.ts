import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'

export interface Freeze {
  frozenAt: Temporal.Instant
  frozenBy: string
  thawedAt: Temporal.Instant | null
  thawedBy: string | null
}

// Waits for links and accounts that are being made for this person, and lets none be made until the transaction ends.
export async function lockMember(tx: Tx, memberId: string): Promise<void> {
  await sql`select from member where id = ${memberId} for update`.execute(tx)
}

// Read after the locks of what it is asked for: a freeze holds them all while it is written.
export async function isFrozen(db: Db, memberId: string): Promise<boolean> {
  const { rows } = await sql<{ frozen: boolean }>`
    select exists (select from member_freeze where member_id = ${memberId} and thawed_at is null) as frozen`.execute(
    db,
  )
  return rows[0]!.frozen
}

export async function listFreezes(db: Db, memberId: string): Promise<Freeze[]> {
  const { rows } = await sql<Freeze>`
    select frozen_at as "frozenAt", frozen_by as "frozenBy", thawed_at as "thawedAt", thawed_by as "thawedBy"
      from member_freeze where member_id = ${memberId} order by frozen_at desc`.execute(db)
  return rows
}

// The clock's moment, not the transaction's: what was waited for has an earlier one.
const CLOCK = sql`(select clock_timestamp() + clock_offset from installation)`

export async function insertFreeze(
  tx: Tx,
  freeze: { id: string; memberId: string; by: string },
): Promise<void> {
  await sql`insert into member_freeze (id, member_id, frozen_at, frozen_by)
    values (${freeze.id}, ${freeze.memberId}, ${CLOCK}, ${freeze.by})`.execute(tx)
}

export async function endFreeze(tx: Tx, memberId: string, by: string): Promise<void> {
  await sql`update member_freeze set thawed_at = ${CLOCK}, thawed_by = ${by}
             where member_id = ${memberId} and thawed_at is null`.execute(tx)
}

// Hash keys and sessions from before this moment open nothing, now or later. A link that is closed already stays so.
export async function freezeLinks(tx: Tx, memberId: string): Promise<void> {
  await sql`update partner_user set status = 'frozen', logins_after = service_now()
             where member_id = ${memberId} and status = 'active'`.execute(tx)
}

export async function thawLinks(tx: Tx, memberId: string): Promise<void> {
  await sql`update partner_user set status = 'active', logins_after = service_now()
             where member_id = ${memberId} and status = 'frozen'`.execute(tx)
}
