import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'

// Browsers that an account or a link trusts. The owner is either.

// Ends the trust in these ids, which another takes over. Returns those that were trusted. Of two who bring the same id at
// once, the second waits for the first and finds it gone. The row of a link's first browser stays, without trust.
export async function endTrust(tx: Tx, owner: string, hashes: readonly Buffer[]): Promise<Buffer[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<{ hash: Buffer; trusted: boolean }>`
    with first as (
      update device set trusted = false where owner_id = ${owner} and hash = any(${hashes}::bytea[]) and first and trusted
      returning hash, true as trusted),
    other as (
      delete from device where owner_id = ${owner} and hash = any(${hashes}::bytea[]) and not first
      returning hash, trusted)
    select * from first union all select * from other`.execute(tx)
  return rows.filter(({ trusted }) => trusted).map(({ hash }) => hash)
}

// The id that this owner trusts, of those that a browser brought.
export async function findTrustedDevice(
  db: Db,
  owner: string,
  hashes: readonly Buffer[],
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from device where owner_id = ${owner} and hash = any(${hashes}::bytea[]) and trusted limit 1`.execute(
    db,
  )
  return rows[0]?.hash
}

const TRUSTED_BY_NUMBER = {
  name: 'trusted_by_number',
  text: `select from member_account a join device d on d.owner_id = a.id
          where a.phone_index = any($1::bytea[]) and a.closed_at is null
            and d.hash = any($2::bytea[]) and d.trusted limit 1`,
}

// A member who joined a moment ago has no phone_index yet, and no browser counts as the owner's.
export async function isTrustedByNumber(
  database: Reader,
  numbers: readonly Buffer[],
  hashes: readonly Buffer[],
): Promise<boolean> {
  return (await database.read(TRUSTED_BY_NUMBER, [numbers, hashes])).length > 0
}

// The ids that any owner trusts, of those that a browser brought, last seen first. Reads the whole table, so it is
// called only for a browser that was let in and brought more than it can keep.
export async function findKnownDevices(db: Db, hashes: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from device where hash = any(${hashes}::bytea[]) and trusted order by seen_at desc`.execute(
    db,
  )
  return rows.map(({ hash }) => hash)
}

export async function trustDevice(tx: Tx, owner: string, hash: Buffer): Promise<void> {
  await sql`insert into device (owner_id, hash, trusted, trusted_at, seen_at)
    values (${owner}, ${hash}, true, service_now(), service_now())`.execute(tx)
}

// Browsers that these accounts and links trust.
export async function countDevices(db: Db, owners: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device where owner_id = any(${owners}::uuid[]) and trusted`.execute(db)
  return rows[0]!.count
}

export interface ShownDevice {
  // Names it to the operator. The whole hash stays here.
  ref: string
  // An account or a link.
  ownerId: string
  first: boolean
  trustedAt: Temporal.Instant
  seenAt: Temporal.Instant
}

const REF = sql.raw(`encode(substr(hash, 1, 8), 'hex')`)

// The browsers that these accounts and links trust, last seen first.
export async function listDevices(db: Db, owners: readonly string[], limit: number): Promise<ShownDevice[]> {
  const { rows } = await sql<ShownDevice>`
    select ${REF} as ref, owner_id as "ownerId", first, trusted_at as "trustedAt", seen_at as "seenAt"
      from device where owner_id = any(${owners}::uuid[]) and trusted order by seen_at desc, ref limit ${limit}`.execute(
    db,
  )
  return rows
}

// One of them, or all that these owners trust.
export async function findDevices(
  db: Db,
  owners: readonly string[],
  ref: string | undefined,
): Promise<{ ownerId: string; hash: Buffer }[]> {
  const { rows } = await sql<{ ownerId: string; hash: Buffer }>`
    select owner_id as "ownerId", hash from device
     where owner_id = any(${owners}::uuid[]) and trusted and (${ref ?? null}::text is null or ${REF} = ${ref ?? null})
     order by owner_id, hash`.execute(db)
  return rows
}

export async function forgetDevices(tx: Tx, owner: string): Promise<void> {
  await sql`delete from device where owner_id = ${owner}`.execute(tx)
}

// The devices of the member's links. The row of a link's first browser stays, without trust, as in endTrust.
export async function forgetLinkDevices(tx: Tx, memberId: string): Promise<void> {
  const links = sql`select id from partner_user where member_id = ${memberId}`
  await sql`update device set trusted = false where owner_id in (${links}) and first and trusted`.execute(tx)
  await sql`delete from device where owner_id in (${links}) and not first`.execute(tx)
}

// A browser that has not come back for a year is forgotten. The first one of a link stays: otherwise the next browser
// would count as the first.
export const deleteOldDevices = deleteOld(
  'device',
  "not first and seen_at < service_now() - interval '1 year'",
)
