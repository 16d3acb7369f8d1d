import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { CEREMONY_SECONDS, type Ceremony } from './rules.ts'
import type { Passkey, PasskeyId, ProvenKey } from './types.ts'

// Members and staff have their passkeys in tables of their own: neither can be taken for the other's.
export interface PasskeysOf {
  table: 'passkey' | 'staff_passkey'
  owner: 'account_id' | 'staff_id'
}
const OF_MEMBERS: PasskeysOf = { table: 'passkey', owner: 'account_id' }
export const OF_STAFF: PasskeysOf = { table: 'staff_passkey', owner: 'staff_id' }

const columns = ({
  owner,
}: PasskeysOf) => sql`id, ${sql.ref(owner)} as "accountId", credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports, backed_up as "backedUp", name, created_at as "createdAt",
  last_used_at as "lastUsedAt", blocked_at as "blockedAt"`

export async function findPasskey(
  db: Db,
  credentialId: Buffer,
  of = OF_MEMBERS,
): Promise<Passkey | undefined> {
  const { rows } = await sql<Passkey>`select ${columns(of)} from ${sql.table(of.table)}
    where credential_id = ${credentialId}`.execute(db)
  return rows[0]
}

export async function listPasskeys(db: Db, accountId: string, of = OF_MEMBERS): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`select ${columns(of)} from ${sql.table(of.table)}
    where ${sql.ref(of.owner)} = ${accountId} order by created_at, id`.execute(db)
  return rows
}

export async function lockPasskey(
  tx: Tx,
  accountId: string,
  id: string,
  of = OF_MEMBERS,
): Promise<Passkey | undefined> {
  const { rows } = await sql<Passkey>`select ${columns(of)} from ${sql.table(of.table)}
    where id = ${id} and ${sql.ref(of.owner)} = ${accountId} for update`.execute(tx)
  return rows[0]
}

type NewPasskey = ProvenKey & { id: PasskeyId; accountId: string; name: Buffer }

// False if that very key is known already, to whomever it belongs.
export async function insertPasskey(tx: Tx, key: NewPasskey, of = OF_MEMBERS): Promise<boolean> {
  const { rows } = await sql`
    insert into ${sql.table(of.table)} (id, ${sql.ref(of.owner)}, credential_id, public_key, counter, transports,
                                        backup_eligible, backed_up, name, created_at)
    values (${key.id}, ${key.accountId}, ${key.credentialId}, ${key.publicKey}, ${key.counter}, ${key.transports},
            ${key.backupEligible}, ${key.backedUp}, ${key.name}, service_now())
    on conflict (credential_id) do nothing returning id`.execute(tx)
  return rows.length > 0
}

export async function markPasskeyUsed(
  tx: Tx,
  id: PasskeyId,
  { counter, backedUp }: { counter: number; backedUp: boolean },
  of = OF_MEMBERS,
): Promise<void> {
  await sql`update ${sql.table(of.table)} set counter = ${counter}, backed_up = ${backedUp}, last_used_at = service_now()
             where id = ${id}`.execute(tx)
}

export async function blockPasskey(tx: Tx, id: PasskeyId, of = OF_MEMBERS): Promise<void> {
  await sql`update ${sql.table(of.table)} set blocked_at = service_now() where id = ${id}`.execute(tx)
}

export async function renamePasskey(tx: Tx, id: PasskeyId, name: Buffer, of = OF_MEMBERS): Promise<void> {
  await sql`update ${sql.table(of.table)} set name = ${name} where id = ${id}`.execute(tx)
}

export async function deletePasskey(tx: Tx, id: PasskeyId, of = OF_MEMBERS): Promise<void> {
  await sql`delete from ${sql.table(of.table)} where id = ${id}`.execute(tx)
}

// How many there were. Their account is locked.
export async function deletePasskeys(tx: Tx, accountId: string, of = OF_MEMBERS): Promise<number> {
  const result = await sql`
    delete from ${sql.table(of.table)} where ${sql.ref(of.owner)} = ${accountId}`.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

export async function insertChallenge(
  tx: Tx,
  { hash, challenge }: Pick<Ceremony, 'hash' | 'challenge'>,
  sessionId: string | null,
): Promise<void> {
  await sql`insert into passkey_challenge (hash, session_id, challenge, expires_at)
    values (${hash}, ${sessionId}, ${challenge}, service_now() + make_interval(secs => ${CEREMONY_SECONDS}))`.execute(
    tx,
  )
}

// Takes the challenge of this browser's ceremony. It is used up, whatever the outcome.
export async function takeChallenge(
  tx: Tx,
  hashes: readonly Buffer[],
  sessionId: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ challenge: string; alive: boolean }>`
    delete from passkey_challenge
     where hash = any(${hashes}::bytea[]) and session_id is not distinct from ${sessionId}::uuid
    returning challenge, expires_at > service_now() as alive`.execute(tx)
  return rows.find(({ alive }) => alive)?.challenge
}

export const deleteOldChallenges = deleteOld('passkey_challenge', 'expires_at < service_now()')

export const rekeyPasskeys = rekeySealed('passkey', ['name'])
export const rekeyStaffPasskeys = rekeySealed('staff_passkey', ['name'])
