import { sql } from 'kysely'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import { type Database, type Db, setLocally } from '#base/db/db.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { withVault } from '#flows/kit/with-vault.ts'
import { AUDIT } from '#flows/lists/list-audit.ts'
import { CARDS } from '#flows/lists/list-cards.ts'
import { DELIVERIES } from '#flows/lists/list-deliveries.ts'
import { MEMBERS, USERS } from '#flows/lists/list-people.ts'
import { ORDERS, WITHDRAWALS } from '#flows/lists/list-trades.ts'
import { isPersonal, type List, type ListName, type ListRow } from '#flows/lists/list-types.ts'
import { type Asked, cursorOf, type Place, type ReadList, readList } from '#flows/lists/read-filters.ts'
import { countTo, type Prepared, rowKey, WALKING, type Walked, walkOn, whole } from '#flows/lists/walk.ts'
import { indexNewPeople } from '#flows/members/index-people.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export const LISTS: Readonly<Record<ListName, List>> = {
  cards: CARDS,
  members: MEMBERS,
  users: USERS,
  deliveries: DELIVERIES,
  orders: ORDERS,
  withdrawals: WITHDRAWALS,
  audit: AUDIT,
}

export const PAGE_SIZE = 50
// Counts are exact up to here, and further on request.
export const COUNTED = 10_000
const PAGE_MS = 700 // after which a page says how far it looked
const EXACT_MS = 20_000
const CATCH_UP = 2_000 // people of the last minutes, as `member find` does it

// Who looks: `partnerId` is the tenant, null for the operator's own staff.
export interface Viewer {
  actor: string
  partnerId: number | null
}

export interface ListPage {
  rows: ListRow[]
  next: string | null
  previous: string | null
  // The page is short although there may be more: so far was looked, and `next` goes on from there.
  lookedTo: string | null
  // As it was applied.
  sort: string
  at: Temporal.Instant
}

export interface Figure {
  count: number
  // There are more, or may be.
  isWhole: boolean
  // Won; null where not all were added up, or there is nothing to add.
  sum: bigint | null
  at: Temporal.Instant
}

interface ListDeps {
  database: Database
  keys: VaultKeeper
}

interface Reading {
  db: Db
  vault: Vault
  prepared: Prepared
  partners: ReadonlyMap<number, { code: string; name: string }>
  at: Temporal.Instant
}

type Work<Result> = (reading: Reading) => Promise<Result>

export interface Lists {
  readPage(list: ListName, asked: Asked, viewer: Viewer): Promise<ListPage>
  readFigure(list: ListName, asked: Asked, viewer: Viewer): Promise<Figure>
  // All of them, however many. `too_long` if that takes more than its time.
  readExactFigure(list: ListName, asked: Asked, viewer: Viewer): Promise<Figure | 'too_long'>
  // The next rows of an export, and where they end.
  readChunk(
    list: ListName,
    asked: Asked,
    viewer: Viewer,
    chunk: { from: Place | undefined; size: number },
  ): Promise<{ rows: ListRow[]; end: Place | undefined }>
}

export function createLists(deps: ListDeps): Lists {
  // The console takes few connections, so that purchases always find one; exact counts, which are long, one.
  const queue = createWorkQueue()
  const exactQueue = createWorkQueue({ maxInFlight: 1 })
  const read = <Result>(list: ListName, asked: Asked, viewer: Viewer, work: Work<Result>, isSearch = false) =>
    queue(`list ${viewer.actor}`, () =>
      openReading(deps, { list: LISTS[list], asked, viewer, isSearch }, work),
    )
  return {
    readPage: (list, asked, viewer) => read(list, asked, viewer, readPage, true),
    readFigure: (list, asked, viewer) =>
      read(list, withoutCursor(asked), viewer, async ({ db, prepared, at }) => ({
        ...(await countTo(db, prepared, COUNTED, timer())),
        at,
      })),
    readExactFigure: (list, asked, viewer) =>
      exactQueue(viewer.actor, () =>
        readExact(deps, { list: LISTS[list], asked: withoutCursor(asked), viewer }),
      ),
    readChunk: (list, asked, viewer, { from, size }) =>
      read(list, withoutCursor(asked), viewer, async (reading) => {
        const wanted = { from, forward: true, wanted: size }
        const { rows, lookedTo } = await walkOn(reading.db, reading.prepared, wanted, () => true)
        const last = rows.at(-1)
        const isFull = rows.length === size
        const end = isFull ? { forward: true, key: rowKey(reading.prepared, last) } : lookedTo
        return { rows: await show(reading, rows), end }
      }),
  }
}

const withoutCursor = ({ cursor: _, ...asked }: Asked): Asked => asked

function timer(): () => boolean {
  const until = performance.now() + PAGE_MS
  return () => performance.now() > until
}

interface Question {
  list: List
  asked: Asked
  viewer: Viewer
  // Of people: recorded before its result is shown.
  isSearch?: boolean
}

