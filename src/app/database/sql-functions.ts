import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { assert } from '#base/assert.ts'
import type { BoundedClient } from '#base/db/client.ts'
import { ROOT } from '#base/root.ts'

// The functions and views of db/functions: one file each, which creates or replaces the one thing it is named after.
const FOLDER = new URL('db/functions/', ROOT)
export const FUNCTIONS_LOCK = new URL('db/functions.lock.json', ROOT)
const CREATES = /^create or replace (function|aggregate|view) (\w+)/gm
// An aggregate needs its step, and a view the functions it calls. Bodies are checked when all of them are there.
const ORDER = ['function', 'aggregate', 'view'] as const
// The checksum of a text that was removed. Its row stays, so that an older release sees that a newer one has been here.
const REMOVED = 'removed'

export interface SqlFunction {
  name: string
  kind: (typeof ORDER)[number]
  sql: string
  checksum: string
}

// The functions of a release.
export interface FunctionSet {
  functions: readonly SqlFunction[]
  // How new they are: first by the schema, then by the lock.
  schemaVersion: number
  functionsVersion: number
  // What migrations created while functions were written there.
  createdByMigrations: readonly string[]
}

// In the order in which they are applied.
export function listFunctions(): SqlFunction[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readFunction(file.replace(/\.sql$/, ''), readFileSync(new URL(file, FOLDER), 'utf8')))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

export function functionsVersion(): number {
  return JSON.parse(readFileSync(FUNCTIONS_LOCK, 'utf8')).version
}

// The checksum begins at `create`: a comment above it changes nothing in the database.
export function readFunction(name: string, sql: string): SqlFunction {
  const [[, kind, created] = [], ...more] = [...sql.matchAll(CREATES)]
  assert(created === name && more.length === 0, `db/functions/${name}.sql creates or replaces ${name} alone`)
  const checksum = createHash('sha256')
    .update(sql.slice(sql.search(CREATES)))
    .digest('hex')
  return { name, kind: kind as SqlFunction['kind'], sql, checksum }
}

// The functions and views of the database. Unknown while migrations still create them.
export async function readNames(client: BoundedClient): Promise<ReadonlySet<string> | undefined> {
  const { rows } = await client.query(
    `select to_regclass('schema_function') is not null as known,
            array(select proname::text from pg_proc where pronamespace = current_schema()::regnamespace
                  union select relname from pg_class where relkind = 'v' and relnamespace = current_schema()::regnamespace) as names`,
  )
  return rows[0].known ? new Set(rows[0].names) : undefined
}

// Ahead of the other files. One whose arguments or result need what a later migration makes comes with all of them.
export async function createWherePossible(
  client: BoundedClient,
  functions: readonly SqlFunction[],
): Promise<void> {
  if (functions.length === 0) return
  const attempts = functions.map(
    ({ sql }) => `begin execute ${client.escapeLiteral(sql)};
      exception when syntax_error_or_access_rule_violation then null; end;`,
  )
  await client.query('set local check_function_bodies = off')
  await client.query(`do ${client.escapeLiteral(`begin ${attempts.join('\n')} end`)}`)
}

export async function areFunctionsCurrent(client: BoundedClient, set: FunctionSet): Promise<boolean> {
  if (set.functions.length === 0) return true
  const { changed, removed } = await findChanges(client, set)
  return changed.length + removed.length === 0
}

// A release with these functions has been here after the one that asks.
export async function haveNewerFunctions(
  client: BoundedClient,
  { schemaVersion, functionsVersion }: FunctionSet,
): Promise<boolean> {
  const { rows } = await client.query(
    'select from schema_function where (schema_version, functions_version) > ($1, $2) limit 1',
    [schemaVersion, functionsVersion],
  )
  return rows.length > 0
}

