import { sql } from 'kysely'
import type { Database, Db, Reader, Tx } from '#base/db.ts'
import type { Counted, GuessKind, GuessScope } from './types.ts'

export interface Subject {
  scope: GuessScope
  // A keyed hash: whom it is counted against cannot be read from it.
  subject: Buffer
}

const READ = {
  name: 'read_guesses',
  text: `select service_now() as now, w.scope, g.bucket, g.failures
      from unnest($2::text[], $3::bytea[]) as w (scope, subject)
      left join guess_count g on g.kind = $1 and g.scope = w.scope and g.subject = w.subject
                             and g.bucket > service_now() - interval '1 hour'`,
}

type GuessRow = Counted & { now: Temporal.Instant }

export async function readGuesses(
  database: Reader,
  kind: GuessKind,
  subjects: readonly Subject[],
): Promise<{ now: Temporal.Instant; counted: Counted[] }> {
  const rows = await database.read<GuessRow | (Omit<GuessRow, 'bucket'> & { bucket: null })>(READ, [
    kind,
    subjects.map((one) => one.scope),
    subjects.map((one) => one.subject),
  ])
  return { now: rows[0]!.now, counted: rows.filter((row): row is GuessRow => row.bucket !== null) }
}

// Sorted, so that two failures at once wait in the same order.
const NOTE = {
  name: 'note_guess',
  text: `insert into guess_count as g (kind, scope, subject, bucket, failures)
      select $1, w.scope, w.subject, date_bin('10 minutes', service_now(), '2000-01-01 00:00:00+00'), 1
        from unnest($2::text[], $3::bytea[]) as w (scope, subject) order by w.scope, w.subject
      on conflict (kind, scope, subject, bucket) do update set failures = g.failures + 1
      returning scope, failures`,
}

// How many failures there are now, by scope, in this window of ten minutes.
export function noteGuess(
  database: Database,
  kind: GuessKind,
  subjects: readonly Subject[],
): Promise<{ scope: GuessScope; failures: number }[]> {
  return database.writeOnce(NOTE, [
    kind,
    subjects.map((one) => one.scope),
    subjects.map((one) => one.subject),
  ])
}

// For the operator: what was counted in the last day, by kind and window, and how many subjects it was against.
export async function listGuesses(db: Db) {
  const { rows } = await sql<{
    kind: GuessKind
    bucket: Temporal.Instant
    failures: bigint
    accounts: bigint
    addresses: bigint
  }>`
    select kind, bucket, coalesce(sum(failures) filter (where scope = 'all'), 0) as failures,
           count(*) filter (where scope = 'account') as accounts,
           count(*) filter (where scope = 'address') as addresses
      from guess_count where bucket > service_now() - interval '1 day'
     group by kind, bucket order by bucket desc, kind`.execute(db)
  return rows
}

const RECENT = {
  name: 'recent_guesses',
  text: `select service_now() as now, kind, scope, bucket, failures from guess_count
          where scope = 'all' and kind in ('pin', 'login', 'identity') and subject = ''::bytea
            and bucket > service_now() - interval '20 minutes'`,
}

export function listRecentTotals(
  database: Reader,
): Promise<(Counted & { kind: GuessKind; now: Temporal.Instant })[]> {
  return database.read(RECENT, [])
}

export async function deleteOldGuesses(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from guess_count where ctid = any(array(
      select ctid from guess_count where bucket < service_now() - interval '7 days'
       limit ${limit} for update skip locked))`.execute(tx)
  return result.numAffectedRows ?? 0n
}
