import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { assert } from '#base/assert.ts'
import { type Definition, listDefinitions, listSequences, listTables, type Table } from './catalog.ts'
import { inParallel, type Pair } from './parallel.ts'
import { COPY_SCHEMA } from './state.ts'

const CHUNK_PAGES = 4_096 // 32 MB: enough of them to keep every connection busy, and little to do again

export interface Chunk {
  name: string
  table: Table
  // Which rows, by their place.
  where: string
  bytes: number
}

// Ranges of pages. Nothing is written at the source, so a resumed copy finds the same rows in the same pages.
export function chunksOf(tables: readonly Table[]): Chunk[] {
  return tables
    .flatMap((table) =>
      Array.from({ length: Math.ceil(table.pages / CHUNK_PAGES) }, (_, i) => ({
        name: `${table.key} ${i}`,
        table,
        where: `ctid >= '(${i * CHUNK_PAGES},0)'::tid and ctid < '(${(i + 1) * CHUNK_PAGES},0)'::tid`,
        bytes: (table.bytes * Math.min(CHUNK_PAGES, table.pages - i * CHUNK_PAGES)) / table.pages,
      })),
    )
    .sort((a, b) => b.bytes - a.bytes)
}

// The tables of the target, in one transaction: emptied of what migrations put there, without keys, indexes and checks that are
// not valid, with triggers switched off. The owner of a table may do all of that; no superuser is needed.
export async function prepareTables(target: pg.Client): Promise<void> {
  const tables = await listTables(target)
  const definitions = await listDefinitions(target)
  const dropped = ['check', 'foreign', 'key', 'index'].flatMap((kind) =>
    definitions.filter((one) => one.kind === kind),
  )
  await target.query('begin')
  await target.query(
    `insert into ${COPY_SCHEMA}.definition
     select * from jsonb_to_recordset($1) as d (kind text, name text, bytes float8, make text, drop text)`,
    [JSON.stringify(definitions)],
  )
  for (const { sql } of tables) await target.query(`alter table ${sql} disable trigger user`)
  for (const { drop } of dropped) await target.query(drop)
  await target.query(`truncate ${tables.map(({ sql }) => sql).join(', ')}`)
  await target.query(`update ${COPY_SCHEMA}.copy set phase = 'prepared'`)
  await target.query('commit')
}

interface Copying {
  pairs: readonly Pair[]
  onProgress(copiedBytes: number, allBytes: number): void
}

// Returns the tables that are not of this release, and were left.
export async function copyTables({ pairs, onProgress }: Copying): Promise<string[]> {
  const [{ source, target }] = pairs as [Pair]
  const theirs = new Map((await listTables(target)).map((table) => [table.key, table]))
  const tables = await listTables(source)
  const { rows } = await target.query<{ name: string }>(`select name from ${COPY_SCHEMA}.chunk`)
  const done = new Set(rows.map(({ name }) => name))
  const chunks = chunksOf(tables.filter(({ key }) => theirs.has(key)))
  const all = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
  let copied = 0
  await inParallel(pairs, chunks, async (chunk, pair) => {
    if (!done.has(chunk.name)) await copyChunk(pair, chunk, theirs.get(chunk.table.key)!)
    copied += chunk.bytes
    onProgress(copied, all)
  })
  return tables.filter(({ key }) => !theirs.has(key)).map(({ sql }) => sql)
}

// The chunk's record comes first and commits with its rows. If this process dies here, the rows go with the record. A former
// process whose commit is still on its way holds the record, and this one waits for its end: no row is written twice.
async function copyChunk({ source, target }: Pair, chunk: Chunk, into: Table): Promise<void> {
  assert(
    String(chunk.table.columns) === String(into.columns),
    `${into.sql} has the same columns at both sides`,
  )
  await target.query('begin')
  // A commit is flushed to disk with the next one that is; the last one of the move is.
  await target.query('set local synchronous_commit = off')
  const { rowCount: isNew } = await target.query(
    `insert into ${COPY_SCHEMA}.chunk values ($1, 0) on conflict do nothing`,
    [chunk.name],
  )
  if (isNew === 0) {
    await target.query('rollback')
    return
  }
  const columns = chunk.table.columns.join(', ')
  const sent = source.query(
    copyTo(`copy (select ${columns} from ${chunk.table.sql} where ${chunk.where}) to stdout (format binary)`),
  )
  const taken = target.query(copyFrom(`copy ${into.sql} (${columns}) from stdin (format binary)`))
  await pipeline(sent, taken)
  assert(sent.rowCount === taken.rowCount, `${into.sql} took every row that was sent`)
  await target.query(`update ${COPY_SCHEMA}.chunk set row_count = $2 where name = $1`, [
    chunk.name,
    taken.rowCount,
  ])
  await target.query('commit')
}

// Each number continues where the source is. Processes there may still take some; nothing is written with them.
export async function copySequences({ source, target }: Pair): Promise<void> {
  const theirs = new Map((await listSequences(target)).map(({ key, sql }) => [key, sql]))
  for (const { key, sql } of await listSequences(source)) {
    const into = theirs.get(key)
    if (into === undefined) continue
    const { rows } = await source.query(`select last_value, is_called from ${sql}`)
    await target.query('select setval($1, $2, $3)', [into, rows[0].last_value, rows[0].is_called])
  }
}

interface Building {
  pairs: readonly Pair[]
  onProgress(made: number, all: number): void
}

const MEMORY = '128MB' // for each index under way

// Makes again what `prepareTables` dropped. What is there already was made whole before a kill.
export async function buildTables({ pairs, onProgress }: Building): Promise<void> {
  const [{ target }] = pairs as [Pair]
  const { rows: wanted } = await target.query<Definition>(
    `select kind, name, bytes, make, drop from ${COPY_SCHEMA}.definition order by bytes desc, name`,
  )
  const there = new Set((await listDefinitions(target)).map(identityOf))
  const missing = (kind: string) => wanted.filter((one) => one.kind === kind && !there.has(identityOf(one)))
  const indexes = missing('index')
  let made = 0
  await inParallel(pairs, indexes, async ({ make }, pair) => {
    await pair.target.query(`set maintenance_work_mem = '${MEMORY}'`)
    await pair.target.query(make)
    made += 1
    onProgress(made, indexes.length)
  })
  for (const kind of ['key', 'check']) for (const { make } of missing(kind)) await target.query(make)
  await inParallel(pairs, missing('foreign'), async ({ make }, pair) => void (await pair.target.query(make)))
  const tables = await listTables(target)
  for (const { sql } of tables) await target.query(`alter table ${sql} enable trigger user`)
  await inParallel(pairs, bySize(tables), async ({ sql }, pair) => {
    await pair.target.query(`vacuum (analyze) ${sql}`)
  })
  const now = new Set((await listDefinitions(target)).map(identityOf))
  const lost = wanted.filter((one) => !now.has(identityOf(one))).map(({ name }) => name)
  assert(
    lost.length === 0 && now.size === wanted.length,
    `every index, key and check is there again: ${lost}`,
  )
}

function bySize(tables: readonly Table[]): Table[] {
  return tables.toSorted((a, b) => b.bytes - a.bytes)
}

function identityOf({ kind, name }: Definition): string {
  return `${kind} ${name}`
}
