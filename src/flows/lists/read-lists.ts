import { sql } from 'kysely'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { listFor } from '#flows/lists/all-lists.ts'
import type { ListName, ListRow } from '#flows/lists/list-types.ts'
import {
  type ListDeps,
  openReading,
  personalOf,
  prepare,
  type Question,
  type Reading,
  type Viewer,
  type Work,
} from '#flows/lists/open-reading.ts'
import { type Asked, type BadFilter, cursorOf, type Place } from '#flows/lists/read-filters.ts'
import { countTo, rowKey, type Walked, walkOn, whole } from '#flows/lists/walk.ts'

export const PAGE_SIZE = 50
// Counts are exact up to here, and further on request.
const COUNTED = 10_000
const PAGE_MS = 700
const EXACT_MS = 20_000

interface ListPage {
  kind: 'page'
  rows: ListRow[]
  next: string | null
  previous: string | null
  // The page is short although there may be more: so far was looked, and `next` goes on from there.
  lookedTo: string | null
  // As it was applied.
  sort: string
  at: Temporal.Instant
}

interface Figure {
  kind: 'figure'
  count: number
  // There are more, or may be.
  isWhole: boolean
  // Won; null where not all were added up, or there is nothing to add.
  sum: bigint | null
  at: Temporal.Instant
}

interface ListChunk {
  kind: 'chunk'
  rows: ListRow[]
  // Undefined: there are no more.
  end: Place | undefined
}

export interface Lists {
  readPage(list: ListName, asked: Asked, viewer: Viewer): Promise<ListPage | BadFilter>
  readFigure(list: ListName, asked: Asked, viewer: Viewer): Promise<Figure | BadFilter>
  // All of them, however many. `too_long` if that takes more than its time.
  readExactFigure(list: ListName, asked: Asked, viewer: Viewer): Promise<Figure | 'too_long' | BadFilter>
  // The next rows of an export, and where they end.
  readChunk(
    list: ListName,
    asked: Asked,
    viewer: Viewer,
    chunk: { from: Place | undefined; size: number },
  ): Promise<ListChunk | BadFilter>
}

// A page looks for rows as long as `pageMs`, and then says how far it came.
export function createLists(deps: ListDeps, pageMs = PAGE_MS): Lists {
  // The console takes few connections, so that purchases always find one; exact counts, which are long, one.
  const queue = createWorkQueue()
  const exactQueue = createWorkQueue({ maxInFlight: 1 })
  const read = <Result>(
    list: ListName,
    asked: Asked,
    viewer: Viewer,
    work: Work<Result>,
    isRecorded = false,
  ) =>
    queue(`list ${viewer.actor}`, () =>
      openReading(deps, { list: listFor(list, viewer), asked, viewer, isRecorded }, work),
    )
  return {
    readPage: (list, asked, viewer) =>
      read(list, asked, viewer, (reading) => readPage(reading, timer(pageMs))),
    readFigure: (list, asked, viewer) =>
      read(list, withoutCursor(asked), viewer, async ({ db, prepared, at }) => ({
        kind: 'figure' as const,
        ...(await countTo(db, prepared, COUNTED, timer(pageMs))),
        at,
      })),
    readExactFigure: (list, asked, viewer) =>
      exactQueue(viewer.actor, () =>
        readExact(deps, { list: listFor(list, viewer), asked: withoutCursor(asked), viewer }),
      ),
    readChunk: (list, asked, viewer, { from, size }) =>
      read(
        list,
        withoutCursor(asked),
        viewer,
        async (reading) => {
          const wanted = { from, forward: true, wanted: size }
          const { rows, lookedTo } = await walkOn(reading.db, reading.prepared, wanted, timer(pageMs))
          const last = rows.at(-1)
          const isFull = rows.length === size
          const end = isFull ? { forward: true, key: rowKey(reading.prepared, last) } : lookedTo
          return { kind: 'chunk' as const, rows: await show(reading, rows), end }
        },
        true,
      ),
  }
}

const withoutCursor = ({ cursor: _, ...asked }: Asked): Asked => asked

function timer(ms: number): () => boolean {
  const until = performance.now() + ms
  return () => performance.now() > until
}

async function show(reading: Reading, rows: readonly unknown[]): Promise<ListRow[]> {
  const { list } = reading.prepared.asked
  return rows.length === 0 ? [] : list.show(reading, rows)
}

async function readPage(reading: Reading, isOver: () => boolean): Promise<ListPage> {
  const { db, prepared, at } = reading
  const { place } = prepared.asked
  const forward = place?.forward ?? true
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
    kind: 'page',
    rows: await show(reading, shown),
    next: onward('after', last, forward ? hasMore : true),
    previous: onward('before', first, forward ? !isFirst : hasMore),
    lookedTo: lookedTo ? lookedTo.key[0]! : null,
    sort: `${prepared.asked.descending ? '-' : ''}${prepared.asked.sortName}`,
    at,
  }
}

async function readExact(deps: ListDeps, question: Question): Promise<Figure | 'too_long' | BadFilter> {
  const { database, keys } = deps
  // Found by their hashes, and few.
  if (personalOf(question).length > 0) {
    return openReading(deps, question, async ({ db, prepared, at }) => ({
      kind: 'figure' as const,
      ...(await countTo(db, prepared, Number.MAX_SAFE_INTEGER - 1, () => false)),
      at,
    }))
  }
  try {
    return await database.withSnapshot(async (db) => {
      await sql`select set_config('statement_timeout', ${String(EXACT_MS)}, true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(db)
      const reading = await prepare(db, keys.vault(), question)
      if (reading.kind === 'refused') return reading
      const { prepared, at } = reading
      const { sum, table } = prepared.asked.list
      const amount = sum ? sql`sum(${sql.ref(`t.${sum.column}`)})::bigint` : sql`null::bigint`
      const { rows } = await sql<{ count: bigint; sum: bigint | null }>`
        select count(*) as count, ${amount} as sum from ${sql.table(table)} t where ${whole(prepared)}`.execute(
        db,
      )
      const { count, sum: won } = rows[0]!
      return {
        kind: 'figure' as const,
        count: Number(count),
        sum: sum ? (won ?? 0n) : null,
        isWhole: true,
        at,
      }
    })
  } catch (error) {
    if ((error as { code?: string }).code === CANCELLED) return 'too_long'
    throw error
  }
}

const CANCELLED = '57014'
