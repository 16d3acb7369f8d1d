import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import type { Condition } from '#flows/lists/list-types.ts'
import type { Place, ReadList } from '#flows/lists/read-filters.ts'

// The one plan that a page has: along an index in the order of the sort, and other tables by their indexes. Without
// these the planner may read a whole table where it expects to find much, and is wrong about combined filters.
export const WALKING = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

// A list with its conditions made.
export interface Prepared {
  asked: ReadList
  conditions: readonly Condition[]
  // The rows have one value in this column, and an index has them in the order of the sort.
  within: string | undefined
  // Rows that one statement looks at where a filter has no index.
  lookAt: number
}

// biome-ignore lint/suspicious/noExplicitAny: each list knows the row of its own fields
export type Row = any

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`

const ofKind = ({ conditions }: Prepared, ...kinds: Condition['by'][]) =>
  conditions.filter(({ by }) => kinds.includes(by)).map((condition) => condition.sql)

const needsOf = ({ asked }: Prepared) => (asked.sort.needs ? [asked.sort.needs.condition] : [])

// Every condition at once, for a question about all rows.
export function whole(prepared: Prepared): RawBuilder<unknown> {
  return all([...needsOf(prepared), ...prepared.conditions.map((condition) => condition.sql)])
}

const keyOf = ({ asked }: Prepared) => asked.sort.key.map(([column]) => sql.ref(`t.${column}`))

// Inside one value, of a partner say, the order is the same with its column in front. But then only the index that begins with
// the column has this order. Otherwise the planner may walk through everyone's rows and look for those of a small partner.
function inOrder(prepared: Prepared, forward: boolean): RawBuilder<unknown> {
  const { asked, within } = prepared
  const direction = asked.descending === forward ? sql`desc` : sql`asc`
  const columns = [...(within === undefined ? [] : [sql.ref(`t.${within}`)]), ...keyOf(prepared)]
  return sql.join(columns.map((column) => sql`${column} ${direction}`))
}

type Side = 'after' | 'through'

// Rows after a place, or those until it and the one there.
function beside(prepared: Prepared, side: Side, { key, forward }: Place): RawBuilder<unknown> {
  const { sort, descending } = prepared.asked
  const values = key.map((text, i) => sql`${text}::${sql.raw(sort.key[i]![1])}`)
  const isFalling = descending === forward
  const sign = side === 'after' ? (isFalling ? sql`<` : sql`>`) : isFalling ? sql`>=` : sql`<=`
  return sql`(${sql.join(keyOf(prepared))}) ${sign} (${sql.join(values)})`
}

interface Stretch {
  from: Place | undefined
  // The last row that is looked at; undefined: as far as there are rows.
  through?: Place | undefined
  forward: boolean
}

// What a walk passes: rows of the sort's index from a place on, whatever other filters say of them.
const passed = (prepared: Prepared, { from, through }: Stretch) => [
  ...needsOf(prepared),
  ...ofKind(prepared, 'range'),
  ...(from ? [beside(prepared, 'after', from)] : []),
  ...(through ? [beside(prepared, 'through', through)] : []),
]

const keyFields = ({ asked }: Prepared) =>
  sql.join(asked.sort.key.map(([column], i) => sql`${sql.ref(`t.${column}`)} as ${sql.ref(`k${i}`)}`))

// The rows of a stretch that fulfil everything, at most `wanted`, with their keys as k0, k1.
function matching(prepared: Prepared, stretch: Stretch, wanted: number, fields: RawBuilder<unknown>) {
  const { list } = prepared.asked
  const few = ofKind(prepared, 'few')
  const rest = ofKind(prepared, 'index', 'row')
  const table = sql.table(list.table)
  const end = sql`order by ${inOrder(prepared, stretch.forward)} limit ${wanted}`
  const conditions = all([...passed(prepared, stretch), ...rest])
  if (few.length === 0)
    return sql`select ${fields}, ${keyFields(prepared)} from ${table} t where ${conditions} ${end}`
  // Found by their own index and then sorted. Materialized, or the planner would walk the sort's index and look for them.
  return sql`(with t as materialized (select t.* from ${table} t where ${all(few)})
    select ${fields}, ${keyFields(prepared)} from t where ${conditions} ${end})`
}

export const rowKey = ({ asked }: Prepared, row: Row): string[] =>
  asked.sort.key.map((_, i) => String(row[`k${i}`]))

// The last of so many rows that a walk passes; undefined if there are fewer. Read from the index alone.
async function endOf(
  db: Db,
  prepared: Prepared,
  stretch: Stretch,
  length: number,
): Promise<Place | undefined> {
  const { forward } = stretch
  const { rows } = await sql<Row>`select ${keyFields(prepared)} from ${sql.table(prepared.asked.list.table)} t
    where ${all(passed(prepared, stretch))} order by ${inOrder(prepared, forward)} limit 1 offset ${length - 1}`.execute(
    db,
  )
  return rows[0] && { forward, key: rowKey(prepared, rows[0]) }
}

const FIRST = 2_000 // index entries, some 0.3 ms: a filter that many rows fulfil has its page by then
const GROWTH = 4 // a stretch that is too long costs more than another statement
const MOST = 32_000 // index entries, some 8 ms

// How many rows a statement passes. Few at first; more where the index decides than where each row is visited. Undefined: a
// filter decides nothing on the way, and the page ends it.
function stretchesOf(prepared: Prepared): Generator<number> | undefined {
  if (ofKind(prepared, 'few').length > 0) return undefined
  const hasRows = ofKind(prepared, 'row').length > 0
  if (!hasRows && ofKind(prepared, 'index').length === 0) return undefined
  const most = hasRows ? prepared.lookAt : Math.max(MOST, prepared.lookAt)
  return growing(Math.min(FIRST, prepared.lookAt), most)
}

function* growing(first: number, most: number): Generator<number> {
  for (let length = first; ; length = Math.min(length * GROWTH, most)) yield length
}

export interface Walked {
  rows: Row[]
  // How far was looked, if not to the end and not to the last of the rows.
  lookedTo: Place | undefined
}

// At most `wanted` rows from a place on. Where filters are decided on the way it takes stretches, and stops between two of them
// when its time is over.
export async function walkOn(
  db: Db,
  prepared: Prepared,
  { from, forward, wanted }: { from: Place | undefined; forward: boolean; wanted: number },
  isOver: () => boolean,
): Promise<Walked> {
  const { fields } = prepared.asked.list
  const rows: Row[] = []
  const read = async (stretch: Stretch) => {
    const found = await matching(prepared, stretch, wanted - rows.length, fields).execute(db)
    rows.push(...(found.rows as Row[]))
  }
  let place = from
  for (const length of stretchesOf(prepared) ?? []) {
    const through = await endOf(db, prepared, { from: place, forward }, length)
    await read({ from: place, through, forward })
    if (rows.length >= wanted || !through) return { rows, lookedTo: undefined }
    place = through
    if (isOver()) return { rows, lookedTo: place }
  }
  await read({ from: place, forward })
  return { rows, lookedTo: undefined }
}

export interface Counted {
  count: number
  sum: bigint | null
  isWhole: boolean
}

// How many there are, as far as `most`, and the sum if that is all.
export async function countTo(
  db: Db,
  prepared: Prepared,
  most: number,
  isOver: () => boolean,
): Promise<Counted> {
  const { sum } = prepared.asked.list
  const amount = sum ? sql`${sql.ref(`t.${sum.column}`)} as amount` : sql`null::bigint as amount`
  let [count, won] = [0, 0n]
  const add = async (stretch: Stretch) => {
    const { rows } = await sql<{ count: number; sum: bigint | null }>`
      select count(*)::int as count, sum(amount)::bigint as sum
        from (${matching(prepared, stretch, most + 1 - count, amount)}) t`.execute(db)
    count += rows[0]!.count
    won += rows[0]!.sum ?? 0n
  }
  const counted = (): Counted =>
    count > most
      ? { count: most, sum: null, isWhole: false }
      : { count, sum: sum ? won : null, isWhole: true }
  let place: Place | undefined
  for (const length of stretchesOf(prepared) ?? []) {
    const through = await endOf(db, prepared, { from: place, forward: true }, length)
    await add({ from: place, through, forward: true })
    if (count > most || !through) return counted()
    place = through
    if (isOver()) return { count, sum: null, isWhole: false }
  }
  await add({ from: place, forward: true })
  return counted()
}