// In the transaction of its caller, after the migrations.
export async function applyFunctions(client: BoundedClient, set: FunctionSet): Promise<void> {
  if (set.functions.length === 0) return
  const { changed, removed } = await findChanges(client, set)
  await createAll(client, changed)
  if (removed.length > 0) await remove(client, removed)
  const names = changed.map(({ name }) => name)
  await checkBodies(client, names)
  await client.query(
    `insert into schema_function (name, checksum, schema_version, functions_version)
     select name, checksum, $3, $4 from unnest($1::text[], $2::text[]) as f (name, checksum)
     on conflict (name) do update set checksum = excluded.checksum, schema_version = excluded.schema_version,
        functions_version = excluded.functions_version, applied_at = excluded.applied_at`,
    [
      [...names, ...removed],
      [...changed.map(({ checksum }) => checksum), ...removed.map(() => REMOVED)],
      set.schemaVersion,
      set.functionsVersion,
    ],
  )
}

interface Changes {
  changed: SqlFunction[]
  removed: string[]
}

// What this release has another text of, what is missing, and what it no longer has. Nothing where a newer release has been:
// its functions belong together, and an older one that is started again must not put back a part of its own.
async function findChanges(client: BoundedClient, set: FunctionSet): Promise<Changes> {
  const { rows } = await client.query(
    `select name, checksum, (schema_version, functions_version) > ($1, $2) as is_newer from schema_function`,
    [set.schemaVersion, set.functionsVersion],
  )
  const applied = rows as { name: string; checksum: string; is_newer: boolean }[]
  if (applied.some((row) => row.is_newer)) return { changed: [], removed: [] }
  const existing = (await readNames(client)) ?? new Set()
  const checksums = new Map(applied.map((row) => [row.name, row.checksum]))
  const names = new Set(set.functions.map(({ name }) => name))
  // The first time, what has the name of something that a migration created is that; later it may be an operator's own.
  const before =
    applied.length > 0
      ? applied.filter(({ checksum }) => checksum !== REMOVED).map(({ name }) => name)
      : set.createdByMigrations.filter((name) => existing.has(name))
  return {
    changed: set.functions.filter(
      ({ name, checksum }) => !existing.has(name) || checksums.get(name) !== checksum,
    ),
    removed: before.filter((name) => !names.has(name)),
  }
}

// All of them in one round trip. A name has one function. One that gained an argument is another to PostgreSQL, and a call
// that both can answer would be refused as ambiguous: the former goes.
async function createAll(client: BoundedClient, functions: readonly SqlFunction[]): Promise<void> {
  if (functions.length === 0) return
  const names = functions.map(({ name }) => name)
  const before = await findRoutines(client, names)
  await client.query('set local check_function_bodies = off')
  await client.query(functions.map(({ sql }) => sql).join('\n'))
  const after = await findRoutines(client, names)
  const had = new Set(before.map(({ routine }) => routine))
  const renewed = new Set(after.filter(({ routine }) => !had.has(routine)).map(({ name }) => name))
  for (const { name, routine } of before) {
    if (renewed.has(name)) await client.query(`drop routine ${routine}`)
  }
}

async function remove(client: BoundedClient, names: readonly string[]): Promise<void> {
  const { rows: views } = await client.query(
    `select oid::regclass::text as name from pg_class
      where relkind = 'v' and relnamespace = current_schema()::regnamespace and relname = any ($1)`,
    [names],
  )
  for (const { name } of views) await client.query(`drop view ${name}`)
  for (const { routine } of await findRoutines(client, names)) await client.query(`drop routine ${routine}`)
}

interface Routine {
  name: string
  // As `drop` names it.
  routine: string
}

// Aggregates first, since they need their step.
async function findRoutines(client: BoundedClient, names: readonly string[]): Promise<Routine[]> {
  const { rows } = await client.query(
    `select proname as name, oid::regprocedure::text as routine from pg_proc
      where pronamespace = current_schema()::regnamespace and proname = any ($1) order by prokind, oid`,
    [names],
  )
  return rows
}

// Checks the bodies that `create` left unchecked, now that everything they call exists.
async function checkBodies(client: BoundedClient, names: readonly string[]): Promise<void> {
  await client.query('set local check_function_bodies = on')
  for (const [language, validator] of [
    ['sql', 'fmgr_sql_validator'],
    ['plpgsql', 'plpgsql_validator'],
  ]) {
    await client.query(
      `select ${validator}(p.oid) from pg_proc p join pg_language l on l.oid = p.prolang
        where p.pronamespace = current_schema()::regnamespace and p.proname = any ($1) and l.lanname = $2`,
      [names, language],
    )
  }
}