// One snapshot, planned to walk indexes. A search for a person holds the lock of the keys instead, so that its hashes are
// those in force.
async function openReading<Result>(deps: ListDeps, question: Question, work: Work<Result>): Promise<Result> {
  const { database, keys } = deps
  const personal = personalOf(question)
  if (personal.length === 0) {
    return database.withReading(WALKING, async (db) => work(await prepare(db, keys.vault(), question)))
  }
  if (question.list.name !== 'cards') await indexNewPeople(deps, CATCH_UP)
  return withVault(deps, async (tx, vault) => {
    await setLocally(tx, WALKING)
    const result = await work(await prepare(tx, vault, question))
    if (question.isSearch && question.asked.cursor === undefined) {
      const details = { by: personal.join(' '), list: question.list.name }
      const { actor } = question.viewer
      await insertAuditEntry(tx, { actor, action: 'list.search', subject: question.list.name, details })
    }
    return result
  })
}

function personalOf({ list, asked }: Question): string[] {
  return Object.entries(list.filters).flatMap(([name, filter]) =>
    asked[name] !== undefined && isPersonal(filter) ? name : [],
  )
}

async function prepare(db: Db, vault: Vault, { list, asked, viewer }: Question): Promise<Reading> {
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
  const prepared = { asked: read, conditions: await conditionsOf(db, vault, read, viewer) }
  return { db, vault, prepared, partners, at: rows[0]!.now }
}

async function conditionsOf(
  db: Db,
  vault: Vault,
  asked: ReadList,
  viewer: Viewer,
): Promise<Prepared['conditions']> {
  const { list, filters, sort } = asked
  const asking = { db, vault }
  const placed = (name: string) => (sort.decides.includes(name) ? ('index' as const) : ('row' as const))
  const conditions = [...filters].map(async ([name, { filter, value }]) => ({
    by: placed(name),
    // The value was read by the filter's own kind.
    ...(await filter.condition(value as never, asking)),
  }))
  if (viewer.partnerId !== null) {
    if (!list.ofPartner) throw new Error(`${list.name} is the operator's only`)
    const { partnerId } = viewer
    const own = async () => ({ by: placed('partner'), ...(await list.ofPartner!(partnerId, asking)) })
    conditions.push(own())
  }
  return Promise.all(conditions)
}

async function show(reading: Reading, rows: readonly unknown[]): Promise<ListRow[]> {
  const { list } = reading.prepared.asked
  return rows.length === 0 ? [] : list.show(reading, rows)
}

async function readPage(reading: Reading): Promise<ListPage> {
  const { db, prepared, at } = reading
  const { place } = prepared.asked
  const forward = place?.forward ?? true
  const isOver = timer()
  let walked = await walkOn(db, prepared, { from: place, forward, wanted: PAGE_SIZE + 1 }, isOver)
  const hasMore = walked.rows.length > PAGE_SIZE
  // The page before the first whole one is the first.
  if (!forward && !hasMore && !walked.lookedTo) {
    walked = await walkOn(db, prepared, { from: undefined, forward: true, wanted: PAGE_SIZE + 1 }, isOver)
    return toPage(reading, walked, { forward: true, isFirst: true, at })
  }
  return toPage(reading, walked, { forward, isFirst: !place, at })
}

async function toPage(
  reading: Reading,
  { rows, lookedTo }: Walked,
  { forward, isFirst, at }: { forward: boolean; isFirst: boolean; at: Temporal.Instant },
): Promise<ListPage> {
  const { prepared } = reading
  const hasMore = rows.length > PAGE_SIZE
  const shown = rows.slice(0, PAGE_SIZE)
  if (!forward) shown.reverse()
  const first = shown[0]
  const last = shown.at(-1)
  const onward = (where: 'after' | 'before', row: unknown, isMore: boolean) => {
    if (lookedTo && (where === 'after') === forward) return cursorOf(where, lookedTo.key)
    return isMore && row !== undefined ? cursorOf(where, rowKey(prepared, row)) : null
  }
  return {
    rows: await show(reading, shown),
    next: onward('after', last, forward ? hasMore : true),
    previous: onward('before', first, forward ? !isFirst : hasMore),
    lookedTo: lookedTo ? lookedTo.key[0]! : null,
    sort: `${prepared.asked.descending ? '-' : ''}${prepared.asked.sortName}`,
    at,
  }
}

async function readExact(deps: ListDeps, question: Question): Promise<Figure | 'too_long'> {
  const { database, keys } = deps
  // Found by their hashes, and few.
  if (personalOf(question).length > 0) {
    return openReading(deps, question, async ({ db, prepared, at }) => ({
      ...(await countTo(db, prepared, Number.MAX_SAFE_INTEGER - 1, () => false)),
      at,
    }))
  }
  try {
    return await database.withSnapshot(async (db) => {
      await sql`select set_config('statement_timeout', ${String(EXACT_MS)}, true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(db)
      const { prepared, at } = await prepare(db, keys.vault(), question)
      const { sum, table } = prepared.asked.list
      const amount = sum ? sql`sum(${sql.ref(`t.${sum.column}`)})::bigint` : sql`null::bigint`
      const { rows } = await sql<{ count: bigint; sum: bigint | null }>`
        select count(*) as count, ${amount} as sum from ${sql.table(table)} t where ${whole(prepared)}`.execute(
        db,
      )
      const { count, sum: won } = rows[0]!
      return { count: Number(count), sum: sum ? (won ?? 0n) : null, isWhole: true, at }
    })
  } catch (error) {
    if ((error as { code?: string }).code === CANCELLED) return 'too_long'
    throw error
  }
}

const CANCELLED = '57014'
