import type { Database } from '#base/db.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

// Somebody answers for it that this copy of the data sends what is queued, and no other.
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
