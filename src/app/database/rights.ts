import type { BoundedClient } from '#base/db/client.ts'
import { UnsuitableDatabase } from './settle-connection.ts'

// A client or a pool.
interface Asked {
  query(text: string): Promise<{ rows: Rights[] }>
}

// What the account of DATABASE_URL may do. Names are quoted as SQL needs them.
export interface Rights {
  role: string
  database: string
  schema: string
  mayCreateSchemas: boolean
  mayCreateTables: boolean
  hasJobQueue: boolean
  // Of the tables of both schemas: those that the account may not read and write, and the owners of those that it does
  // not own.
  closedTables: string[]
  otherOwners: string[]
}

const READ = `
  with own as (
    select c.oid, c.oid::regclass::text as name, c.relowner,
           has_schema_privilege(c.relnamespace, 'usage') and has_table_privilege(c.oid, 'select')
           and has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update')
           and has_table_privilege(c.oid, 'delete') as is_open
      from pg_class c
     where c.relkind = 'r'
       and c.relnamespace in (to_regnamespace(quote_ident(current_schema())), to_regnamespace('graphile_worker')))
  select quote_ident(current_user) as role, quote_ident(current_database()) as database,
         quote_ident(current_schema()) as schema,
         has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
         has_schema_privilege(current_schema(), 'create') as "mayCreateTables",
         to_regnamespace('graphile_worker') is not null as "hasJobQueue",
         array(select name from own where not is_open order by name) as "closedTables",
         array(select distinct quote_ident(pg_get_userbyid(relowner)) from own
                where not pg_has_role(relowner, 'usage')) as "otherOwners"`

export async function readRights(client: Asked): Promise<Rights> {
  return (await client.query(READ)).rows[0]!
}

// The statements that give what a migration needs, for the owner of the database to run. None: it has everything.
export function missingGrants(rights: Rights): string[] {
  const { role, database, schema, otherOwners } = rights
  return [
    // The job queue has a schema of its own.
    ...(rights.hasJobQueue || rights.mayCreateSchemas
      ? []
      : [`grant create on database ${database} to ${role};`]),
    ...(rights.mayCreateTables ? [] : [`grant usage, create on schema ${schema} to ${role};`]),
    // Only an owner changes a table.
    ...otherOwners.map((owner) => `grant ${owner} to ${role};`),
  ]
}

export async function refuseMissingRights(client: BoundedClient): Promise<void> {
  const rights = await readRights(client)
  const grants = missingGrants(rights)
  if (grants.length === 0) return
  throw new UnsuitableDatabase(
    `the account ${rights.role} may not make the tables of this release. As the owner of the database run:\n` +
      grants.map((grant) => `  ${grant}`).join('\n'),
  )
}
