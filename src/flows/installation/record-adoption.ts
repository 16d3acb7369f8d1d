import type { Database } from '#base/db/db.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

// Records the person who declares that this copy of the data, and no other, sends what is queued.
export function recordAdoption(
  database: Database,
  { folder, actor }: { folder: string; actor: string },
): Promise<void> {
  return database.withTransaction((tx) =>
    insertAuditEntry(tx, {
      actor,
      action: 'installation.adopt',
      subject: 'installation',
      details: { folder },
    }),
  )
}
