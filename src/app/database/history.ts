import { NewerData } from '#app/data-dir.ts'
import { VERSION } from '#app/version.ts'
import type { BoundedClient } from '#base/db/client.ts'
import { Explained } from '#base/explained.ts'
import { compatibleWith, type Migration } from './migration-files.ts'

export class WrongDatabase extends Explained {}

// Which migrations a database has, and whether this release may serve it.

export interface AppliedMigration {
  version: number
  name: string
  checksum: string
  // What its file declared, and the release that applied it. Null: from before there were declarations.
  compatibleWith: number | null
  release: string | null
}

// The schema of a database, whichever release made it.
export interface Schema {
  version: number
  // The oldest schema whose release may serve it.
  compatibleWith: number
  // Made by a newer release. This one serves it and applies nothing.
  isNewer: boolean
}

// The highest revision of the job queue's own tables that this release knows (graphile-worker, which counts for itself).
export const JOB_QUEUE_REVISION = 20

// Columns that a later migration added are read by way of JSON: an older database does not have them yet.
export async function listApplied(client: BoundedClient): Promise<AppliedMigration[]> {
  const { rows: exists } = await client.query(`select to_regclass('schema_migration') is not null as there`)
  if (!exists[0].there) return []
  const { rows } = await client.query(
    `select version, name, checksum, (to_jsonb(m) ->> 'compatible_with')::int as "compatibleWith",
            to_jsonb(m) ->> 'release' as release
       from schema_migration m order by version`,
  )
  return rows
}

// Refuses a database that this release cannot serve. Nothing has been changed by then.
export function judgeHistory(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Schema & { pending: Migration[] } {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const own = migrations.at(-1)?.version ?? 0
  const unknown = applied.filter(({ version }) => !known.has(version))
  for (const migration of unknown) refuseIncompatible(migration, own)
  for (const { version, checksum } of applied) {
    const migration = known.get(version)
    if (migration && migration.checksum !== checksum)
      throw new WrongDatabase(`migration ${migration.name} is not the one that was applied to this database`)
  }
  const has = new Set(applied.map(({ version }) => version))
  const pending = migrations.filter(({ version }) => !has.has(version))
  const newest = unknown.at(-1)
  if (newest && pending[0]) {
    throw new WrongDatabase(
      `the database has migration ${newest.name} and not ${pending[0].name}: the release that made it is no later one ` +
        'of this. Nothing was touched',
    )
  }
  const all = [
    ...applied.map((one) => one.compatibleWith ?? one.version),
    ...pending.map((one) => compatibleWith(one) ?? one.version),
  ]
  return {
    version: newest?.version ?? own,
    compatibleWith: Math.max(0, ...all),
    isNewer: newest !== undefined,
    pending,
  }
}

function refuseIncompatible({ version, compatibleWith: oldest, release }: AppliedMigration, own: number) {
  if (oldest !== null && oldest <= own) return
  const by = release === null ? 'a newer release' : `release ${release}`
  throw new NewerData(
    `the database has schema ${version}, which this release does not know. ${by} made it, and releases with a schema ` +
      `before ${oldest ?? version} cannot serve it; this one is ${VERSION} with schema ${own}. Nothing was touched. Start ` +
      `${release === null ? 'the newer release' : `release ${release} or a later one`}. The way back to this release is ` +
      'a backup from before the upgrade: see docs/upgrade.md',
  )
}

// The queue refuses to work on tables of a later revision if that one breaks with earlier ones. Its message would reach
// no one: the worker would only be tried again and again.
export async function refuseNewerJobQueue(client: BoundedClient): Promise<void> {
  const { rows } = await client.query(
    'select max(id) as revision from graphile_worker.migrations where breaking',
  )
  if ((rows[0].revision ?? 0) <= JOB_QUEUE_REVISION) return
  throw new NewerData(
    `the job queue has revision ${rows[0].revision}, and this release (${VERSION}) knows ${JOB_QUEUE_REVISION}. ` +
      'Nothing was touched. Start the newer release',
  )
}

// A migration that declares something comes with the columns for it, or after them.
export async function recordMigration(client: BoundedClient, migration: Migration): Promise<void> {
  const { version, name, checksum } = migration
  const oldest = compatibleWith(migration)
  if (oldest === undefined) {
    await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ])
    return
  }
  await client.query(
    `insert into schema_migration (version, name, checksum, compatible_with, release) values ($1, $2, $3, $4, $5)`,
    [version, name, checksum, oldest, VERSION],
  )
}
