import { sql } from 'kysely'
import type { Database, Reader } from '#base/db/db.ts'
import { type Closed, type CloseRefusal, closeDays } from './close-days.ts'
import type { Difference } from './find-differences.ts'

export interface Attempt {
  at: Temporal.Instant
  // Null: nothing stood against closing.
  openDay: string | null
  differences: Difference[]
}

// Closes what is due, and keeps why a day stays open for those who look later. The note is no part of the books: if the process
// dies before it, the next attempt writes it.
export async function closeAndNote(
  database: Database,
  command: Parameters<typeof closeDays>[1],
): Promise<Closed | CloseRefusal> {
  const outcome = await closeDays(database, command)
  if (outcome.kind === 'done') await noteAttempt(database, outcome.open)
  return outcome
}

async function noteAttempt(database: Database, open: Closed['open']): Promise<void> {
  await database.withTransaction(async (tx) => {
    await sql`
      insert into close_attempt (at, open_day, differences)
      values (service_now(), ${open?.day ?? null}::date, ${JSON.stringify(open?.differences ?? [])})
      on conflict (one) do update
         set at = excluded.at, open_day = excluded.open_day, differences = excluded.differences`.execute(tx)
  })
}

const ATTEMPT = {
  name: 'read_close_attempt',
  text: 'select at, open_day as "openDay", differences from close_attempt',
}

export async function readAttempt(database: Reader): Promise<Attempt | undefined> {
  const [row] = await database.read<Omit<Attempt, 'differences'> & { differences: string }>(ATTEMPT, [])
  return row && { ...row, differences: JSON.parse(row.differences) as Difference[] }
}
