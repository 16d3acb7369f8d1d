import { sql } from 'kysely'
import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

const LAST_YEAR = 2100
const MAX_SECONDS = 100 * 366 * 86_400

export type ClockRefusal =
  | Refusal<'not_forward' | 'sandbox_only'>
  // The clock never reaches this year.
  | Refusal<'too_far', { year: number }>

type ClockOutcome = { kind: 'done'; now: Temporal.Instant } | ClockRefusal

// Sandbox only: travel to an expiry. The offset only grows, so nothing that has happened comes again.
export async function advanceClock(
  database: Database,
  command: { seconds: number; actor: string },
): Promise<ClockOutcome> {
  if (!Number.isSafeInteger(command.seconds) || command.seconds <= 0) return refused('not_forward')
  const tooFar = refused('too_far', { year: LAST_YEAR })
  if (command.seconds > MAX_SECONDS) return tooFar
  return withOutcome<ClockOutcome>(database, async (tx) => {
    const { mode } = await tx.selectFrom('installation').select('mode').forUpdate().executeTakeFirstOrThrow()
    if (mode !== 'sandbox') return refused('sandbox_only')
    const { now } = await tx
      .updateTable('installation')
      .set({ clock_offset: sql`clock_offset + make_interval(secs => ${command.seconds})` })
      .returning(sql<Temporal.Instant>`now() + clock_offset`.as('now'))
      .executeTakeFirstOrThrow()
    if (now.toZonedDateTimeISO('UTC').year >= LAST_YEAR) return tooFar
    // What has become due is looked for at once.
    for (const job of ['look_after_cards', 'poll_prices', 'close_books']) {
      await sql`select graphile_worker.add_job(${job}, job_key => ${job})`.execute(tx)
    }
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'clock.advance',
      subject: 'installation',
      details: { seconds: command.seconds },
      before: { now: now.subtract({ seconds: command.seconds }).toString() },
      after: { now: now.toString() },
    })
    return { kind: 'done', now }
  })
}
