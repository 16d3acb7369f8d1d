import { sql } from 'kysely'
import type { Database, Tx } from '#base/db.ts'
import type { HashKeyRefusal } from './types.ts'

// A key is dead after an hour. It stays for a day, so that the log can still tell why it was refused and the
// page still knows whose frame it is in.
export async function deleteOldHashKeys(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from hash_key where ctid = any(array(
      select ctid from hash_key where issued_at < service_now() - interval '1 day'
       limit ${limit} for update skip locked))`.execute(tx)
  return result.numAffectedRows ?? 0n
}

const ISSUE = {
  name: 'issue_hash_keys',
  text: 'select outcome, expires_at as "expiresAt" from issue_hash_keys($1::int[], $2::text[], $3::bytea[])',
}

interface IssuedRow {
  outcome: 'issued' | HashKeyRefusal
  expiresAt: Temporal.Instant
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
