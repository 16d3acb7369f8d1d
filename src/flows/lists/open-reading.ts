import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import { type Database, type Db, setLocally, type Tx } from '#base/db/db.ts'
import { withVault } from '#flows/kit/with-vault.ts'
import { type Condition, isPersonal, type List, type ListRow } from '#flows/lists/list-types.ts'
import { type Asked, type BadFilter, type ReadList, readList } from '#flows/lists/read-filters.ts'
import { type Prepared, WALKING } from '#flows/lists/walk.ts'
import { indexNewPeople } from '#flows/members/index-people.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

const CATCH_UP = 2_000 // people of the last minutes, as `member find` does it

// Who looks: `partnerId` is the tenant, null for the operator's own staff.
export interface Viewer {
  actor: string
  partnerId: number | null
}

const LOOK_AT = 10_000 // rows: some 50 ms of work

export interface ListDeps {
  database: Database
  keys: VaultKeeper
  // Fewer in tests.
  lookAt?: number
}

export interface Reading {
  kind: 'reading'
  db: Db
  vault: Vault
  prepared: Prepared
  partners: ReadonlyMap<number, { code: string; name: string }>
  at: Temporal.Instant
}

export type Work<Result> = (reading: Reading) => Promise<Result>

export interface Question {
  list: List
  asked: Asked
  viewer: Viewer
  // By its caller: an export has entries of its own.
  isRecorded?: boolean
}

// One snapshot, planned to walk indexes. A search for a person holds the lock of the keys instead, so that its hashes are
// those in force.
export async function openReading<Result>(
  deps: ListDeps,
  question: Question,
  work: Work<Result>,
): Promise<Result | BadFilter> {
  const { database, keys } = deps
  const personal = personalOf(question)
  if (personal.length === 0) {
    return database.withReading(WALKING, async (db) => {
      const reading = await prepare(db, keys.vault(), question, deps.lookAt)
      return reading.kind === 'refused' ? reading : work(reading)
    })
  }
  if (question.list.name !== 'cards') await indexNewPeople(deps, CATCH_UP)
  return withVault(deps, async (tx, vault) => {
    await setLocally(tx, WALKING)
    const reading = await prepare(tx, vault, question, deps.lookAt)
    if (reading.kind === 'refused') return reading
    const result = await work(reading)
    if (!question.isRecorded) await recordSearch(tx, question, result)
    return result
  })
}

// Who searched, by what, and whom it found, or how many; not what was typed. Whoever counts and does not look finds out just
// as much, and so does whoever begins with a cursor.
function recordSearch(tx: Tx, { list, asked, viewer }: Question, result: unknown): Promise<void> {
  const { rows, count } = result as { rows?: ListRow[]; count?: number }
  const told = rows ? { found: rows.map(({ id }) => id) } : { counted: count ?? 0 }
  const details = { by: personalOf({ list, asked }).join(' '), ...told }
  return insertAuditEntry(tx, { actor: viewer.actor, action: 'list.search', subject: list.name, details })
}

export function personalOf({ list, asked }: Pick<Question, 'list' | 'asked'>): string[] {
  return Object.entries(list.filters).flatMap(([name, filter]) =>
    asked[name] !== undefined && isPersonal(filter) ? name : [],
  )
}

export async function prepare(
  db: Db,
  vault: Vault,
  { list, asked, viewer }: Question,
  lookAt = LOOK_AT,
): Promise<Reading | BadFilter> {
  const { rows } = await sql<{ id: number; code: string; name: string; now: Temporal.Instant }>`
    select p.id, p.code, p.name, n.now from (select service_now() as now) n left join partner p on true`.execute(
    db,
  )
  const partners = new Map(
    rows.filter(({ id }) => id !== null).map(({ id, code, name }) => [id, { code, name }]),
  )
  // To a partner's staff the others do not exist.
  const isSeen = (id: number) => viewer.partnerId === null || viewer.partnerId === id
  const findPartner = (code: string) =>
    [...partners].find(
      ([id, partner]) => partner.code.toLowerCase() === code.toLowerCase() && isSeen(id),
    )?.[0]
  const read = readList(list, asked, findPartner)
  if (read.kind === 'refused') return read
  const within = read.sort.within?.find(({ filter }) => read.filters.has(filter) || isTenant(filter, viewer))
  const conditions = await conditionsOf(db, vault, read, viewer, within?.filter)
  const prepared = { asked: read, conditions, within: within?.column, lookAt }
  return { kind: 'reading', db, vault, prepared, partners, at: rows[0]!.now }
}

const isTenant = (filter: string, { partnerId }: Viewer) => filter === 'partner' && partnerId !== null

async function conditionsOf(
  db: Db,
  vault: Vault,
  asked: ReadList,
  viewer: Viewer,
  within: string | undefined,
): Promise<Prepared['conditions']> {
  const { list, filters, sort } = asked
  const asking = { db, vault }
  const placed = (name: string): Condition['by'] => {
    if (name === within || sort.range.includes(name)) return 'range'
    return sort.decides.includes(name) ? 'index' : 'row'
  }
  const conditions = [...filters].map(async ([name, { filter, value }]) => ({
    by: placed(name),
    // The value was read by the filter's own kind.
    ...(await filter.condition(value as never, asking)),
  }))
  if (viewer.partnerId !== null) {
    const { ofPartner } = list
    assert(ofPartner, 'the routes let a partner see lists that have partners')
    const { partnerId } = viewer
    const own = async () => ({ by: placed('partner'), ...(await ofPartner(partnerId, asking)) })
    conditions.push(own())
  }
  return Promise.all(conditions)
}
