import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { Unavailable } from '#base/db-errors.ts'
import type { DB } from '#base/schema.gen.ts'

export type Db = Kysely<DB>
// "In a transaction" is a type. Only flows and jobs may make one (tools/tidy.test.ts).
export type Tx = Transaction<DB>

let lastInstant = { text: '', instant: Temporal.Instant.fromEpochMilliseconds(0) }

// The rows of a batch share their moment: read once, it is one object for all of them.
function parseInstant(text: string): Temporal.Instant {
  if (text !== lastInstant.text) lastInstant = { text, instant: Temporal.Instant.from(text) }
  return lastInstant.instant
}

// How this pool's rows arrive. Not set for the whole process: the job queue shares the driver and expects
// its own ids as texts.
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, (text) => text],
  [pg.types.builtins.TIMESTAMPTZ, parseInstant],
])
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

// A caller learns within two seconds that no connection or lock is to be had, and answers 503.
const WAIT_MS = 1_500
const STATEMENT_MS = 10_000

export interface Database {
  readonly db: Db
  readonly pool: pg.Pool
  withTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  // One snapshot for many reads, however long they take.
  withSnapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  // A read, prepared once per connection.
  read<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>
  // A write that is one statement and therefore its own transaction: one round trip, durable on return.
  writeOnce<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

// What an edge is given: it can read, and has nothing to write with.
export type Reader = Pick<Database, 'read'>

interface Statement {
  readonly name: string
  readonly text: string
}

export interface DatabaseOptions {
  connection: pg.PoolConfig
  maxConnections: number
  // How long to wait for a connection or a lock.
  waitMs?: number
  onIdleError(error: Error): void
}

export function openDatabase(options: DatabaseOptions): Database {
  const waitMs = options.waitMs ?? WAIT_MS
  const pool = new pg.Pool({
    ...options.connection,
    types: TYPES,
    max: options.maxConnections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    lock_timeout: waitMs,
    statement_timeout: STATEMENT_MS,
    keepAlive: true,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'ingot',
    // Every hot statement is prepared once per connection, and planned once. That plan must not be one that
    // suits an empty table: no scan of a whole table where there is an index.
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  })
  pool.on('error', options.onIdleError)
  // A connection that breaks in its user's hands tells of it twice: the statement fails, and the client
  // emits an error, which without a listener would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const unconfirmed = watchUnconfirmedCommits(pool)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: checkingPool(pool, unconfirmed) }) })
  return {
    db,
    pool,
    withTransaction: (work) => db.transaction().execute(work),
    withSnapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          // Questions about everything take their time, and do read whole tables.
          await sql`set local statement_timeout = 0`.execute(tx)
          await sql`set local enable_seqscan = on`.execute(tx)
          return work(tx)
        }),
    async read(statement, values) {
      return (await pool.query(bounded(statement, values))).rows
    },
    async writeOnce(statement, values) {
      const client = await pool.connect()
      let broken = false
      try {
        const { rows } = await client.query(bounded(statement, values))
        refuseUnconfirmed(unconfirmed, client)
        return rows
      } catch (error) {
        // A refused statement leaves its connection good; FATAL is the server's last word on it.
        const refused = error instanceof pg.DatabaseError && error.severity !== 'FATAL'
        broken = !refused && !(error instanceof Unavailable)
        throw error
      } finally {
        client.release(broken)
      }
    },
    async close() {
      await db.destroy()
      // Kysely ends the pool only if it ever used it.
      if (!pool.ended) await pool.end()
    },
  }
}

// A server that no longer answers at all, frozen or cut off, cannot enforce its own statement_timeout.
function bounded({ name, text }: Statement, values: unknown[]): pg.QueryConfig {
  return { name, text, values, query_timeout: STATEMENT_MS + 1_000 } as pg.QueryConfig
}

// With synchronous replication a cancelled wait at commit is only a warning: the row is here, but a
// failover may still lose it. That is not a success.
function watchUnconfirmedCommits(pool: pg.Pool): WeakSet<pg.PoolClient> {
  const unconfirmed = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.on('notice', (notice) => {
      if (notice.routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
    })
  })
  return unconfirmed
}

function refuseUnconfirmed(unconfirmed: WeakSet<pg.PoolClient>, client: pg.PoolClient): void {
  if (unconfirmed.delete(client)) throw new Unavailable('the commit was not confirmed by a standby')
}

// The pool as Kysely sees it: every statement, and so every commit, is checked on its way out.
function checkingPool(pool: pg.Pool, unconfirmed: WeakSet<pg.PoolClient>): pg.Pool {
  const checking = {
    async connect() {
      const client = await pool.connect()
      return {
        // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, passed through
        async query(...query: any): Promise<any> {
          // biome-ignore lint/suspicious/noExplicitAny: as above
          const result = await (client.query as any)(...query)
          refuseUnconfirmed(unconfirmed, client)
          return result
        },
        release: () => client.release(),
      }
    },
    end: () => pool.end(),
    options: {},
  }
  return checking as unknown as pg.Pool
}
