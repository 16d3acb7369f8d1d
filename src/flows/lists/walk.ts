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
  // Rows that one statement looks at where a filter has no index.
  lookAt: number
}

// biome-ignore lint/suspicious/noExplicitAny: each list knows the row of its own fields
export type Row = any

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`

const ofKind = ({ conditions }: Prepared, ...kinds: Condition['by'][]) =>
  conditions.filter(({ by }) => kinds.includes(by)).map((condition) => condition.sql)

const hasRowConditions = (prepared: Prepared) =>
  ofKind(prepared, 'few').length === 0 && ofKind(prepared, 'row').length > 0

// Every condition at once, for a question about all rows.
export function whole(prepared: Prepared): RawBuilder<unknown> {
  const { sort } = prepared.asked
  const needs = sort.needs ? [sort.needs.condition] : []
  return all([...needs, ...ofKind(prepared, 'index', 'row', 'few')])
}

interface Stretch {
  from: Place | undefined
  forward: boolean
  limit: number
}

const keyOf = ({ asked }: Prepared) => asked.sort.key.map(([column]) => sql.ref(`t.${column}`))

function inOrder(prepared: Prepared, forward: boolean): RawBuilder<unknown> {
  const direction = prepared.asked.descending === forward ? sql`desc` : sql`asc`
  return sql.join(keyOf(prepared).map((column) => sql`${column} ${direction}`))
}

function past(prepared: Prepared, { from, forward }: Stretch): RawBuilder<unknown>[] {
  if (!from) return []
  const { sort, descending } = prepared.asked
  const values = from.key.map((text, i) => sql`${text}::${sql.raw(sort.key[i]![1])}`)
  const key = sql`(${sql.join(keyOf(prepared))})`
  const value = sql`(${sql.join(values)})`
  return [descending === forward ? sql`${key} < ${value}` : sql`${key} > ${value}`]
}

// The next rows of the walk, before conditions on single rows.
function walk(prepared: Prepared, stretch: Stretch): RawBuilder<unknown> {
  const { list, sort } = prepared.asked
  const needs = sort.needs ? [sort.needs.condition] : []
  const conditions = [...needs, ...ofKind(prepared, 'index'), ...past(prepared, stretch)]
  const few = ofKind(prepared, 'few')
  if (few.length === 0) {
    return sql`select t.* from ${sql.table(list.table)} t where ${all(conditions)}
      order by ${inOrder(prepared, stretch.forward)} limit ${stretch.limit}`
  }
  // Found by their own index and then sorted. Materialized, or the planner would walk the sort's index and look for them.
  const found = sql`select t.* from ${sql.table(list.table)} t where ${all(few)}`
  return sql`(with t as materialized (${found}) select t.* from t
    where ${all([...conditions, ...ofKind(prepared, 'row')])}
    order by ${inOrder(prepared, stretch.forward)} limit ${stretch.limit})`
}

// The rows of a stretch that fulfil everything, at most `wanted`, with their keys as k0, k1.
function matching(prepared: Prepared, stretch: Stretch, wanted: number, fields: RawBuilder<unknown>) {
  const keys = prepared.asked.sort.key.map(
    ([column], i) => sql`${sql.ref(`t.${column}`)} as ${sql.ref(`k${i}`)}`,
  )
  const rest = hasRowConditions(prepared) ? ofKind(prepared, 'row') : []
  return sql`select ${fields}, ${sql.join(keys)} from (${walk(prepared, stretch)}) t where ${all(rest)}
    order by ${inOrder(prepared, stretch.forward)} limit ${wanted}`
}

export const rowKey = ({ asked }: Prepared, row: Row): string[] =>
  asked.sort.key.map((_, i) => String(row[`k${i}`]))

// Where a stretch of full length ended; undefined if the list ended first.
async function endOf(db: Db, prepared: Prepared, stretch: Stretch): Promise<Place | undefined> {
  const keys = prepared.asked.sort.key.map(
    ([column], i) => sql`${sql.ref(`t.${column}`)} as ${sql.ref(`k${i}`)}`,
  )
  const { rows } = await sql<Row>`select ${sql.join(keys)} from (${walk(prepared, stretch)}) t
    order by ${inOrder(prepared, stretch.forward)} offset ${stretch.limit - 1}`.execute(db)
  return rows[0] && { forward: stretch.forward, key: rowKey(prepared, rows[0]) }
}

export interface Walked {
  rows: Row[]
  // How far was looked, if not to the end and not to the last of the rows.
  lookedTo: Place | undefined
}

// At most `wanted` rows from a place on. Where rows have to be looked at one by one it takes stretches, and stops between
// two of them when its time is over.
export async function walkOn(
  db: Db,
  prepared: Prepared,
  { from, forward, wanted }: { from: Place | undefined; forward: boolean; wanted: number },
  isOver: () => boolean,
): Promise<Walked> {
  const { fields } = prepared.asked.list
  if (!hasRowConditions(prepared)) {
    const { rows } = await matching(prepared, { from, forward, limit: wanted }, wanted, fields).execute(db)
    return { rows, lookedTo: undefined }
  }
  const rows: Row[] = []
  for (let place = from; ; ) {
    const stretch = { from: place, forward, limit: prepared.lookAt }
    const found = await matching(prepared, stretch, wanted - rows.length, fields).execute(db)
    rows.push(...(found.rows as Row[]))
    if (rows.length >= wanted) return { rows, lookedTo: undefined }
    place = await endOf(db, prepared, stretch)
    if (!place || isOver()) return { rows, lookedTo: place }
  }
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
  let counted: Counted = { count: 0, sum: 0n, isWhole: true }
  for (let place: Place | undefined; ; ) {
    const isBounded = hasRowConditions(prepared)
    const wanted = most + 1 - counted.count
    const stretch = { from: place, forward: true, limit: isBounded ? prepared.lookAt : wanted }
    const { rows } = await sql<{ count: number; sum: bigint | null }>`
      select count(*)::int as count, sum(amount)::bigint as sum
        from (${matching(prepared, stretch, wanted, amount)}) t`.execute(db)
    const { count, sum: won } = rows[0]!
    counted = { count: counted.count + count, sum: counted.sum! + (won ?? 0n), isWhole: true }
    if (counted.count > most) return { count: most, sum: null, isWhole: false }
    place = isBounded ? await endOf(db, prepared, stretch) : undefined
    if (place && isOver()) return { count: counted.count, sum: null, isWhole: false }
    if (!place) return sum ? counted : { ...counted, sum: null }
  }
}
