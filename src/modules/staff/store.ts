import { type RawBuilder, sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Db, Tx } from '#base/db/db.ts'
import type { Role } from './permissions.ts'
import type { StaffMember } from './staff-member.ts'
import type { StaffId } from './types.ts'

const COLUMNS =
  sql.raw(`s.id, s.email, s.name, s.role, s.partner_id as "partnerId", p.code as partner, s.status,
  s.password, s.totp, s.totp_next as "totpNext", s.totp_step as "totpStep", s.oidc_issuer as "oidcIssuer",
  s.oidc_subject as "oidcSubject", s.created_at as "createdAt"`)

async function select(db: Db, where: RawBuilder<unknown>): Promise<StaffMember[]> {
  const { rows } = await sql<StaffMember>`
    select ${COLUMNS} from staff s left join partner p on p.id = s.partner_id ${where}`.execute(db)
  return rows
}

export async function findStaffByEmail(db: Db, email: string): Promise<StaffMember | undefined> {
  return (await select(db, sql`where s.email = ${email}`))[0]
}

export async function findStaff(db: Db, id: string): Promise<StaffMember | undefined> {
  return (await select(db, sql`where s.id = ${id}`))[0]
}

export async function findStaffBySubject(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<StaffMember | undefined> {
  return (await select(db, sql`where s.oidc_issuer = ${issuer} and s.oidc_subject = ${subject}`))[0]
}

// Every change of a staff member, and every session that is opened, goes through this lock. So a suspension or another
// role waits for a sign-in that is under way and ends its session, or the sign-in sees it.
export async function lockStaff(tx: Tx, id: string): Promise<StaffMember | undefined> {
  return (await select(tx, sql`where s.id = ${id} for no key update of s`))[0]
}

// In the order of their emails.
export function listStaff(db: Db): Promise<StaffMember[]> {
  return select(db, sql`order by s.email`)
}

// An active one: a suspended admin approves nothing.
export async function hasAdmin(db: Db): Promise<boolean> {
  const { rows } = await sql`select from staff where role = 'admin' and status = 'active' limit 1`.execute(db)
  return rows.length > 0
}

export interface NewStaff {
  id: StaffId
  email: string
  name: string
  role: Role
  partnerId: number | null
}

// False if the email is taken.
export async function insertStaff(tx: Tx, { id, email, name, role, partnerId }: NewStaff): Promise<boolean> {
  const { rows } = await sql`
    insert into staff (id, email, name, role, partner_id, created_at)
    values (${id}, ${email}, ${name}, ${role}, ${partnerId}, service_now())
    on conflict (email) do nothing returning id`.execute(tx)
  return rows.length > 0
}

export async function setStatus(tx: Tx, id: StaffId, status: StaffMember['status']): Promise<void> {
  await sql`update staff set status = ${status} where id = ${id}`.execute(tx)
}

export async function setRole(tx: Tx, id: StaffId, role: Role): Promise<void> {
  await sql`update staff set role = ${role} where id = ${id}`.execute(tx)
}

// A code that was right counts once, and so do those before it.
export async function noteCodeUsed(tx: Tx, id: StaffId, step: bigint): Promise<void> {
  await sql`update staff set totp_step = ${step} where id = ${id}`.execute(tx)
}

export async function offerTotp(tx: Tx, id: StaffId, sealed: Buffer): Promise<void> {
  await sql`update staff set totp_next = ${sealed} where id = ${id}`.execute(tx)
}

export async function setPassword(
  tx: Tx,
  id: StaffId,
  { password, totp, step }: { password: string; totp: Buffer; step: bigint | null },
): Promise<void> {
  await sql`update staff set password = ${password}, totp = ${totp}, totp_step = ${step}, totp_next = null
             where id = ${id}`.execute(tx)
}

export async function removePassword(tx: Tx, id: StaffId): Promise<void> {
  await sql`update staff set password = null, totp = null, totp_next = null, totp_step = null where id = ${id}`.execute(
    tx,
  )
  await sql`delete from staff_recovery_code where staff_id = ${id}`.execute(tx)
}

export async function bindSubject(
  tx: Tx,
  id: StaffId,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<void> {
  await sql`update staff set oidc_issuer = ${issuer}, oidc_subject = ${subject} where id = ${id}`.execute(tx)
}

// Every way in but passkeys.
export async function clearCredentials(tx: Tx, id: StaffId): Promise<void> {
  await removePassword(tx, id)
  await sql`update staff set oidc_issuer = null, oidc_subject = null where id = ${id}`.execute(tx)
}

export const rekeyStaff = rekeySealed('staff', ['totp', 'totp_next'])
