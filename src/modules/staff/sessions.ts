import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { newId } from '#base/ids.ts'
import type { StaffId } from './types.ts'

interface OpenedSession {
  hash: Buffer
  staffId: StaffId
  // When this person proved who they are, in the world's time; null if that is not known. `now`: just now.
  provenAt: Temporal.Instant | 'now' | null
  deviceLabel: string
  address: string | null
}

export async function insertStaffSession(tx: Tx, session: OpenedSession): Promise<string> {
  const { hash, staffId, provenAt, deviceLabel, address } = session
  const id = newId<'staff session'>()
  // The world's time as the age of the proof: a sandbox's clock may have been moved.
  const at = provenAt === 'now' || provenAt === null ? null : provenAt.toString()
  const proven =
    provenAt === null
      ? sql`null::timestamptz`
      : sql`service_now() - greatest(coalesce(now() - ${at}::timestamptz, interval '0'), interval '0')`
  await sql`insert into staff_session (hash, id, staff_id, created_at, seen_at, proven_at, device_label, address)
    values (${hash}, ${id}, ${staffId}, service_now(), service_now(),
            ${proven},
            ${deviceLabel}, ${address})`.execute(tx)
  return id
}

interface LeftSession {
  staffId: StaffId
  email: string
  session: string
}

// Ends the sessions of these cookies; returns those that had not ended.
export async function leaveStaffSessions(tx: Tx, hashes: readonly Buffer[]): Promise<LeftSession[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<LeftSession>`
    update staff_session l set ended_at = service_now() from staff s
     where l.hash = any(${hashes}::bytea[]) and l.ended_at is null and s.id = l.staff_id
    returning l.staff_id as "staffId", s.email, l.id as session`.execute(tx)
  return rows
}

// The session goes on under a new id: who saw or planted the old one has nothing. False if it has ended.
export async function renewProven(tx: Tx, sessionId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update staff_session set hash = ${hash}, proven_at = service_now(), seen_at = service_now()
     where id = ${sessionId} and ended_at is null returning id`.execute(tx)
  return rows.length > 0
}

// Held until the transaction ends. False if it has ended.
export async function holdStaffSession(tx: Tx, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from staff_session where id = ${sessionId} and ended_at is null for share`.execute(tx)
  return rows.length > 0
}

export interface OwnStaffSession {
  id: string
  device: string
  address: string | null
  startedAt: Temporal.Instant
  seenAt: Temporal.Instant
}

// Newest first. `isLive` is SQL of the program's own.
export async function listStaffSessions(db: Db, staffId: string, isLive: string): Promise<OwnStaffSession[]> {
  const { rows } = await sql<OwnStaffSession>`
    select s.id, s.device_label as device, s.address, s.created_at as "startedAt", s.seen_at as "seenAt"
      from staff_session s where s.staff_id = ${staffId} and ${sql.raw(isLive)}
     order by s.created_at desc, s.id`.execute(db)
  return rows
}

// One, or all, or all but one. Returns how many had not ended.
export async function endStaffSessions(
  tx: Tx,
  staffId: StaffId,
  which: { only?: string; but?: string } = {},
): Promise<number> {
  const result = await sql`
    update staff_session set ended_at = service_now()
     where staff_id = ${staffId} and ended_at is null
       and (${which.only ?? null}::uuid is null or id = ${which.only ?? null}::uuid)
       and id is distinct from ${which.but ?? null}::uuid`.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

// Dead after eight hours. It stays for a day, so that the log can still tell why it was refused.
export const deleteOldStaffSessions = deleteOld(
  'staff_session',
  "created_at < service_now() - interval '1 day'",
)
