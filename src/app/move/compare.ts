import type pg from 'pg'
import { listTables, type Table } from './catalog.ts'
import { type Chunk, chunksOf } from './copy.ts'
import { inParallel, type Pair } from './parallel.ts'

interface Content {
  rows: bigint
  // Of all rows, whatever their order.
  sum: bigint
}

interface Comparing {
  pairs: readonly Pair[]
  onProgress(readBytes: number, allBytes: number): void
}

// Reads every row at both sides. Returns the tables that differ.
export async function compareTables({ pairs, onProgress }: Comparing): Promise<string[]> {
  const [{ source, target }] = pairs as [Pair]
  const theirs = await listTables(target)
  const known = new Set(theirs.map(({ key }) => key))
  const ours = (await listTables(source)).filter(({ key }) => known.has(key))
  const pieces = [
    ...chunksOf(ours).map((chunk) => ({ chunk, side: 'source' as const })),
    ...chunksOf(theirs).map((chunk) => ({ chunk, side: 'target' as const })),
  ].sort((a, b) => b.chunk.bytes - a.chunk.bytes)
  const all = pieces.reduce((sum, { chunk }) => sum + chunk.bytes, 0)
  const contents = { source: new Map<string, Content>(), target: new Map<string, Content>() }
  let read = 0
  await inParallel(pairs, pieces, async ({ chunk, side }, pair) => {
    const { rows, sum } = await readContent(pair[side], chunk)
    const before = contents[side].get(chunk.table.key) ?? { rows: 0n, sum: 0n }
    contents[side].set(chunk.table.key, { rows: before.rows + rows, sum: before.sum + sum })
    read += chunk.bytes
    onProgress(read, all)
  })
  return theirs.filter((table) => differs(table, contents)).map(({ key }) => key)
}

function differs({ key }: Table, contents: Record<keyof Pair, Map<string, Content>>): boolean {
  const [ours, theirs] = [contents.source.get(key), contents.target.get(key)]
  return (ours?.rows ?? 0n) !== (theirs?.rows ?? 0n) || (ours?.sum ?? 0n) !== (theirs?.sum ?? 0n)
}

// The sum of 64 bits of each row's MD5. The row is hashed in PostgreSQL's binary form, as it was copied. Unlike the text form
// it depends on no setting, locale or version.
async function readContent(client: pg.Client, { table, where }: Chunk): Promise<Content> {
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `select count(*)::text as rows, coalesce(sum(hash), 0)::text as sum
       from (select ('x' || left(md5(record_send(row(${table.columns.join(', ')}))), 16))::bit(64)::bigint as hash
               from ${table.sql} where ${where}) hashed`,
  )
  return { rows: BigInt(rows[0]!.rows), sum: BigInt(rows[0]!.sum) }
}
