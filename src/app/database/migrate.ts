import { setTimeout as sleep } from 'node:timers/promises'
import { readMoveBy, refuseMigration, refuseUnfinishedCopy } from '#app/move/state.ts'
import type { KeyRing } from '#base/crypto/key-ring.ts'
import { createVault, type Vault } from '#base/crypto/vault.ts'
import type { BoundedClient, BoundedConfig } from '#base/db/client.ts'
import { watchLongStatements } from '#base/db/liveness.ts'
import { LOCKS } from '#base/db/locks.ts'
import { withoutLimits, withSettings } from '#base/db/settings.ts'
import { type Declaration, declarationOf, declare, isDeclared } from './declaration.ts'
import { signFoundVerdict } from './found-verdict.ts'
import {
  judgeHistory,
  listApplied,
  recordMigration,
  refuseNewerJobQueue,
  type Schema,
  WrongDatabase,
} from './history.ts'
import { installJobQueue } from './job-queue.ts'
import type { Migration } from './migration-files.ts'
import { functionSet, type Release, thisRelease } from './release.ts'
import { refuseMissingRights } from './rights.ts'
import { openClient } from './settle-connection.ts'
import {
  applyFunctions,
  areFunctionsCurrent,
  createWherePossible,
  type FunctionSet,
  readNames,
} from './sql-functions.ts'
import { TABLE_WAIT_MS, whenFree } from './when-free.ts'

const LOCK_POLL_MS = 50
const OUTSIDE = /^-- outside a transaction\b/m
const OLDEST_POSTGRES = 150_000

// The identity of a database, written by the first migration and checked by every process.
export interface Stamp {
  mode: 'sandbox' | 'live'
  keyRing: string
  // The keys of the ring in use when the database learns of them.
  encryptionKey: string
  indexKey: string
  // Signs what a release declares. Undefined: nothing is declared.
  signer?: Pick<Vault, 'fingerprint'>
}

export function stampOf(mode: Stamp['mode'], ring: KeyRing): Stamp {
  return {
    mode,
    keyRing: ring.fingerprint,
    encryptionKey: ring.encryption.current,
    indexKey: ring.index.current,
    signer: createVault(ring, {
      epoch: 0,
      encryption: ring.encryption.current,
      index: ring.index.current,
      nextIndex: null,
    }),
  }
}

interface Circumstances {
  // The target of a move, which is being made.
  isCopy?: boolean
  // For a command that ends moves. While the installation is being moved, it works with the functions that it finds.
  evenIfMoved?: boolean
}

// Brings the database up to this release, or finds it there already. If a newer release has been here and says that this one
// may serve its schema, nothing is applied.
export async function bringUpToDate(
  connection: BoundedConfig,
  stamp: Stamp,
  given: Partial<Release> & Circumstances = {},
  // Called under the lock, if a database that has data is about to change.
  beforeMigrating: () => Promise<void> = async () => {},
): Promise<Schema & { applied: string[] }> {
  const { isCopy = false, evenIfMoved = false, ...release } = { ...thisRelease(), ...given }
  const client = await openClient(withoutLimits(connection), 'ingot migrate')
  try {
    await refuseOldPostgres(client)
    // An index takes as long as the table is large.
    await watchLongStatements(client, withSettings(connection))
    const step = { stamp, set: functionSet(release), declaration: declarationOf(release) }
    if (!isCopy) await refuseUnfinishedCopy(client)
    const early = await inspect(client, release, stamp)
    // Without the lock: a newer release may hold it for as long as it builds an index.
    if (await isSettled(client, early, step)) return { ...early.schema, applied: [] }
    if (evenIfMoved && early.pending.length === 0 && (await readMoveBy(client)))
      return { ...early.schema, applied: [] }
    // Also while it waits: a move holds the lock for as long as it copies.
    const refuse = async () => isCopy || (await refuseMigration(client, evenIfMoved))
    await refuse()
    await takeLock(client, refuse)
    await refuse()
    if (!isCopy) await refuseUnfinishedCopy(client)
    const { schema, pending, isEmpty } = await inspect(client, release, stamp)
    if (schema.isNewer) return { ...schema, applied: [] }
    if (pending.length > 0) {
      await refuseMissingRights(client)
      if (!isEmpty) await beforeMigrating()
      await installJobQueue(connection)
    }
    await applyAll(client, pending, step)
    return { ...schema, applied: pending.map((migration) => migration.name) }
  } finally {
    await client.end()
  }
}

// Returns the migrations that were applied.
export async function migrate(...parameters: Parameters<typeof bringUpToDate>): Promise<string[]> {
  return (await bringUpToDate(...parameters)).applied
}

