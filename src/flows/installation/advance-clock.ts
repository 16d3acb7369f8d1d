import { sql } from 'kysely'
import type { Database } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

const LAST_YEAR = 2100
const MAX_SECONDS = 100 * 366 * 86_400

// Sandbox only: travel to an expiry. The offset only grows, so nothing that has happened comes again.
export function advanceClock(
  database: Database,
  command: { seconds: number; actor: string },
): Promise<Temporal.Instant> {
  if (!Number.isSafeInteger(command.seconds) || command.seconds <= 0) {
    throw new Refused('the clock only goes forward')
  }
  const tooFar = new Refused(`the clock cannot be set to ${LAST_YEAR} or later: it never goes back`)
  if (command.seconds > MAX_SECONDS) throw tooFar
  return database.withTransaction(async (tx) => {
    const { mode } = await tx.selectFrom('installation').select('mode').forUpdate().executeTakeFirstOrThrow()
    if (mode !== 'sandbox') throw new Refused('the clock can be advanced in a sandbox only')
    const { now } = await tx
      .updateTable('installation')
      .set({ clock_offset: sql`clock_offset + make_interval(secs => ${command.seconds})` })
      .returning(sql<Temporal.Instant>`now() + clock_offset`.as('now'))
      .executeTakeFirstOrThrow()
    if (now.toZonedDateTimeISO('UTC').year >= LAST_YEAR) throw tooFar
    // What has become due is looked for at once.
    for (const job of ['look_after_cards', 'poll_prices']) {
      await sql`select graphile_worker.add_job(${job}, job_key => ${job})`.execute(tx)
    }
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'clock.advance',
      subject: 'installation',
      details: { seconds: command.seconds },
    })
    return now
  })
}
