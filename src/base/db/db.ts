import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { traced } from '#base/tracing.ts'
import type { DB } from '#db/schema.gen.ts'
import type { BoundedClient, BoundedConfig, BoundedQuery } from './client.ts'
import { watchLongStatements } from './liveness.ts'
import { openPool } from './pool.ts'
import { withSettings } from './settings.ts'
import {
  createPipeline,
  createWrite,
  refuseUnconfirmed,
  type WriteQuery,
  watchUnconfirmedCommits,
} from './single-writes.ts'
import { WriteHealth } from './write-health.ts'

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

// A caller learns within two seconds that no connection or lock is to be had, and answers 503. A purchase may first have waited with
// others and for its turn (src/flows/gift-cards/purchase-lines.ts): five seconds in all.
const WAIT_MS = 1_500
const STATEMENT_MS = 10_000

// Every hot statement is prepared once per connection, and planned once. That plan must not be one that suits an empty
// table: no scan of a whole table where there is an index.
const SETTINGS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }
const LIMITS = {
  statement_timeout: String(STATEMENT_MS),
  idle_in_transaction_session_timeout: '15000',
}

export interface Database {
  readonly db: Db
  readonly pool: pg.Pool
  // How many it may have at once.
  readonly connections: number
  // What this process's own writes show about the database.
  readonly writes: WriteHealth
  withTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  // The same for statements that take as long as they need. They are given up when PostgreSQL no longer works on them.
  withLongTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  // One snapshot for many reads, however long they take.
  withSnapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  // One snapshot for a few short reads, planned under these settings.
  withReading<Result>(
    settings: Readonly<Record<string, string>>,
    work: (db: Db) => Promise<Result>,
  ): Promise<Result>
  // A read, prepared once per connection.
  read<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>
  // A write that is one statement and therefore its own transaction: one round trip, durable on return.
  writeOnce<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>
  // Such writes on one connection, each sent before those ahead of it are answered. They run one after the other.
  openPipeline(): Pipeline
  // Statements under way are cut off after a moment.
  close(): Promise<void>
}

export type Pipeline = Pick<Database, 'writeOnce'>

// What an edge gets: it can read, and has nothing to write with.
export type Reader = Pick<Database, 'read'>

interface Statement {
  readonly name: string
  readonly text: string
  // How long it may go unanswered, if not as long as any other.
  readonly boundMs?: number
}

export interface DatabaseOptions {
  connection: BoundedConfig
  maxConnections: number
  // How long to wait for a connection or a lock.
  waitMs?: number
  // A connection broke while it was idle, or was given up as dead.
  onIdleError(error: Error): void
  writes?: WriteHealth
}

export function openDatabase(options: DatabaseOptions): Database {
  const { waitMs = WAIT_MS, writes = new WriteHealth() } = options
  const config = {
    ...withSettings(options.connection, { ...SETTINGS, ...LIMITS, lock_timeout: String(waitMs) }),
    types: TYPES,
    max: options.maxConnections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    // A server that answers at all has ended the statement by then.
    statementMs: STATEMENT_MS + 1_000,
    application_name: 'ingot',
  }
  const { pool, close } = openPool(config, options.onIdleError)
  const unconfirmed = watchUnconfirmedCommits(pool)
  const kysely = (watch?: Watch) =>
    new Kysely<DB>({ dialect: new PostgresDialect({ pool: checkingPool(pool, unconfirmed, watch) }) })
  const db = kysely()
  const longDb = kysely((client) => watchLongStatements(client, withSettings(options.connection)))
  const watched = <Result>(kind: string, work: () => Promise<Result>) => watchWrite(writes, kind, work)
  const writing =
    (write: WriteQuery): Database['writeOnce'] =>
    (statement, values) =>
      asked(statement.name, () => watched(statement.name, () => write(prepared(statement, values))))
  return {
    db,
    pool,
    connections: options.maxConnections,
    writes,
    withTransaction: (work) =>
      asked('transaction', () => watched('transaction', () => db.transaction().execute(work))),
    withLongTransaction: (work) =>
      watched('transaction', () =>
        longDb.transaction().execute(async (tx) => {
          await sql`set local statement_timeout = 0`.execute(tx)
          return work(tx)
        }),
      ),
    withSnapshot: (work) =>
      longDb
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          // Questions about everything take their time, and do read whole tables.
          await sql`set local statement_timeout = 0`.execute(tx)
          await sql`set local enable_seqscan = on`.execute(tx)
          return work(tx)
        }),
    withReading: (settings, work) =>
      asked('reading', () =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (tx) => {
            await setLocally(tx, settings)
            return work(tx)
          }),
      ),
    async read(statement, values) {
      return (await asked(statement.name, () => pool.query(prepared(statement, values)))).rows
    },
    writeOnce: writing(createWrite(pool, unconfirmed)),
    openPipeline: () => ({ writeOnce: writing(createPipeline(pool, unconfirmed)) }),
    close,
  }
}

// Until the end of the transaction.
export async function setLocally(tx: Tx, settings: Readonly<Record<string, string>>): Promise<void> {
  await sql`select count(set_config(name, value, true))
    from unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[]) as s (name, value)`.execute(
    tx,
  )
}

// The name of a statement, never its values.
function asked<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return traced(name, 'client', { 'db.system.name': 'postgresql', 'db.operation.name': name }, work)
}

function prepared({ name, text, boundMs }: Statement, values: unknown[]): BoundedQuery {
  return { name, text, values, ...(boundMs === undefined ? {} : { boundMs }) }
}

async function watchWrite<Result>(
  writes: WriteHealth,
  kind: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work()
    writes.succeeded(kind)
    return result
  } catch (error) {
    writes.failed(kind, error)
    throw error
  }
}

// Begun once a transaction is, so that a pooler stays with one backend. Returns how to end it.
type Watch = (client: BoundedClient) => Promise<() => void>

// The pool as Kysely sees it: every statement, and so every commit, is checked on its way out.
function checkingPool(pool: pg.Pool, unconfirmed: WeakSet<pg.PoolClient>, watch?: Watch): pg.Pool {
  const checking = {
    async connect() {
      const client = await pool.connect()
      let endWatch: (() => void) | undefined
      let isUnwatched = false
      return {
        // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, passed through
        async query(...query: any): Promise<any> {
          // biome-ignore lint/suspicious/noExplicitAny: as above
          const result = await (client.query as any)(...query)
          refuseUnconfirmed(unconfirmed, client)
          if (watch && !endWatch) {
            // Kysely would take a failure here for a transaction that was never begun.
            isUnwatched = true
            endWatch = await watch(client as unknown as BoundedClient)
            isUnwatched = false
          }
          return result
        },
        release(broken = false) {
          endWatch?.()
          client.release(broken || isUnwatched)
        },
      }
    },
    end: async () => {},
    options: {},
  }
  return checking as unknown as pg.Pool
}
