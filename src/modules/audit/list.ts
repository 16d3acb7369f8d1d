import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { showPrivate } from './show.ts'
import type { ShownPrivate } from './types.ts'

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
  // In the chain; null if it waits.
  position: bigint | null
  private: ShownPrivate
}

type Row = Omit<ListedEntry, 'private'> & Parameters<typeof showPrivate>[1]

const FROM = sql`
  select e.id, e.at, e.actor, e.action, e.subject, e.details, c.position, e.private_id, e.private_hash, p.sealed, p.erased_at
    from audit_entry e left join audit_private p on p.id = e.private_id left join audit_chain c on c.entry_id = e.id`

function toEntry(
  vault: Vault | undefined,
  { private_id, private_hash, sealed, erased_at, ...entry }: Row,
): ListedEntry {
  return { ...entry, private: showPrivate(vault, { private_id, private_hash, sealed, erased_at }) }
}

export async function findEntry(db: Db, id: bigint, vault?: Vault): Promise<ListedEntry | undefined> {
  const { rows } = await sql<Row>`${FROM} where e.id = ${id}`.execute(db)
  return rows[0] && toEntry(vault, rows[0])
}

// Without the vault the private parts stay sealed.
// Newest first, by moment and then by number. So a page continues where the last one ended, although more was written
// since. Each filter has an index in this order; subjects have few entries each.
export async function listAudit(db: Db, filter: AuditFilter, vault?: Vault): Promise<ListedEntry[]> {
  const { since, until, action, actor, subjects, before, limit } = filter
  const conditions = [
    since === undefined ? undefined : sql`e.at >= ${since.toString()}::timestamptz`,
    until === undefined ? undefined : sql`e.at < ${until.toString()}::timestamptz`,
    action === undefined ? undefined : sql`e.action = ${action}`,
    actor === undefined ? undefined : sql`e.actor = ${actor}`,
    subjects === undefined ? undefined : sql`e.subject = any(${subjects}::text[])`,
    before === undefined
      ? undefined
      : sql`(e.at, e.id) < ((select at from audit_entry where id = ${before}), ${before}::bigint)`,
  ].filter((condition) => condition !== undefined)
  const { rows } = await sql<Row>`${FROM}
     where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
     order by e.at desc, e.id desc limit ${limit}`.execute(db)
  return rows.map((row) => toEntry(vault, row))
}
