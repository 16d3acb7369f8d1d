import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { MOVED_IN, recordSchema, writeOnce } from '#app/data-dir.ts'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { findLocation } from '#app/embedded-postgres/cluster-location.ts'
import { readSecrets, type SecretsFile } from '#app/keys/secrets-file.ts'
import { Refused } from '#app/refused.ts'
import { type Runtime, reachPostgres } from '#app/runtime.ts'
import type { BoundedConfig } from '#base/db/client.ts'
import { type Database, openDatabase } from '#base/db/db.ts'
import { LOCKS } from '#base/db/locks.ts'
import { QUEUE_SCHEMA } from './catalog.ts'
import { COPY_SCHEMA, openMover } from './state.ts'
import {
  type Copy,
  checkFolder,
  MARKER,
  readCopy,
  readMarker,
  refuseForeignData,
  type Target,
} from './target.ts'

export interface OpenTarget {
  connection: BoundedConfig
  // The copy is open: what marked it as unfinished goes.
  finish(): void
  // Removes what the move made there. False: what is there is not of this move, and stays.
  clear(): Promise<boolean>
  close(): Promise<void>
}

// Reaches the target, and makes the data folder if it is one.
export async function openTarget(runtime: Runtime, target: Target, id: string): Promise<OpenTarget> {
  const { config, log } = runtime
  if (target.kind === 'server') {
    const reached = await reachPostgres({ ...config, databaseUrl: target.url }, log, { password: '' })
    return {
      connection: reached.connection,
      finish() {},
      clear: () => clearDatabase(reached.connection, id),
      close: reached.leave,
    }
  }
  const { folder } = target
  const password = prepareFolder(runtime, folder, id)
  const reached = await reachPostgres({ ...config, databaseUrl: undefined, dataDir: folder }, log, {
    password,
  })
  recordSchema(folder, runtime.schema)
  let isCleared = false
  return {
    connection: reached.connection,
    finish: () => renameSync(join(folder, MARKER), join(folder, MOVED_IN)),
    async clear() {
      if (readMarker(folder) !== id) return false
      await reached.leave()
      isCleared = true
      const { home } = findLocation(folder) ?? { home: folder }
      if (!home.startsWith(folder)) rmSync(home, { recursive: true, force: true })
      // The marker last: what a kill leaves is still known as ours.
      for (const name of readdirSync(folder).filter((name) => name !== MARKER))
        rmSync(join(folder, name), { recursive: true, force: true })
      rmSync(join(folder, MARKER), { force: true })
      return true
    },
    close: async () => {
      if (!isCleared) await reached.leave()
    },
  }
}

export async function withDatabase<Result>(
  connection: BoundedConfig,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ connection, maxConnections: 2, onIdleError: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

// What a sandbox shows at its start.
const DEMO_FILES = ['demo-key', 'demo-member']

// Returns the password of the database inside. The marker is first, so that whatever a kill leaves is known as ours.
function prepareFolder({ config }: Runtime, folder: string, id: string): string {
  // Again: the source was stopped in between, which takes a while.
  checkFolder(folder, id)
  mkdirSync(folder, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
  if (readMarker(folder) !== id) writeOnce(join(folder, MARKER), `${JSON.stringify({ id })}\n`)
  const path = join(folder, 'secrets.json')
  if (!existsSync(path)) {
    // A ring that the operator gave stays where it is. One that the service made comes along.
    const secrets = config.keyRingFile === undefined ? readSecrets(join(config.dataDir, 'secrets.json')) : {}
    const made: SecretsFile = { ...secrets, databasePassword: randomBytes(24).toString('base64url') }
    writeOnce(path, `${JSON.stringify(made, null, 2)}\n`)
  }
  for (const name of DEMO_FILES.filter((name) => existsSync(join(config.dataDir, name)))) {
    copyFileSync(join(config.dataDir, name), join(folder, name))
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as SecretsFile).databasePassword
}

// The first thing that is made there: whatever follows is known as ours. Under the lock of the migrations: a service that starts
// there meanwhile has made its tables, and they are seen, or it sees the claim. Not waited for: an index that is built beside
// the traffic would wait for this transaction. If this process dies in between, nothing was made.
export async function claimTarget(client: pg.Client, { id, place }: Claim): Promise<Copy> {
  await client.query('begin')
  try {
    const { rows } = await client.query(`select pg_try_advisory_xact_lock(${LOCKS.migration}) as taken`)
    if (!rows[0].taken)
      throw new Refused(`a service is starting in ${place}: stop it, and empty the database`)
    const copy = (await refuseForeignData(client, place, id)) ?? (await makeClaim(client, id))
    await client.query('commit')
    return copy
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

interface Claim {
  id: string
  place: string
}

async function makeClaim(client: pg.Client, id: string): Promise<Copy> {
  await client.query(
    `create schema ${COPY_SCHEMA};
     create table ${COPY_SCHEMA}.copy (id uuid primary key, phase text not null);
     insert into ${COPY_SCHEMA}.copy values (${client.escapeLiteral(id)}, 'begun');
     create table ${COPY_SCHEMA}.chunk (name text primary key, row_count bigint not null);
     create table ${COPY_SCHEMA}.definition (kind text, name text, bytes float8, make text, drop text)`,
  )
  return { id, phase: 'begun' }
}

// If it is cut off, the next run goes on.
export async function makeSchema(
  { config, keyRing }: Pick<Runtime, 'config' | 'keyRing'>,
  connection: BoundedConfig,
): Promise<void> {
  await migrate(connection, stampOf(config.mode, keyRing.read()), { isCopy: true })
}

// The database was empty when it was claimed, so everything in its schema is ours while the claim is, but for what an
// extension brought.
async function clearDatabase(connection: BoundedConfig, id: string): Promise<boolean> {
  const client = await openMover(connection)
  try {
    if ((await readCopy(client))?.id !== id) return false
    const { rows } = await client.query(
      `select format('drop table if exists %s cascade', c.oid::regclass) as statement from pg_class c
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       union all
       select format('drop sequence if exists %s', c.oid::regclass) from pg_class c
        where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
       union all
       select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
        where p.pronamespace = current_schema()::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
    await client.query(`drop schema if exists ${QUEUE_SCHEMA} cascade`)
    for (const { statement } of rows) await client.query(statement)
    // The claim goes last.
    await client.query(`drop schema if exists ${COPY_SCHEMA} cascade`)
    return true
  } finally {
    await client.end()
  }
}
