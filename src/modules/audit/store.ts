import type { Db, Tx } from '#base/db/db.ts'

export interface AuditEntry {
  // The person or program: `cli:<account>` for the command line.
  actor: string
  action: string
  subject: string
  details?: Record<string, string | number | boolean | null | readonly string[]>
}

// In the change's own transaction: there is no change without its entry, and no entry without its change.
export async function insertAuditEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values({
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}

export function listAuditEntries(db: Db, ...subjects: string[]) {
  return db
    .selectFrom('audit_entry')
    .select(['at', 'actor', 'action', 'details'])
    .where('subject', 'in', subjects)
    .orderBy('id')
    .execute()
}
