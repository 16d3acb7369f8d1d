import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'

export interface AuditFilter {
  since?: Temporal.Instant | undefined
  // Before this moment.
  until?: Temporal.Instant | undefined
  action?: string | undefined
  actor?: string | undefined
  // Any of these. Empty: nothing.
  subjects?: readonly string[] | undefined
  // The entry that the page before ended with.
  before?: bigint | undefined
  limit: number
}

export interface ListedEntry {
  id: bigint
  at: Temporal.Instant
  actor: string
  action: string
  subject: string
  details: Record<string, unknown>
}

// Newest first, by moment and then by number. So a page continues where the last one ended, although more was written
// since. Each filter has an index in this order; subjects have few entries each.
export async function listAudit(db: Db, filter: AuditFilter): Promise<ListedEntry[]> {
  const { since, until, action, actor, subjects, before, limit } = filter
  const conditions = [
    since === undefined ? undefined : sql`at >= ${since.toString()}::timestamptz`,
    until === undefined ? undefined : sql`at < ${until.toString()}::timestamptz`,
    action === undefined ? undefined : sql`action = ${action}`,
    actor === undefined ? undefined : sql`actor = ${actor}`,
    subjects === undefined ? undefined : sql`subject = any(${subjects}::text[])`,
    before === undefined
      ? undefined
      : sql`(at, id) < ((select at from audit_entry where id = ${before}), ${before}::bigint)`,
  ].filter((condition) => condition !== undefined)
  const { rows } = await sql<ListedEntry>`
    select id, at, actor, action, subject, details from audit_entry
     where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
     order by at desc, id desc limit ${limit}`.execute(db)
  return rows
}
