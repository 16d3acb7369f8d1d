import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { SessionKind } from '#modules/sessions/types.ts'

export type LogOut = (kind: SessionKind, sessions: readonly string[]) => Promise<void>

const LEAVE = {
  name: 'leave_session',
  text: `update web_session set ended_at = coalesce(ended_at, service_now())
     where hash = any($1::bytea[]) and (account_id is not null) = $2`,
}

export function createLogOut(database: Database, queue: WorkQueue): LogOut {
  return (kind, sessions) => queue('leave', () => leave(database, kind, sessions))
}

async function leave(database: Database, kind: SessionKind, sessions: readonly string[]): Promise<void> {
  const hashes = hashesOfTokens(sessions)
  if (hashes.length > 0) await database.writeOnce(LEAVE, [hashes, kind === 'member'])
}
