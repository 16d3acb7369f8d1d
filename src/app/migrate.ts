import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { NewerData } from '#app/data-dir.ts'
import type { KeyRing } from '#base/key-ring.ts'

const FOLDER = new URL('../../db/migrations/', import.meta.url)
const LOCK = 4_857_101 // any number that nobody else takes: processes that start together migrate in turn
const LOCK_POLL_MS = 50
const OUTSIDE = /^-- outside a transaction\b/
const OLDEST_POSTGRES = 150_000

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

// What a database is, written by the first migration and checked by every process.
export interface Stamp {
  mode: 'sandbox' | 'live'
  keyRing: string
  // The keys of the ring in use when the database learns of them.
  encryptionKey: string
  indexKey: string
}

export function stampOf(mode: Stamp['mode'], ring: KeyRing): Stamp {
  return {
    mode,
    keyRing: ring.fingerprint,
    encryptionKey: ring.encryption.current,
    indexKey: ring.index.current,
  }
}

export class WrongDatabase extends Error {}

export function listMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, FOLDER), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number.parseInt(file, 10), name: file.replace(/\.sql$/, ''), sql, checksum }
    })
}

export function schemaVersion(): number {
  return listMigrations().at(-1)?.version ?? 0
}

// Brings the database up to this release, or finds it there already. Returns what was applied.
export async function migrate(
  connection: pg.PoolConfig,
  stamp: Stamp,
  migrations = listMigrations(),
): Promise<string[]> {
  const client = new pg.Client({ ...connection, application_name: 'ingot migrate' })
  client.on('error', () => {}) // a lost connection fails the query that waits for it
  await connect(client, connection)
  try {
    await refuseOldPostgres(client)
    await takeLock(client)
    const applied = await listApplied(client)
    refuseForeignHistory(migrations, applied)
    // Before anything is changed: a wrong address must not migrate someone else's database.
    if (applied.size > 0) await refuseOtherStamp(client, stamp)
    const pending = migrations.filter((migration) => !applied.has(migration.version))
    if (pending.length > 0) await installJobQueue(connection)
    for (const migration of pending) {
      if (OUTSIDE.test(migration.sql)) await applyOutside(client, migration)
      else await apply(client, migration, stamp)
    }
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

// A purchase adds its jobs whether or not a worker has ever run here, so the queue's own schema is there before ours.
async function installJobQueue(connection: pg.PoolConfig): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 1, application_name: 'ingot migrate' })
  pool.on('error', () => {})
  pool.on('connect', (opened) => opened.on('error', () => {}))
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}

async function connect(client: pg.Client, { onConnect }: pg.PoolConfig): Promise<void> {
  try {
    await client.connect()
    await onConnect?.(client) // as a pool does by itself
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw new WrongDatabase(`the database cannot be reached: ${[code, message].filter(Boolean).join(' ')}`)
  }
}

async function refuseOldPostgres(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`)
  if (rows[0].version < OLDEST_POSTGRES) throw new WrongDatabase('PostgreSQL 15 or newer is needed')
}

async function listApplied(client: pg.Client): Promise<Map<number, string>> {
  const { rows: exists } = await client.query(`select to_regclass('schema_migration') is not null as there`)
  if (!exists[0].there) return new Map()
  const { rows } = await client.query('select version, checksum from schema_migration order by version')
  return new Map(rows.map((row) => [row.version, row.checksum]))
}

function refuseForeignHistory(migrations: readonly Migration[], applied: ReadonlyMap<number, string>): void {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  for (const [version, checksum] of applied) {
    const migration = known.get(version)
    if (!migration) {
      throw new NewerData(
        `the database has schema ${version}, which this release does not know. Nothing was touched: ` +
          'start the newer release',
      )
    }
    if (migration.checksum !== checksum) {
      throw new WrongDatabase(`migration ${migration.name} is not the one that was applied to this database`)
    }
  }
}

// Asked for again and again, never waited for: an index that is built beside the traffic waits for everyone who waits for
// anything, and whoever waited for this lock would wait for the index.
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCK])
    if (rows[0].taken) return
    await sleep(LOCK_POLL_MS)
  }
}

// Statement by statement, none of which can be part of a transaction; then its record. What was cut off before the record is
// begun again, so each statement must bear being repeated.
async function applyOutside(client: pg.Client, { version, name, checksum, sql }: Migration): Promise<void> {
  const statements = sql.replace(/--.*$/gm, '').split(';')
  for (const statement of statements) if (statement.trim()) await client.query(statement)
  await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ])
}

// A migration and its record commit together. The lock timeout keeps a migration that must wait for a long
// transaction from making every purchase wait behind it.
async function apply(client: pg.Client, migration: Migration, stamp: Stamp): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '5s'`)
    await client.query(
      `select set_config('ingot.encryption_key', $1, true), set_config('ingot.index_key', $2, true)`,
      [stamp.encryptionKey, stamp.indexKey],
    )
    if (migration.version === 1) {
      await client.query(`create table schema_migration (
        version integer primary key, name text not null, checksum text not null,
        applied_at timestamptz not null default now())`)
    }
    await client.query(migration.sql)
    if (migration.version === 1) {
      await client.query('insert into installation (mode, key_ring) values ($1, $2)', [
        stamp.mode,
        stamp.keyRing,
      ])
    }
    await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function refuseOtherStamp(client: pg.Client, stamp: Stamp): Promise<void> {
  const { rows } = await client.query('select mode, key_ring from installation')
  const [found] = rows
  if (found?.mode !== stamp.mode) {
    throw new WrongDatabase(`INGOT_MODE is ${stamp.mode}, but this database was made for ${found?.mode}`)
  }
  if (found.key_ring !== stamp.keyRing) {
    throw new WrongDatabase(
      'the key ring is not the one this database was made with: its cards could not be read. Give the right ' +
        'one by KEY_RING_FILE, or the DATA_DIR that holds it',
    )
  }
}
