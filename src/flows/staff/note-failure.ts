import { sql } from 'kysely'
import type { Database } from '#base/db/db.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

// Nobody knows who it was. The entry says from where.
const VISITOR = 'visitor'
const NOBODY = '00000000-0000-0000-0000-000000000000'

interface FailedTry {
  how: 'password' | 'passkey' | 'single_sign_on'
  // What was not right. A wrong code with a right password: someone may have the password.
  wrong: 'password' | 'code' | 'signature' | 'status'
}

// In the log of the person it was aimed at. An email that is nobody's leaves no entry: strangers could fill the log. It is
// written and undone to a savepoint, and both are committed, so that both wait for the disk and take the same time. The limits
// of guesses bound how many there are.
export async function noteFailedSignIn(
  database: Database,
  staffId: string | undefined,
  { how, wrong }: FailedTry,
): Promise<void> {
  await database.withTransaction(async (tx) => {
    await sql`savepoint noted`.execute(tx)
    const subject = staffId ?? NOBODY
    await insertAuditEntry(tx, {
      actor: VISITOR,
      action: 'staff.sign_in_failed',
      subject,
      details: { how, wrong },
    })
    const end = staffId === undefined ? sql`rollback to savepoint noted` : sql`release savepoint noted`
    await end.execute(tx)
  })
}
