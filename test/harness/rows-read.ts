import assert from 'node:assert/strict'
import type pg from 'pg'

// What each transaction of a pool reads, counted by PostgreSQL itself, also inside functions and triggers. A plan says what
// the planner means to do; this says what was done.
export interface Reading {
  statements: string[]
  // Of the tables that were read whole: which ones.
  scanned: string[]
  // Rows that were looked at, by table, those that a filter threw away included.
  rows: Record<string, number>
}

interface Counted {
  name: string
  scans: string
  rows: string
}

// Rows through indexes are counted where the index is read: a scan of the index alone looks at no row of the table.
const COUNTS = `
  select c.relname as name, pg_stat_get_xact_numscans(c.oid) as scans,
         greatest(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid),
                  (select sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) from pg_index i where i.indrelid = c.oid)) as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker')`

const BEGINS = /^\s*(?:begin|start transaction)/i
const ENDS = /^\s*(?:commit|rollback)/i

// biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, passed through
type Query = (...query: any[]) => Promise<any>

// What the pool's connections read from now on.
export function watchReadings(pool: pg.Pool): { take(): Reading[] } {
  const readings: Reading[] = []
  const watched = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    watch(client as unknown as { query: Query }, readings)
  })
  return { take: () => readings.splice(0) }
}

function watch(client: { query: Query }, readings: Reading[]): void {
  const send = client.query.bind(client)
  let began: { before: Map<string, Counted>; statements: string[] } | undefined
  const count = async () => {
    const { rows } = await send({ text: COUNTS, rowMode: 'array' })
    return new Map(
      (rows as [string, string, string][]).map(([name, scans, rows]) => [name, { name, scans, rows }]),
    )
  }
  const begin = async () => {
    began = { before: await count(), statements: [] }
  }
  const end = async () => {
    const { before, statements } = began!
    began = undefined
    readings.push({ statements, ...difference(before, await count()) })
  }
  // A pool's own queries come with a callback.
  client.query = async (...query) => {
    const callback = query.findLastIndex((argument) => typeof argument === 'function')
    if (callback < 0) return answer(query)
    const tell = query[callback]
    return answer(query.slice(0, callback)).then(
      (result) => tell(undefined, result),
      (error) => tell(error),
    )
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async function answer(query: any[]): Promise<any> {
    const text: string = typeof query[0] === 'string' ? query[0] : query[0].text
    if (BEGINS.test(text)) {
      const result = await send(...query)
      await begin()
      return result
    }
    if (ENDS.test(text)) {
      if (began && /^\s*commit/i.test(text)) await end()
      began = undefined
      return send(...query)
    }
    if (began) {
      began.statements.push(text)
      return send(...query)
    }
    await send('begin')
    await begin()
    began!.statements.push(text)
    try {
      const result = await send(...query)
      await end()
      await send('commit')
      return result
    } catch (error) {
      began = undefined
      await send('rollback')
      throw error
    }
  }
}

function difference(before: Map<string, Counted>, after: Map<string, Counted>) {
  const scanned: string[] = []
  const rows: Record<string, number> = {}
  for (const { name, ...now } of after.values()) {
    const then = before.get(name)
    assert.ok(then, `${name} was there at the beginning`)
    if (Number(now.scans) > Number(then.scans)) scanned.push(name)
    const read = Number(now.rows) - Number(then.rows)
    if (read > 0) rows[name] = read
  }
  return { scanned, rows }
}
