import { messageOf } from '#app/embedded-postgres/error.ts'
import { actingFrom } from '#base/acting.ts'
import { type Source, withClient } from './source.ts'

interface Act {
  action: 'backup.make' | 'backup.stop'
  actor: string
  before: { dir: string | null }
  after: { dir: string | null }
}

/**
 * A copy of the database leaves it, or no more do: the audit log says who caused that. The schema may be of an earlier release.
 * A database that takes no writes, on a full disk or while it is moved, is backed up all the same.
 */
export async function auditAct({ embedded }: Source, { action, actor, before, after }: Act): Promise<void> {
  const values = [actor, action, JSON.stringify({ ...actingFrom(), before, after })]
  try {
    await withClient(embedded, (client) =>
      client.query(
        `insert into audit_entry (actor, action, subject, details) values ($1, $2, 'installation', $3)`,
        values,
      ),
    )
  } catch (error) {
    process.stderr.write(`ingot: the audit log has no entry of this (${messageOf(error)})\n`)
  }
}
