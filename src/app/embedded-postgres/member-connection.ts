import { join } from 'node:path'
import { Client, type ClientBase, type QueryConfig } from 'pg'
import { LOCKS } from '#base/db/locks.ts'
import { SUPERUSER } from './cluster.ts'
import { type ClusterLocation, updateRecord } from './cluster-location.ts'
import { EmbeddedPostgresError, errorCode, messageOf } from './error.ts'
import { START_ID } from './settings.ts'

const DATABASE = 'ingot'
const CONNECT_MS = 5_000
const QUERY_MS = 30_000

export interface Connection {
  /** The folder of the socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export function connectionOf(location: ClusterLocation, socketDir: string, password: string): Connection {
  return { host: socketDir, port: location.record.port, user: SUPERUSER, password, database: DATABASE }
}

export function socketPath({ host, port }: Connection): string {
  return join(host, `.s.PGSQL.${port}`)
}

/** Another server listens where ours should: of a copy of our folder, as a rule, with the same password and rows. */
export class Stranger extends Error {}

export async function refuseStranger(client: ClientBase, startId: string | null): Promise<void> {
  const { rows } = await client.query<{ id: string | null }>({
    text: `select nullif(current_setting('${START_ID}', true), '') as id`,
    query_timeout: CONNECT_MS,
  } as QueryConfig)
  if (rows[0]?.id !== startId) throw new Stranger('another PostgreSQL answers on its socket')
}

export interface NotReady {
  readonly notReady: string
  /** Nobody listens there, or another. */
  readonly noSocket: boolean
}

/**
 * A connection that holds the members' lock in shared mode for as long as its process lives, so that
 * a process that leaves can tell whether others remain.
 */
export async function openMemberConnection(
  location: ClusterLocation,
  connection: Connection,
  startId: string | null,
): Promise<Client | NotReady> {
  let client: Client | undefined
  try {
    if (!location.record.initialised) await ensureDatabase(connection, startId)
    client = await connect(connection, startId)
    if (await ask(client, `pg_try_advisory_lock_shared(${LOCKS.embedded})`)) {
      if (!location.record.initialised) updateRecord(location, { initialised: true })
      return client
    }
    await disconnect(client)
    // Held by one that was killed while it was about to stop PostgreSQL.
    return { notReady: 'another process holds the lock of its members', noSocket: false }
  } catch (error) {
    if (client) await disconnect(client)
    refuseForGood(location, error)
    const noSocket = error instanceof Stranger || ['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')
    return { notReady: messageOf(error), noSocket }
  }
}

function refuseForGood(location: ClusterLocation, error: unknown): void {
  switch (errorCode(error)) {
    case '28P01': // invalid_password
    case '28000': // invalid_authorization_specification
      throw new EmbeddedPostgresError(
        `PostgreSQL in ${location.home} does not accept the password kept in ${location.dataDir}; was that file replaced?`,
        { cause: error },
      )
    case '3D000': // invalid_catalog_name: like a vanished cluster, never made anew
      throw new EmbeddedPostgresError(
        `the database ${DATABASE} is missing from PostgreSQL in ${location.home}; restore it from a backup`,
        { cause: error },
      )
  }
}

async function ensureDatabase(connection: Connection, startId: string | null): Promise<void> {
  const client = await connect({ ...connection, database: 'postgres' }, startId)
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await disconnect(client)
  }
}

async function connect(connection: Connection, startId: string | null): Promise<Client> {
  const client = new Client({
    ...connection,
    ssl: false, // or PGSSLMODE in the environment would decide
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    application_name: 'ingot keeper',
    options: '-c idle_session_timeout=0 -c statement_timeout=0',
  })
  // Without a listener the loss of an idle connection would end our process. Who cares listens for 'end'.
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseStranger(client, startId)
    return client
  } catch (error) {
    await disconnect(client)
    throw error
  }
}

/** Gives up our share of the members' lock; true if nobody else has one. */
export async function isLastOut(client: Client): Promise<boolean> {
  await ask(client, `pg_advisory_unlock_shared(${LOCKS.embedded})`)
  return ask(client, `pg_try_advisory_lock(${LOCKS.embedded})`)
}

async function ask(client: Client, call: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(`select ${call} as yes`)
  return rows[0]?.yes === true
}

export async function disconnect(client: Client): Promise<void> {
  await client.end().catch(() => {}) // lost already
}
