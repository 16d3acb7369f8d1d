import { sql } from 'kysely'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { liveSession } from './rules.ts'
import type { HashKeyRefusal } from './types.ts'

interface OpenedSession {
  hash: Buffer
  accountId: string
  deviceHash: Buffer
  deviceLabel: string
  mustVerify: boolean
  // Identity was verified on the way in.
  verified: boolean
  // The browser's former sessions: they end.
  before: readonly Buffer[]
}

export async function openSession(tx: Tx, session: OpenedSession): Promise<void> {
  await endSessions(tx, session.before)
  await sql`insert into web_session (hash, account_id, created_at, seen_at, device_hash, device_label, must_verify,
                                     verified_at)
    values (${session.hash}, ${session.accountId}, service_now(), service_now(), ${session.deviceHash},
            ${session.deviceLabel}, ${session.mustVerify},
            ${session.verified ? sql`service_now()` : sql`null`})`.execute(tx)
}

async function endSessions(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return
  await sql`update web_session set ended_at = service_now()
             where hash = any(${hashes}::bytea[]) and ended_at is null`.execute(tx)
}

export interface LockedSession {
  // An account or a link.
  owner: string
  hash: Buffer
  deviceHash: Buffer | null
  // Identity was verified in it before.
  verified: boolean
}

// Undefined if the session has ended.
export async function lockSession(tx: Tx, sessionId: string): Promise<LockedSession | undefined> {
  const { rows } = await sql<LockedSession>`
    select coalesce(account_id, partner_user_id) as owner, hash, device_hash as "deviceHash",
           verified_at is not null as verified
      from web_session where id = ${sessionId} and ended_at is null for no key update`.execute(tx)
  return rows[0]
}

// The proof holds for this browser: its session gets a new id and its device another one. An attacker who planted or
// saw the old ids has nothing.
export async function renewVerifiedSession(
  tx: Tx,
  sessionId: string,
  next: { hash: Buffer; deviceHash: Buffer },
): Promise<void> {
  await sql`update web_session
               set hash = ${next.hash}, device_hash = ${next.deviceHash}, must_verify = false, verified_at = service_now()
             where id = ${sessionId}`.execute(tx)
}

export interface OwnSession {
  id: string
  device: string
  partner: string | null
  startedAt: Temporal.Instant
  seenAt: Temporal.Instant
}

interface SessionOwner {
  // Null for a person whom only partners know.
  accountId: string | null
  memberId: string
}

// A probe of an index for the account, and one for each link.
function hashesOf({ accountId, memberId }: SessionOwner) {
  return sql`select hash from web_session where account_id = ${accountId}
    union all select w.hash from partner_user l join web_session w on w.partner_user_id = l.id
     where l.member_id = ${memberId}`
}

// Sessions of an account, and web views of the member's links, that are alive: newest first.
export async function listSessions(db: Db, of: SessionOwner): Promise<OwnSession[]> {
  const { rows } = await sql<OwnSession>`
    select s.id, s.device_label as device, p.name as partner, s.created_at as "startedAt", s.seen_at as "seenAt"
      from web_session s
      left join member_account a on a.id = s.account_id
      left join partner_user u on u.id = s.partner_user_id
      left join partner p on p.id = u.partner_id
     where s.hash in (${hashesOf(of)})
       and ${sql.raw(liveSession('s', 'service_now()'))}
       and s.created_at > coalesce(a.logins_after, u.logins_after)
       and a.frozen_at is null
       and (u.id is null or u.status = 'active' and p.status = 'active')
     order by s.created_at desc, s.id`.execute(db)
  return rows
}

// Ends one session of a member, or all but one. Returns how many were alive.
export async function endOwnSessions(
  tx: Tx,
  of: SessionOwner & { only?: string; but?: string },
): Promise<number> {
  const result = await sql`
    update web_session set ended_at = service_now()
     where hash in (${hashesOf(of)})
       and ended_at is null
       and (${of.only ?? null}::uuid is null or id = ${of.only ?? null}::uuid)
       and id is distinct from ${of.but ?? null}::uuid`.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

// The sessions of these browsers, of one account or link. Returns how many were alive.
export async function endSessionsOfDevices(
  tx: Tx,
  owner: string,
  devices: readonly Buffer[],
): Promise<number> {
  const result = await sql`
    update web_session set ended_at = service_now()
     where hash in (select hash from web_session where account_id = ${owner}
                    union all select hash from web_session where partner_user_id = ${owner})
       and ended_at is null and device_hash = any(${devices}::bytea[])`.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

export interface ShownHashKey {
  issuedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  usedAt: Temporal.Instant | null
}

// The newest hash keys of a link. They stay for a day; the keys themselves are stored nowhere.
export async function listHashKeys(db: Db, linkId: string, limit: number): Promise<ShownHashKey[]> {
  const { rows } = await sql<ShownHashKey>`
    select issued_at as "issuedAt", expires_at as "expiresAt", used_at as "usedAt" from hash_key
     where partner_user_id = ${linkId} order by issued_at desc limit ${limit}`.execute(db)
  return rows
}

// A session is dead after eight hours. It stays for a day, so that the log can still tell why it was refused and the
// page still knows whose frame it is in.
export const deleteOldSessions = deleteOld('web_session', "created_at < service_now() - interval '1 day'")

// A key is dead after an hour. It stays for a day, so that the log can still tell why it was refused and the
// page still knows whose frame it is in.
export const deleteOldHashKeys = deleteOld('hash_key', "issued_at < service_now() - interval '1 day'")

const ISSUE = {
  name: 'issue_hash_keys',
  text: `select i.outcome, i.expires_at as "expiresAt", u.id as "linkId"
    from issue_hash_keys($1::int[], $2::text[], $3::bytea[]) with ordinality as i (outcome, expires_at, n)
    join unnest($1::int[], $2::text[]) with ordinality as w (partner_id, partner_key, n) on w.n = i.n
    left join lateral (select id from partner_user
                        where partner_id = w.partner_id and partner_key = w.partner_key limit 1) u on true
   order by i.n`,
}

interface IssuedRow {
  outcome: 'issued' | HashKeyRefusal
  expiresAt: Temporal.Instant
  // Null: there is no such user.
  linkId: string | null
}

// One round trip, one transaction, one outcome per key in order.
export function insertHashKeys(
  database: Database,
  wanted: readonly { partnerId: number; partnerKey: string; hash: Buffer }[],
): Promise<IssuedRow[]> {
  return database.writeOnce<IssuedRow>(ISSUE, [
    wanted.map((w) => w.partnerId),
    wanted.map((w) => w.partnerKey),
    wanted.map((w) => w.hash),
  ])
}
