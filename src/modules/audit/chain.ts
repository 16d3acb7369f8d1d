import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import { CHAIN_START, type EntryText, type linkEntries } from './rules.ts'
import type { ChainHead } from './types.ts'

// One sealer at a time, on whichever server. The lock ends with its transaction, so a killed sealer leaves nothing behind.
const ONE_SEALER = 4_857_150

export async function tryLockChain(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${ONE_SEALER}) as taken`.execute(tx)
  return rows[0]!.taken
}

export async function readHead(db: Db): Promise<ChainHead> {
  const { rows } = await sql<ChainHead>`
    select position, hash from audit_chain order by position desc limit 1`.execute(db)
  return rows[0] ?? CHAIN_START
}

// What hashEntry takes of an entry e.
export const ENTRY_TEXT = sql`
  e.id, (extract(epoch from e.at) * 1000000)::bigint as at, e.actor, e.action, e.subject, e.details::text as details,
  e.private_id as "privateId", e.private_hash as "privateHash"`

// The next entries to be sealed: those from before the chain first, then those that wait. They are in the order of their numbers
// as far as they are visible now; one that appears later gets a later position.
export async function listUnsealed(
  tx: Tx,
  limit: number,
): Promise<{ entries: EntryText[]; isBacklog: boolean }> {
  const { rows: earlier } = await sql<EntryText>`
    select ${ENTRY_TEXT} from audit_backlog b, audit_entry e
     where e.id > b.sealed and e.id <= b.until order by e.id limit ${limit}`.execute(tx)
  if (earlier.length > 0) return { entries: earlier, isBacklog: true }
  const { rows: entries } = await sql<EntryText>`
    select ${ENTRY_TEXT} from audit_unsealed u join audit_entry e on e.id = u.entry_id
     order by u.entry_id limit ${limit}`.execute(tx)
  return { entries, isBacklog: false }
}

export async function insertLinks(tx: Tx, links: ReturnType<typeof linkEntries>): Promise<void> {
  await sql`insert into audit_chain (position, entry_id, content_hash, hash)
    select * from unnest(${links.map(({ position }) => String(position))}::bigint[],
      ${links.map(({ entryId }) => String(entryId))}::bigint[],
      ${links.map(({ contentHash }) => contentHash)}::bytea[], ${links.map(({ hash }) => hash)}::bytea[])`.execute(
    tx,
  )
}

export async function markSealed(tx: Tx, ids: readonly bigint[], isBacklog: boolean): Promise<void> {
  if (isBacklog) await sql`update audit_backlog set sealed = ${ids.at(-1)!}`.execute(tx)
  else await sql`delete from audit_unsealed where entry_id = any(${ids.map(String)}::bigint[])`.execute(tx)
}

// Takes what was written in plain out of an entry that is not in the chain yet. Returns its details as they are printed now.
export async function hideWords(
  tx: Tx,
  { id, privateId, privateHash }: { id: bigint; privateId: string; privateHash: Buffer },
): Promise<string> {
  const { rows } = await sql<{ details: string }>`
    update audit_entry set details = details - '{reason,note}'::text[], private_id = ${privateId},
           private_hash = ${privateHash}
     where id = ${id} returning details::text as details`.execute(tx)
  return rows[0]!.details
}

export interface ChainState {
  sealedTo: bigint
  sealedAt: Temporal.Instant | null
  // Entries that are in no position yet, and since when the oldest of them waits.
  waiting: bigint
  waitingSeconds: number
  // Entries from before the chain that are left.
  backlog: boolean
}

export async function readChainState(db: Db): Promise<ChainState> {
  const { rows } = await sql<ChainState>`
    select coalesce(c.position, 0) as "sealedTo", c.sealed_at as "sealedAt", q.waiting,
           q.seconds as "waitingSeconds", exists (select from audit_entry e where e.id > b.sealed and e.id <= b.until) as backlog
      from audit_backlog b
      left join (select position, sealed_at from audit_chain order by position desc limit 1) c on true,
           (select count(*) as waiting, coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as seconds
              from audit_unsealed) q`.execute(db)
  return rows[0]!
}