interface Inspected {
  schema: Schema
  pending: Migration[]
  isEmpty: boolean
}

// Refuses what this release cannot serve, before anything is changed: also a wrong address, where someone else's database is.
async function inspect(client: BoundedClient, { migrations }: Release, stamp: Stamp): Promise<Inspected> {
  const history = await listApplied(client)
  const { pending, ...schema } = judgeHistory(migrations, history)
  if (history.length > 0) await refuseOtherStamp(client, stamp)
  if (schema.isNewer) await refuseNewerJobQueue(client)
  return { schema, pending, isEmpty: history.length === 0 }
}

// There is nothing for this release to apply.
async function isSettled(
  client: BoundedClient,
  { schema, pending }: Inspected,
  { set, declaration, stamp }: Settling,
): Promise<boolean> {
  if (schema.isNewer) return true
  return (
    pending.length === 0 &&
    (await areFunctionsCurrent(client, set)) &&
    (await isDeclared(client, declaration, stamp))
  )
}

async function applyAll(client: BoundedClient, pending: readonly Migration[], step: Settling): Promise<void> {
  // Before the first guard changes: `verify` of the release before may run at any moment.
  if (pending.length > 0) await declare(client, step.declaration, step.stamp)
  for (const migration of pending) {
    if (OUTSIDE.test(migration.sql)) await applyOutside(client, migration)
    else await applyWhenFree(client, { ...step, migration, isLast: migration === pending.at(-1) })
  }
  // Without a migration, or after one that ran outside of a transaction.
  if (!(await areFunctionsCurrent(client, step.set))) await applyWhenFree(client, { ...step, isLast: true })
  await declare(client, step.declaration, step.stamp)
}

async function refuseOldPostgres(client: BoundedClient): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`)
  if (rows[0].version < OLDEST_POSTGRES) throw new WrongDatabase('PostgreSQL 15 or newer is needed')
}

// Polled, never waited for. An index that is built beside the traffic waits for every transaction that waits; a
// process waiting for this lock would wait for the index.
async function takeLock(client: BoundedClient, whileWaiting: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCKS.migration}) as taken`)
    if (rows[0].taken) return
    await whileWaiting()
    await sleep(LOCK_POLL_MS)
  }
}

// Runs statements that cannot be part of a transaction, one by one, and then records the migration. If it is cut off before
// the record, it runs again from the start, so each statement must allow a repetition.
async function applyOutside(client: BoundedClient, migration: Migration): Promise<void> {
  const statements = migration.sql.replace(/--.*$/gm, '').split(';')
  for (const statement of statements) if (statement.trim()) await client.query(statement)
  await recordMigration(client, migration)
}

type Settling = Omit<Step, 'isLast' | 'migration'>

interface Step {
  migration?: Migration
  // The functions come with the last migration: they may need what it makes, and the service both.
  isLast: boolean
  stamp: Stamp
  set: FunctionSet
  declaration: Declaration
}

function applyWhenFree(client: BoundedClient, step: Step): Promise<void> {
  return whenFree(step.migration?.name ?? 'of functions', () => apply(client, step))
}

// A migration, the functions and the records of both commit together.
async function apply(client: BoundedClient, step: Step): Promise<void> {
  const { migration, isLast, stamp, set } = step
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${TABLE_WAIT_MS}`)
    await client.query(
      `select set_config('ingot.encryption_key', $1, true), set_config('ingot.index_key', $2, true)`,
      [stamp.encryptionKey, stamp.indexKey],
    )
    if (migration) await applyAmongFunctions(client, migration, step)
    if (isLast) await applyFunctions(client, set)
    if (isLast) await declare(client, step.declaration, stamp)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

// A migration finds the new functions that it names, such as that of a trigger. What it drops is there again when the next
// one waits for its tables or builds an index, since processes of the release before go on calling it.
async function applyAmongFunctions(client: BoundedClient, migration: Migration, step: Step): Promise<void> {
  const { functions } = step.set
  const before = await readNames(client)
  const words = new Set(migration.sql.match(/\w+/g))
  await createWherePossible(
    client,
    functions.filter(({ name }) => before && !before.has(name) && words.has(name)),
  )
  await applyMigration(client, migration, step.stamp)
  if (!before || step.isLast) return
  const after = await readNames(client)
  await createWherePossible(
    client,
    functions.filter(({ name }) => before.has(name) && !after?.has(name)),
  )
}

async function applyMigration(client: BoundedClient, migration: Migration, stamp: Stamp): Promise<void> {
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
  await signFoundVerdict(client, migration, stamp.signer)
  await recordMigration(client, migration)
}

async function refuseOtherStamp(client: BoundedClient, stamp: Stamp): Promise<void> {
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
