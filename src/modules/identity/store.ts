import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { MAX_REFUSALS, MAX_TRIES, RESEND_SECONDS } from './rules.ts'
import type { Purpose, Verification } from './types.ts'

const MINUTES = 10 // to type the code, and as many again to use what it proved

const COLUMNS = sql`id, purpose, session_id as "sessionId", expires_at as "expiresAt", mdn, person`

export async function insertVerification(
  tx: Tx,
  row: { id: string; purpose: Purpose; sessionId: string | null; provider: string; mdn: Buffer },
): Promise<Temporal.Instant> {
  const { rows } = await sql<{ expiresAt: Temporal.Instant }>`
    insert into identity_verification (id, purpose, session_id, provider, created_at, sent_at, expires_at, mdn)
    values (${row.id}, ${row.purpose}, ${row.sessionId}, ${row.provider}, service_now(), service_now(),
            service_now() + ${`${MINUTES} minutes`}::interval, ${row.mdn})
    returning expires_at as "expiresAt"`.execute(tx)
  return rows[0]!.expiresAt
}

// One whose code is still to be typed, or was, with the answer lost on its way.
export async function findBegun(db: Db, id: string): Promise<Verification | undefined> {
  const { rows } = await sql<Verification>`select ${COLUMNS} from identity_verification
    where id = ${id} and used_at is null and expires_at > service_now()`.execute(db)
  return rows[0]
}

export async function lockBegun(tx: Tx, id: string): Promise<Verification | undefined> {
  const { rows } = await sql<Verification>`select ${COLUMNS} from identity_verification
    where id = ${id} and used_at is null and expires_at > service_now() for update`.execute(tx)
  return rows[0]
}

// A verification whose code was right and that is not used yet.
export async function findProven(db: Db, id: string, purpose: Purpose): Promise<Verification | undefined> {
  const { rows } = await sql<Verification>`select ${COLUMNS} from identity_verification
    where id = ${id} and purpose = ${purpose} and used_at is null
      and confirmed_at > service_now() - ${`${MINUTES} minutes`}::interval`.execute(db)
  return rows[0]
}

export async function lockProven(tx: Tx, id: string, purpose: Purpose): Promise<Verification | undefined> {
  const { rows } = await sql<Verification>`select ${COLUMNS} from identity_verification
    where id = ${id} and purpose = ${purpose} and used_at is null
      and confirmed_at > service_now() - ${`${MINUTES} minutes`}::interval
    for update`.execute(tx)
  return rows[0]
}

export async function markProven(tx: Tx, id: string, person: Buffer): Promise<void> {
  await sql`update identity_verification set confirmed_at = coalesce(confirmed_at, service_now()), person = ${person}
             where id = ${id}`.execute(tx)
}

// Used, or refused for good: nothing stays of what was said.
export async function markUsed(tx: Tx, id: string): Promise<void> {
  await sql`update identity_verification set used_at = service_now(), person = null, mdn = null
             where id = ${id}`.execute(tx)
}

const TRY = {
  name: 'try_code',
  text: `update identity_verification set tries = tries + 1
          where id = $1 and used_at is null and expires_at > service_now() and tries < $2 returning id`,
}

// False if the verification is used or expired, or if MAX_TRIES codes were wrong or are being checked right now.
export async function countTry(database: Database, id: string): Promise<boolean> {
  return (await database.writeOnce(TRY, [id, MAX_TRIES])).length > 0
}

const TAKE_BACK = {
  name: 'take_back_try',
  text: 'update identity_verification set tries = tries - 1 where id = $1 and tries > 0',
}

export async function takeBackTry(database: Database, id: string): Promise<void> {
  await database.writeOnce(TAKE_BACK, [id])
}

const KEEP_COUNTED = {
  name: 'keep_counted',
  text: 'update identity_verification set counted = counted || $2::jsonb where id = $1',
}

// Keeps how a text was counted, to take it back when the code is right. The caller knows the content.
export async function keepCounted(
  database: Database,
  id: string,
  counted: readonly unknown[],
): Promise<void> {
  await database.writeOnce(KEEP_COUNTED, [id, JSON.stringify(counted)])
}

const TAKE_COUNTED = {
  name: 'take_counted',
  text: `update identity_verification v set counted = '[]'
          from (select id, counted from identity_verification where id = $1 for no key update) before
         where v.id = before.id returning before.counted`,
}

// Returns it once: a second call gets nothing.
export async function takeCounted<One>(database: Database, id: string): Promise<One[]> {
  const [row] = await database.writeOnce<{ counted: One[] }>(TAKE_COUNTED, [id])
  return row?.counted ?? []
}

const RESEND = {
  name: 'take_resend',
  text: `with found as materialized (
      select id, sent_at + $3::int * interval '1 second' as next, tries >= $2 as over from identity_verification
       where id = $1 and used_at is null and expires_at > service_now() for no key update),
    taken as (
      update identity_verification v set sent_at = service_now()
        from found where v.id = found.id and not found.over and found.next <= service_now()
      returning v.id)
    select over, exists (select from taken) as taken,
           greatest(1, ceil(extract(epoch from next - service_now())))::int as "waitSeconds" from found`,
}

// Of several who ask at once, one may.
export async function takeResend(
  database: Database,
  id: string,
): Promise<{ over: boolean; taken: boolean; waitSeconds: number } | undefined> {
  const values = [id, MAX_TRIES, RESEND_SECONDS]
  const [row] = await database.writeOnce<{ over: boolean; taken: boolean; waitSeconds: number }>(
    RESEND,
    values,
  )
  return row
}

// Counts a sign-up refused for a taken login id or a weak password. The last one allowed uses the verification up. False if
// it is used up already.
export async function countRefusal(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`update identity_verification v
      set refusals = refusals + 1, used_at = case when last then service_now() end,
          person = case when not last then v.person end, mdn = case when not last then v.mdn end
     from (select refusals + 1 >= ${MAX_REFUSALS} as last from identity_verification
            where id = ${id} and used_at is null for no key update) l
    where v.id = ${id} returning v.id`.execute(tx)
  return rows.length > 0
}

export const deleteOldVerifications = deleteOld(
  'identity_verification',
  "created_at < service_now() - interval '1 hour'",
)

export const rekeyVerifications = rekeySealed('identity_verification', ['mdn', 'person'])
