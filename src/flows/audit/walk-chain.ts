import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { ENTRY_TEXT } from '#modules/audit/chain.ts'
import type { Finding } from '#modules/audit/findings.ts'
import { openPrivate } from '#modules/audit/private.ts'
import { CHAIN_START, type EntryText, hashEntry, linkHash } from '#modules/audit/rules.ts'
import type { ChainHead } from '#modules/audit/types.ts'

const CHUNK = 5_000
// Longer than any transaction, and than a clock in the wrong zone is off by.
const DAY = 86_400_000_000n // microseconds
const MOST = 10 // findings; a rewritten chain would give one for each entry

interface LinkRow extends Omit<EntryText, 'id'> {
  position: bigint
  entryId: bigint
  contentHash: Buffer
  hash: Buffer
  sealedAt: bigint
  // Null: there is no such entry.
  id: bigint | null
  privateThere: boolean
  sealed: Buffer | null
}

export interface ChainWalk {
  head: ChainHead
  findings: Finding[]
  // The hashes of the positions that were asked for.
  hashes: ReadonlyMap<bigint, Buffer>
}

// Reads the whole chain in its order and compares each position with its entry and with the position before.
export async function walkChain(
  db: Db,
  vault: Vault,
  wanted: ReadonlySet<bigint>,
  onProgress: (position: bigint) => void = () => {},
): Promise<ChainWalk> {
  const erased = await listErased(db)
  const hashes = new Map<bigint, Buffer>()
  const findings: Finding[] = []
  let head: ChainHead = CHAIN_START
  let latest = 0n
  const leeway = DAY + (await readClockOffset(db))
  for (;;) {
    const rows = await readLinks(db, head.position)
    for (const row of rows) {
      if (findings.length < MOST) findings.push(...judgeLink(vault, head, row, erased))
      const misdated = row.id === null ? [] : judgeTime(row, latest, leeway)
      if (findings.length < MOST) findings.push(...misdated)
      if (row.id !== null && misdated.length === 0 && row.at > latest) latest = row.at
      head = { position: row.position, hash: row.hash }
      if (wanted.has(row.position)) hashes.set(row.position, row.hash)
    }
    if (rows.length < CHUNK) break
    onProgress(head.position)
  }
  findings.push(...(await findOutsiders(db)))
  return { head, findings: findings.slice(0, MOST), hashes }
}

async function readLinks(db: Db, after: bigint): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select c.position, c.entry_id as "entryId", c.content_hash as "contentHash", c.hash, ${ENTRY_TEXT},
           (extract(epoch from c.sealed_at) * 1000000)::bigint as "sealedAt",
           p.id is not null as "privateThere", p.sealed
      from audit_chain c left join audit_entry e on e.id = c.entry_id left join audit_private p on p.id = e.private_id
     where c.position > ${after} order by c.position limit ${CHUNK}`.execute(db)
  return rows
}

// Only a sandbox's clock has travelled, and forward.
async function readClockOffset(db: Db): Promise<bigint> {
  const { rows } = await sql<{ offset: bigint }>`
    select (extract(epoch from clock_offset) * 1000000)::bigint as offset from installation`.execute(db)
  return rows[0]!.offset
}

// Not long before an entry that was sealed before it, and not long after its own seal: an entry that was added behind the
// service's back could say any time.
function judgeTime({ position, entryId, at, sealedAt }: LinkRow, latest: bigint, leeway: bigint): Finding[] {
  if (at >= latest - leeway && at <= sealedAt + leeway) return []
  return [{ kind: 'entry_misdated', position: String(position), entry: String(entryId) }]
}

function judgeLink(vault: Vault, before: ChainHead, row: LinkRow, erased: ReadonlySet<string>): Finding[] {
  const position = String(row.position)
  const entry = String(row.entryId)
  const findings: Finding[] = []
  if (row.position !== before.position + 1n)
    findings.push({ kind: 'link_deleted', position: String(before.position + 1n) })
  else if (!linkHash(before, row.contentHash).equals(row.hash))
    findings.push({ kind: 'link_edited', position, entry })
  const { id, ...text } = row
  if (id === null) return [...findings, { kind: 'entry_deleted', position, entry }]
  if (!hashEntry({ ...text, id }).equals(row.contentHash))
    findings.push({ kind: 'entry_edited', position, entry })
  const kind = judgePrivate(vault, row, erased)
  return kind === undefined ? findings : [...findings, { kind, position, entry }]
}

function judgePrivate(vault: Vault, row: LinkRow, erased: ReadonlySet<string>): Finding['kind'] | undefined {
  const { privateId: id, privateHash: hash, sealed } = row
  if (id === null) return undefined
  if (!row.privateThere) return 'private_deleted'
  if (sealed === null) return erased.has(String(row.entryId)) ? undefined : 'erased_without_entry'
  return openPrivate(vault, { id, sealed, hash }) ? undefined : 'private_edited'
}

async function listErased(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select jsonb_array_elements_text(details -> 'entries') as id from audit_entry
     where action = 'audit.erase' and jsonb_typeof(details -> 'entries') = 'array'`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

// Entries that are neither in the chain nor wait for it, and those that wait and are gone.
async function findOutsiders(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ kind: Finding['kind']; entry: string }>`
    (select 'entry_inserted' as kind, e.id::text as entry
       from audit_entry e left join audit_chain c on c.entry_id = e.id left join audit_unsealed u on u.entry_id = e.id
       left join audit_backlog b on e.id > b.sealed and e.id <= b.until
      where c.entry_id is null and u.entry_id is null and b.one is null order by e.id limit ${MOST})
    union all
    (select 'entry_deleted', u.entry_id::text from audit_unsealed u left join audit_entry e on e.id = u.entry_id
      where e.id is null order by u.entry_id limit ${MOST})`.execute(db)
  return rows
}
