import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { Restoration, RestorationMarks } from './types.ts'

interface Row extends Record<string, unknown> {
  id: string
  restored_to: Temporal.Instant | null
  certain_until: Temporal.Instant
  recorded_at: Temporal.Instant
  recorded_by: string
  verified_at: Temporal.Instant | null
  released_at: Temporal.Instant | null
  released_by: string | null
  signature: Buffer | null
}

const COLUMNS =
  'id, restored_to, certain_until, recorded_at, recorded_by, verified_at, released_at, released_by, signature'

function toRestoration(row: Row): Restoration {
  return {
    id: row.id,
    restoredTo: row.restored_to,
    certainUntil: row.certain_until,
    recordedAt: row.recorded_at,
    recordedBy: row.recorded_by,
    verifiedAt: row.verified_at,
    releasedAt: row.released_at,
    releasedBy: row.released_by,
    signature: row.signature,
  }
}

export async function insertRestoration(
  tx: Tx,
  { restoredTo, certainUntil, recordedBy }: Pick<Restoration, 'restoredTo' | 'certainUntil' | 'recordedBy'>,
): Promise<Restoration> {
  const { rows } = await sql<Row>`insert into restoration
      (id, restored_to, certain_until, recorded_by, service_at)
    values (${newId<'restoration'>()}, ${restoredTo?.toString() ?? null}::timestamptz,
            ${certainUntil.toString()}::timestamptz, ${recordedBy}, service_now())
    returning ${sql.raw(COLUMNS)}`.execute(tx)
  return toRestoration(rows[0]!)
}

// Newest first.
export async function listRestorations(db: Db): Promise<Restoration[]> {
  const { rows } =
    await sql<Row>`select ${sql.raw(COLUMNS)} from restoration order by service_at desc`.execute(db)
  return rows.map(toRestoration)
}

// Two who record or release at once take turns.
export async function lockRestorations(tx: Tx): Promise<Restoration[]> {
  await sql`lock table restoration in share row exclusive mode`.execute(tx)
  return listRestorations(tx)
}

export async function markSigned(tx: Tx, id: string, signature: Buffer): Promise<void> {
  await sql`update restoration set signature = ${signature} where id = ${id}`.execute(tx)
}

export async function markVerified(tx: Tx, id: string): Promise<void> {
  await sql`update restoration set verified_at = now() where id = ${id} and verified_at is null`.execute(tx)
}

export async function markReleased(tx: Tx, id: string, by: string): Promise<boolean> {
  const result = await sql`update restoration set released_at = now(), released_by = ${by}
    where id = ${id} and released_at is null`.execute(tx)
  return result.numAffectedRows === 1n
}

interface MarksRow {
  restored_at: Temporal.Instant | null
  held_until: Temporal.Instant | null
}

// Undefined if the database was never restored: nearly always.
export async function readMarks(db: Db): Promise<RestorationMarks | undefined> {
  const { rows } = await sql<MarksRow>`select max(service_at) as restored_at,
    max(service_at) filter (where released_at is null) as held_until from restoration`.execute(db)
  const { restored_at, held_until } = rows[0]!
  return restored_at === null ? undefined : { restoredAt: restored_at, heldUntil: held_until }
}

const UNVERIFIED = {
  name: 'unverified_restoration',
  text: 'select from restoration where verified_at is null and released_at is null limit 1',
  boundMs: 4_000, // as long as a load balancer waits
}

// Whether invariants are still to be checked after a restore.
export async function awaitsVerification(database: Reader): Promise<boolean> {
  return (await database.read(UNVERIFIED, [])).length > 0
}
