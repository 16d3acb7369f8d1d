import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { assert } from '#base/assert.ts'
import type { BoundedClient } from '#base/db-client.ts'

// The functions and views of db/functions: one file each, which creates or replaces the one thing it is named after.
const FOLDER = new URL('../../db/functions/', import.meta.url)
const CREATES = /^create or replace (function|aggregate|view) (\w+)/gm
// An aggregate needs its step, and a view the functions it calls. Bodies are checked when all of them are there.
const ORDER = ['function', 'aggregate', 'view'] as const

export interface SqlFunction {
  name: string
  kind: (typeof ORDER)[number]
  sql: string
  checksum: string
}

// In the order in which they are applied.
export function listFunctions(): SqlFunction[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readFunction(file.replace(/\.sql$/, ''), readFileSync(new URL(file, FOLDER), 'utf8')))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

export function readFunction(name: string, sql: string): SqlFunction {
  const [[, kind, created] = [], ...more] = [...sql.matchAll(CREATES)]
  assert(created === name && more.length === 0, `db/functions/${name}.sql creates or replaces ${name} alone`)
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { name, kind: kind as SqlFunction['kind'], sql, checksum }
}

export async function areFunctionsCurrent(
  client: BoundedClient,
  functions: readonly SqlFunction[],
  schemaVersion: number,
): Promise<boolean> {
  if (functions.length === 0) return true
  const { changed, removed } = await findChanges(client, functions, schemaVersion)
  return changed.length + removed.length === 0
}

// In the transaction of its caller, after the migrations.
export async function applyFunctions(
  client: BoundedClient,
  functions: readonly SqlFunction[],
  schemaVersion: number,
): Promise<void> {
  const { changed, removed } = await findChanges(client, functions, schemaVersion)
  const names = changed.map(({ name }) => name)
  await client.query('set local check_function_bodies = off')
  for (const one of changed) await applyOne(client, one)
  if (removed.length > 0) await remove(client, removed)
  await checkBodies(client, names)
  await client.query(
    `insert into schema_function (name, checksum, schema_version)
     select name, checksum, $3 from unnest($1::text[], $2::text[]) as f (name, checksum)
     on conflict (name) do update
        set checksum = excluded.checksum, schema_version = excluded.schema_version, applied_at = excluded.applied_at`,
    [names, changed.map(({ checksum }) => checksum), schemaVersion],
  )
}

interface Changes {
  changed: SqlFunction[]
  removed: string[]
}

// What this release has another text of, what is missing, and what it no longer has. Nothing where a newer release has been:
// its functions belong together, and an older one that is started again must not put back a part of its own.
async function findChanges(
  client: BoundedClient,
  functions: readonly SqlFunction[],
  schemaVersion: number,
): Promise<Changes> {
  const { rows } = await client.query(
    `select name, checksum, schema_version,
            exists (select from pg_proc where proname = name and pronamespace = current_schema()::regnamespace)
            or exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace) as there
       from schema_function`,
  )
  const applied = rows as { name: string; checksum: string; schema_version: number; there: boolean }[]
  if (applied.some((row) => row.schema_version > schemaVersion)) return { changed: [], removed: [] }
  const checksums = new Map(applied.filter((row) => row.there).map((row) => [row.name, row.checksum]))
  const names = new Set(functions.map(({ name }) => name))
  return {
    changed: functions.filter(({ name, checksum }) => checksums.get(name) !== checksum),
    removed: applied.map((row) => row.name).filter((name) => !names.has(name)),
  }
}

// A name has one function. One that gained an argument is another to PostgreSQL, and a call that both can answer would be
// refused as ambiguous: the former goes.
async function applyOne(client: BoundedClient, { name, sql }: SqlFunction): Promise<void> {
  const before = await findRoutines(client, [name])
  await client.query(sql)
  const after = await findRoutines(client, [name])
  if (after.every((routine) => before.includes(routine))) return
  for (const routine of before) await client.query(`drop routine ${routine}`)
}

async function remove(client: BoundedClient, names: readonly string[]): Promise<void> {
  const { rows: views } = await client.query(
    `select oid::regclass::text as name from pg_class
      where relkind = 'v' and relnamespace = current_schema()::regnamespace and relname = any ($1)`,
    [names],
  )
  for (const { name } of views) await client.query(`drop view ${name}`)
  for (const routine of await findRoutines(client, names)) await client.query(`drop routine ${routine}`)
  await client.query('delete from schema_function where name = any ($1)', [names])
}

// As `drop` names them, aggregates first, since they need their step.
async function findRoutines(client: BoundedClient, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query(
    `select oid::regprocedure::text as routine from pg_proc
      where pronamespace = current_schema()::regnamespace and proname = any ($1) order by prokind, oid`,
    [names],
  )
  return rows.map(({ routine }: { routine: string }) => routine)
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
