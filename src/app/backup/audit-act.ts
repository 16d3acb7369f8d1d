import { messageOf } from '#app/embedded-postgres/error.ts'
import { readOrigin, thisMachine } from '#app/origin.ts'
import { originText } from '#modules/approvals/rules.ts'
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
  const seen = originText(readOrigin(thisMachine(process.env)))
  const values = [actor, action, JSON.stringify({ seen, before, after })]
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
