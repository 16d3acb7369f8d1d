import { sql } from 'kysely'
import type { Db, Tx } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'
import type { Purpose, Verification } from './types.ts'

const MINUTES = 10 // to type the code, and as many again to use what it proved

const COLUMNS = sql`id, purpose, session_id as "sessionId", expires_at as "expiresAt", mdn, person`

export async function insertVerification(
  tx: Tx,
  row: { id: string; purpose: Purpose; sessionId: string | null; provider: string; mdn: Buffer },
): Promise<Temporal.Instant> {
  const { rows } = await sql<{ expiresAt: Temporal.Instant }>`
    insert into identity_verification (id, purpose, session_id, provider, created_at, expires_at, mdn)
    values (${row.id}, ${row.purpose}, ${row.sessionId}, ${row.provider}, service_now(),
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

// One whose code was right and that nobody has used yet.
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

export async function deleteOldVerifications(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from identity_verification where id in (
      select id from identity_verification where created_at < service_now() - interval '1 hour'
       limit ${limit} for update skip locked)`.execute(tx)
  return result.numAffectedRows ?? 0n
}

// As with members: what is sealed by another key than the vault's own.
export async function rekeyVerifications(
  tx: Tx,
  vault: Vault,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; count: number } | undefined> {
  const { rows } = await sql<{ id: string; mdn: Buffer | null; person: Buffer | null }>`
    select id, mdn, person from identity_verification
     where id > ${after}::uuid
       and (sealed_under(mdn) <> ${vault.sealKeyId} or sealed_under(person) <> ${vault.sealKeyId})
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const again = (column: string, row: string, value: Buffer | null) => {
    const place = { table: 'identity_verification', column, row }
    return value && vault.seal(place, vault.open(place, value))
  }
  const ids = rows.map((row) => row.id)
  await sql`update identity_verification v set mdn = f.mdn, person = f.person
    from unnest(${ids}::uuid[], ${rows.map((row) => again('mdn', row.id, row.mdn))}::bytea[],
                ${rows.map((row) => again('person', row.id, row.person))}::bytea[]) as f (id, mdn, person)
   where v.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}
