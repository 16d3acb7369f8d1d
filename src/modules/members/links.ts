import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import type { LinkId, MemberLink } from './types.ts'

export async function listLinks(db: Db, memberId: string): Promise<MemberLink[]> {
  const { rows } = await sql<MemberLink>`
    select u.id, p.name as partner, u.status, u.confirmed, u.registered_at as "registeredAt"
      from partner_user u join partner p on p.id = u.partner_id
     where u.member_id = ${memberId} order by u.registered_at, u.id`.execute(db)
  return rows
}

// Locks links in the order of signups. It waits for credits under way; later ones go where the link then says
// (holder_now).
export async function lockLinks(tx: Tx, memberId: string): Promise<MemberLink[]> {
  const { rows } = await sql<MemberLink>`
    select u.id, p.name as partner, u.status, u.confirmed, u.registered_at as "registeredAt"
      from partner_user u join partner p on p.id = u.partner_id
     where u.member_id = ${memberId}
     order by u.id for no key update of u`.execute(tx)
  return rows
}

// From now on the web view shows all that the member holds. The first browser was trusted only for being first and
// may have been the partner's own. It stays signed in, but must verify identity before it trades.
export async function setConfirmed(tx: Tx, id: LinkId): Promise<void> {
  await sql`update partner_user set confirmed = true, status = 'active', decided_at = service_now()
             where id = ${id}`.execute(tx)
  await sql`delete from device where owner_id = ${id} and first`.execute(tx)
  await sql`update web_session set must_verify = true
             where partner_user_id = ${id} and verified_at is null and ended_at is null`.execute(tx)
}

// Earlier hash keys and sessions open nothing, whatever the member decides later.
export async function setRefused(tx: Tx, id: LinkId): Promise<void> {
  await sql`update partner_user
               set confirmed = false, status = 'refused', decided_at = service_now(), logins_after = service_now()
             where id = ${id}`.execute(tx)
}

export async function setUndecided(tx: Tx, id: LinkId): Promise<void> {
  await sql`update partner_user set confirmed = false where id = ${id}`.execute(tx)
}

// In live the link that made its member was confirmed at once, because there was no member to ask yet. Now the member
// decides on it as on any other. `i.one` finds the installation by its index. Up to version 17 PostgreSQL prices the
// scan of a table so high that the rest of the plan no longer counts. It would read all links in the order of their
// ids.
export async function listUnasked(tx: Tx, memberId: string): Promise<LinkId[]> {
  const { rows } = await sql<{ id: LinkId }>`
    select u.id from partner_user u, installation i
     where i.one and i.mode = 'live' and u.member_id = ${memberId} and u.confirmed and u.decided_at is null
     order by u.id for no key update of u`.execute(tx)
  return rows.map((row) => row.id)
}
