import { sql } from 'kysely'
import { asciiArray, bytesArray, intArray } from '#base/db/binary-arrays.ts'
import type { Database, Db, Reader, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { Batcher } from '#base/queues/batch.ts'
import { hoursOf } from './rules.ts'
import { type Counted, type CountedOnce, GUESS_KINDS, type GuessKind, type GuessScope } from './types.ts'

export interface Subject {
  scope: GuessScope
  // A keyed hash: whom it is counted against cannot be read from it.
  subject: Buffer
}

// One row if nothing was counted, which is the usual case: it has the moment.
const READ = {
  name: 'read_guesses',
  text: `with clock as materialized (select service_now() as now)
    select clock.now, counted.*
      from clock
      left join lateral (
             select w.i, w.scope, g.bucket, g.failures
               from unnest($1::int[], $2::text[], $3::text[], $4::bytea[], $5::int[])
                    as w (i, kind, scope, subject, hours)
              cross join lateral (select bucket, failures from guess_count
                                   where kind = w.kind and scope = w.scope and subject = w.subject
                                     and bucket > clock.now - w.hours * interval '1 hour' offset 0) g) counted on true`,
}

type GuessRow = Counted & { i: number; now: Temporal.Instant }

interface Guesses {
  now: Temporal.Instant
  counted: Counted[]
}

// One kind of secret, and everything that a guess at it counts against.
interface CountedSubjects {
  kind: GuessKind
  subjects: readonly Subject[]
}

export type ReadGuesses = (kind: GuessKind, subjects: readonly Subject[]) => Promise<Guesses>

// Gathered like lookups.
export function createReadGuesses(database: Reader): ReadGuesses {
  const batcher = new Batcher<CountedSubjects, Guesses>({
    run: (wanted) => readGuesses(database, wanted),
    maxSize: 64,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: 2_000,
  })
  return (kind, subjects) => batcher.submit({ kind, subjects })
}

async function readGuesses(database: Reader, wanted: readonly CountedSubjects[]): Promise<Guesses[]> {
  const asked = wanted.flatMap(({ kind, subjects }, i) => subjects.map((one) => ({ i, kind, ...one })))
  const rows = await database.read<GuessRow | (Omit<GuessRow, 'bucket'> & { bucket: null })>(READ, [
    intArray(asked, (one) => one.i),
    asciiArray(asked, (one) => one.kind),
    asciiArray(asked, (one) => one.scope),
    bytesArray(asked, (one) => one.subject),
    intArray(asked, (one) => hoursOf(one.kind, one.scope)),
  ])
  const { now } = rows[0]!
  const guesses = wanted.map((): Guesses => ({ now, counted: [] }))
  for (const row of rows) if (row.bucket !== null) guesses[row.i]!.counted.push(row)
  return guesses
}

// Sorted, so that two failures at once wait in the same order.
const NOTE = {
  name: 'note_guess',
  text: `insert into guess_count as g (kind, scope, subject, bucket, failures)
      select $1, w.scope, w.subject, date_bin('10 minutes', service_now(), '2000-01-01 00:00:00+00'), 1
        from unnest($2::text[], $3::bytea[]) as w (scope, subject) order by w.scope, w.subject
      on conflict (kind, scope, subject, bucket) do update set failures = g.failures + 1
      returning scope, subject, bucket, failures`,
}

export type Failures = (Subject & { bucket: Temporal.Instant; failures: number })[]

// How many failures there are now, by scope, in this window of ten minutes.
export type NoteGuess = (kind: GuessKind, subjects: readonly Subject[]) => Promise<Failures>

// One at a time: all of them wait for the same row, the overall count, and would each take a connection. The queue is
// separate, so that no other flood keeps a failure from being counted.
export function createNoteGuess(database: Database): NoteGuess {
  const batcher = new Batcher<CountedSubjects, Failures>({
    run: async ([failed]) => [await noteGuess(database, failed!)],
    maxSize: 1,
    maxInFlight: 1,
    maxWaiting: 2_000,
  })
  return (kind, subjects) => batcher.submit({ kind, subjects })
}

function noteGuess(database: Database, { kind, subjects }: CountedSubjects): Promise<Failures> {
  return database.writeOnce(NOTE, [
    kind,
    subjects.map((one) => one.scope),
    subjects.map((one) => one.subject),
  ])
}

// Locked in the order of the above.
const TAKE_BACK = {
  name: 'take_back_guesses',
  text: `with taken as (
      select scope, decode(subject, 'hex') as subject, bucket, count(*)::int as times
        from jsonb_to_recordset($2::jsonb) as w (scope text, subject text, bucket timestamptz) group by 1, 2, 3),
    held as materialized (
      select g.scope, g.subject, g.bucket, taken.times from guess_count g join taken using (scope, subject, bucket)
       where g.kind = $1 order by g.scope, g.subject, g.bucket for no key update of g)
    update guess_count g set failures = greatest(0, g.failures - held.times) from held
     where g.kind = $1 and (g.scope, g.subject, g.bucket) = (held.scope, held.subject, held.bucket)`,
}

export type TakeBackGuesses = (kind: GuessKind, counted: readonly CountedOnce[]) => Promise<void>

// One at a time, like what it takes back.
export function createTakeBackGuesses(database: Database): TakeBackGuesses {
  const batcher = new Batcher<{ kind: GuessKind; counted: readonly CountedOnce[] }, undefined>({
    run: async ([one]) => {
      await database.writeOnce(TAKE_BACK, [one!.kind, JSON.stringify(one!.counted)])
      return [undefined]
    },
    maxSize: 1,
    maxInFlight: 1,
    maxWaiting: 2_000,
  })
  return (kind, counted) => batcher.submit({ kind, counted })
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
      from guess_count where bucket > service_now() - interval '1 day' and failures > 0
     group by kind, bucket having bool_or(scope = 'all') order by bucket desc, kind`.execute(db)
  return rows
}

const RECENT = {
  name: 'recent_guesses',
  text: `select service_now() as now, kind, scope, bucket, failures from guess_count
          where scope = 'all' and kind = any($1::text[]) and subject = ''::bytea
            and bucket > service_now() - interval '20 minutes'`,
}

export function listRecentTotals(
  database: Reader,
): Promise<(Counted & { kind: GuessKind; now: Temporal.Instant })[]> {
  return database.read(RECENT, [GUESS_KINDS])
}

export const deleteOldGuesses = deleteOld('guess_count', "bucket < service_now() - interval '7 days'")

// A person who has proven their identity need not wait for the failures of others.
export async function deleteGuesses(tx: Tx, kind: GuessKind, { scope, subject }: Subject): Promise<void> {
  await sql`delete from guess_count where kind = ${kind} and scope = ${scope} and subject = ${subject}`.execute(
    tx,
  )
}
