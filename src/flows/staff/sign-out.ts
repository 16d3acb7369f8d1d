import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'

export type StaffSignOut = (sessions: readonly string[]) => Promise<void>

const LEAVE = {
  name: 'leave_staff_session',
  text: `update staff_session set ended_at = coalesce(ended_at, service_now()) where hash = any($1::bytea[])`,
}

export function createStaffSignOut(database: Database, queue: WorkQueue): StaffSignOut {
  return (sessions) =>
    queue('leave', async () => {
      const hashes = hashesOfTokens(sessions)
      if (hashes.length > 0) await database.writeOnce(LEAVE, [hashes])
    })
}
