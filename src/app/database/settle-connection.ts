import { BoundedClient, type BoundedConfig } from '#base/db/client.ts'
import { withSettings } from '#base/db/settings.ts'
import { Explained } from '#base/explained.ts'

const CONNECT_MS = 10_000
const ROUNDS = 5 // a busy pooler may hand a connection to someone else in between

export class UnsuitableDatabase extends Explained {}

class Unreachable extends Explained {}

// Before anything is written: the address leads to sessions of PostgreSQL, and every connection works in the schema of our
// tables. By default PostgreSQL would look in a schema named like the account first, also when it is made later.
export async function settleConnection(connection: BoundedConfig): Promise<BoundedConfig> {
  const client = await openClient(connection)
  try {
    await refuseSharedSessions(client, connection)
    const schema = chooseSchema(await readSchemas(client), connection.session?.search_path !== undefined)
    return { ...connection, session: { ...connection.session, search_path: schema } }
  } finally {
    await client.end()
  }
}

export async function openClient(connection: BoundedConfig, name = 'ingot start'): Promise<BoundedClient> {
  const client = new BoundedClient({
    ...withSettings(connection),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
  })
  try {
    await client.open()
    return client
  } catch (error) {
    throw new Unreachable(`the database cannot be reached: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
  const hint = code === undefined ? undefined : HINTS[code]
  return [code, message, hint && `(${hint})`].filter(Boolean).join(' ')
}

const CERTIFICATE = 'sslrootcert names the authority that issued the certificate of the server'
const HINTS: Record<string, string> = {
  '08P01': 'a pooler in between? docs/database.md says what it needs',
  '28000': 'if it refuses connections without encryption: add sslmode=verify-full to the address',
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
}

// A pooler that hands out a connection for one transaction only breaks locks, LISTEN and settings of a session. It would
// seem to work for a while.
async function refuseSharedSessions(client: BoundedClient, connection: BoundedConfig): Promise<void> {
  if (!(await isPooled(client))) return
  const other = await openClient(connection)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pid = await backendOf(client)
      await other.query('begin')
      const shared = (await backendOf(other)) === pid
      await other.query('rollback')
      if (shared || (await backendOf(client)) !== pid) throw new UnsuitableDatabase(SHARED)
    }
  } finally {
    await other.end()
  }
}

const SHARED =
  'DATABASE_URL leads to a pooler that shares connections between transactions. The service needs sessions of its own, ' +
  'for locks and LISTEN: set pool_mode = session, or give the address of PostgreSQL itself (docs/database.md)'

// A pooler makes up the number by which a statement can be cancelled.
export async function isPooled(client: BoundedClient): Promise<boolean> {
  return (await backendOf(client)) !== (client as unknown as { processID: number }).processID
}

async function backendOf(client: BoundedClient): Promise<number> {
  return (await client.query('select pg_backend_pid() as pid')).rows[0].pid
}

interface Schemas {
  // Where an unqualified name would be created. Null: nowhere.
  current: string | null
  // Schemas with our tables, those that unqualified names reach first.
  homes: { name: string; isInPath: boolean }[]
  role: string
}

async function readSchemas(client: BoundedClient): Promise<Schemas> {
  const { rows } = await client.query(
    `select quote_ident(current_schema()) as current, current_user as role,
            (select coalesce(json_agg(json_build_object('name', quote_ident(nspname), 'isInPath', place is not null)
                                      order by place nulls last), '[]')
               from (select n.nspname, array_position(current_schemas(false), n.nspname) as place
                       from pg_namespace n
                      where (select count(*) from pg_class c where c.relnamespace = n.oid and c.relkind = 'r'
                                and c.relname in ('schema_migration', 'installation')) = 2) as home) as homes`,
  )
  return rows[0]
}

// `isAsked`: the operator names a search path in the address.
function chooseSchema({ current, homes, role }: Schemas, isAsked: boolean): string {
  const [first, second] = homes
  if (first && (first.isInPath || (!isAsked && !second))) return first.name
  if (first && !isAsked) {
    throw new UnsuitableDatabase(
      `the tables of this service are in several schemas: ${homes.map(({ name }) => name).join(', ')}. Name one in ` +
        'DATABASE_URL: options=-c%20search_path%3DNAME',
    )
  }
  if (current !== null) return current
  throw new UnsuitableDatabase(
    `the account ${role} has no schema to work in. As the owner of the database run: grant usage, create on schema public ` +
      `to ${role}; or name a schema that exists in DATABASE_URL: options=-c%20search_path%3DNAME`,
  )
}
