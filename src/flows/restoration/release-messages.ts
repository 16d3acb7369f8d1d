import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockRestorations, markReleased, markVerified } from '#modules/restorations/store.ts'

export type ReleaseRefusal = Refusal<'nothing_held'>

interface ReleaseCommand {
  reason: string
  actor: string
}

// An operator decides that messages from before the restore are sent, although a provider could not be asked.
export function releaseMessages(
  database: Database,
  { reason, actor }: ReleaseCommand,
): Promise<{ kind: 'done'; released: number } | ReleaseRefusal> {
  return withOutcome(database, async (tx) => {
    const held = (await lockRestorations(tx)).filter(({ releasedAt }) => releasedAt === null)
    if (held.length === 0) return refused('nothing_held')
    for (const { id } of held) await markReleased(tx, id, actor)
    await insertAuditEntry(tx, {
      actor,
      action: 'installation.release_messages',
      subject: 'installation',
      details: { reason },
      before: { held: held.length },
      after: { held: 0 },
    })
    return { kind: 'done', released: held.length }
  })
}

// The lists were read to their ends: whatever is not in them was never sent.
export function releaseExamined(database: Database, id: string): Promise<boolean> {
  return database.withTransaction((tx) => markReleased(tx, id, 'worker'))
}

// All invariants hold after the restore.
export function recordVerified(database: Database, id: string): Promise<void> {
  return database.withTransaction((tx) => markVerified(tx, id))
}
