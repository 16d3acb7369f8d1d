import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import { megabytes } from '#app/backup/progress.ts'
import { settleConnection } from '#app/database/settle-connection.ts'
import { findLocation } from '#app/embedded-postgres/cluster-location.ts'
import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { UsageError } from '#app/usage-error.ts'
import { type Address, BadAddress, nameOfHost, parseAddress } from '#base/db/address.ts'
import { connectionTo } from '#base/db/settings.ts'
import { freeBytesAt } from '#base/disk.ts'
import { Explained } from '#base/explained.ts'
import { QUEUE_SCHEMA } from './catalog.ts'
import { COPY_SCHEMA, openMover } from './state.ts'

export type Target =
  | { kind: 'server'; url: string; place: string }
  | { kind: 'folder'; folder: string; place: string }

// In a target folder, from its first file until the copy is open: whose copy it is.
export const MARKER = 'move.json'

export function parseTarget(text: string, { config }: Pick<Runtime, 'config'>): Target {
  if (/^postgres(?:ql)?:\/\//.test(text)) return { kind: 'server', url: text, place: placeOf(text) }
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new UsageError('--to takes a postgresql:// address or a data folder')
  }
  const folder = resolve(text)
  if (config.databaseUrl === undefined && folder === config.dataDir)
    throw new Refused(`${folder} is where this installation is`)
  return { kind: 'folder', folder, place: folder }
}

// Kept in the database and shown to whoever looks for the installation. Made from what was understood of the address: anything
// else in it may be part of a password.
function placeOf(url: string): string {
  const { user, hosts, database, session } = parse(url)
  const isSocket = hosts.some(({ host }) => host.startsWith('/'))
  const query: string[] = []
  if (isSocket) {
    query.push(`host=${hosts.map(({ host }) => encode(host)).join(',')}`)
    query.push(`port=${hosts.map(({ port }) => port).join(',')}`)
  }
  // It says which schema.
  if (session.search_path) query.push(`options=${encode(`-c search_path=${session.search_path}`)}`)
  const who = user === undefined ? '' : `${encodeURIComponent(user)}@`
  const where = isSocket ? '' : hosts.map(nameOfHost).join(',')
  const path = database === undefined ? '' : `/${encodeURIComponent(database)}`
  return `postgresql://${who}${where}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

const encode = (value: string) => encodeURIComponent(value).replaceAll('%2F', '/')

function parse(url: string): Address {
  try {
    return parseAddress(url)
  } catch (error) {
    if (!(error instanceof BadAddress)) throw error
    throw new UsageError(`--to ${error.message}`)
  }
}

// Before anything is stopped or made: a target that cannot be used changes nothing. `id`: of the move that is under way.
export async function checkTarget(target: Target, id: string | undefined): Promise<void> {
  if (target.kind === 'folder') return checkFolder(target.folder, id)
  const client = await reach(target)
  try {
    await checkServer(client, target.place)
    await refuseForeignData(client, target.place, id)
  } finally {
    await client.end()
  }
}

async function reach({ url, place }: Target & { kind: 'server' }): Promise<pg.Client> {
  try {
    return await openMover(await settleConnection(connectionTo(url)))
  } catch (error) {
    if (!(error instanceof Explained || error instanceof BadAddress)) throw error
    throw new Refused(`${place}: ${error.message}`)
  }
}

export function checkFolder(folder: string, id: string | undefined): void {
  if (listFolder(folder).length === 0) return
  if (id !== undefined && readMarker(folder) === id) return
  // A cluster of another major version is refused with the way to move that one.
  findLocation(folder)
  throw new Refused(`${folder} is not empty: give a folder that does not exist yet, or an empty one`)
}

function listFolder(folder: string): string[] {
  let made = folder
  while (!existsSync(made)) made = dirname(made)
  try {
    accessSync(made, constants.R_OK | constants.W_OK | constants.X_OK)
    return made === folder ? readdirSync(folder) : []
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Refused(`${folder} is not a folder that this account can write to (${made}: ${code})`)
  }
}

// The id of the move that made the folder.
export function readMarker(folder: string, name = MARKER): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')).id
  } catch {
    return undefined
  }
}

async function checkServer(client: pg.Client, place: string): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
            pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
            current_user as role, current_database() as database, current_schema() as schema,
            has_database_privilege(current_database(), 'create') as "mayMakeSchemas",
            current_schema() is not null and has_schema_privilege(current_schema(), 'create') as "mayMakeTables"`,
  )
  const { version, encoding, isReadOnly, role, database, schema, mayMakeSchemas, mayMakeTables } = rows[0]
  if (version < 150_000) throw new Refused(`${place}: PostgreSQL 15 or newer is needed`)
  if (encoding !== 'UTF8') throw new Refused(`${place} is encoded in ${encoding}: make the database in UTF8`)
  if (isReadOnly) throw new Refused(`${place} is read-only: give the address of the primary`)
  if (!mayMakeSchemas) {
    throw new Refused(
      `${role} may not create schemas in ${place}: run \`grant create on database ${database} to ${role}\` there`,
    )
  }
  if (!mayMakeTables) {
    const name = schema ?? 'public'
    throw new Refused(
      `${role} may not create tables in ${place}: run \`grant create on schema ${name} to ${role}\` there`,
    )
  }
}

// The copy, its indexes and the log of writing them.
const ROOM = { times: 1.2, moreBytes: 128 * 1024 * 1024 }

// Before writes are stopped. What is free at a server cannot be asked.
export async function checkRoom(target: Target, source: pg.Client, freeAt = freeBytesAt): Promise<void> {
  if (target.kind === 'server') return
  const { rows } = await source.query('select pg_database_size(current_database())::float8 as bytes')
  const needed = rows[0].bytes * ROOM.times + ROOM.moreBytes
  const free = freeAt(target.folder)
  if (free >= needed) return
  throw new Refused(
    `${target.folder} has room for ${megabytes(free)}, and the copy needs ${megabytes(needed)}: nothing was touched`,
  )
}

// Everything of a database that is not PostgreSQL's own or an extension's.
const CONTENT = `
  select coalesce(n.nspname || '.', '') || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in (current_schema(), '${QUEUE_SCHEMA}') and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
     and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  union all
  select p.oid::regprocedure::text from pg_proc p
   where p.pronamespace in (current_schema()::regnamespace, to_regnamespace('${QUEUE_SCHEMA}'))
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by 1`

// Returns the copy of this move, if it was begun there.
export async function refuseForeignData(
  client: pg.Client,
  place: string,
  id: string | undefined,
): Promise<Copy | undefined> {
  const begun = await readCopy(client)
  if (begun && begun.id === id) return begun
  if (begun) {
    throw new Refused(
      `${place} holds the unfinished copy of another move: empty it first, or give another database`,
    )
  }
  const { rows } = await client.query<{ name: string }>(CONTENT)
  if (rows.length === 0) return undefined
  throw new Refused(
    `${place} is not empty: it has ${rows[0]!.name}${rows.length > 1 ? ` and ${rows.length - 1} more` : ''}. ` +
      'Give an empty database',
  )
}

export interface Copy {
  id: string
  phase: 'begun' | 'prepared' | 'verified'
}

export async function readCopy(client: pg.Client): Promise<Copy | undefined> {
  const { rows: found } = await client.query(`select to_regclass('${COPY_SCHEMA}.copy') is not null as there`)
  if (!found[0].there) return undefined
  return (await client.query<Copy>(`select id, phase from ${COPY_SCHEMA}.copy`)).rows[0]
}
