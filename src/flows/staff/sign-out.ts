import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { actorOf } from '#modules/staff/rules.ts'
import { leaveStaffSessions } from '#modules/staff/sessions.ts'

export type StaffSignOut = (sessions: readonly string[]) => Promise<void>

export function createStaffSignOut(database: Database, queue: WorkQueue): StaffSignOut {
  return (sessions) =>
    queue('leave', async () => {
      const hashes = hashesOfTokens(sessions)
      if (hashes.length === 0) return
      await database.withTransaction(async (tx) => {
        for (const { staffId, email, session } of await leaveStaffSessions(tx, hashes)) {
          const actor = actorOf({ email })
          const details = { session }
          await insertAuditEntry(tx, { actor, action: 'staff.sign_out', subject: staffId, details })
        }
      })
    })
}
