import type pg from 'pg'

export interface Table {
  // The same at source and target, whatever their schemas are called.
  key: string
  // As statements name it.
  sql: string
  bytes: number
  pages: number
  // Those that hold values of their own, in order.
  columns: string[]
}

// Where the job queue keeps its rows.
export const QUEUE_SCHEMA = 'graphile_worker'
// The relations of a release, as c and n.
const OURS = `n.nspname in (current_schema(), '${QUEUE_SCHEMA}')`
const KEY = `case n.nspname when '${QUEUE_SCHEMA}' then '${QUEUE_SCHEMA}.' else '' end || c.relname`
const FROM = 'pg_class c join pg_namespace n on n.oid = c.relnamespace'

// Neither stopped nor copied. Processes announce themselves in the first while they run; the second is about the move.
const LEFT_OUT = `'{process,installation_move}'`

export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select ${KEY} as key, format('%I.%I', n.nspname, c.relname) as sql, pg_table_size(c.oid)::float8 as bytes,
            (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages,
            array(select quote_ident(a.attname) from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   order by a.attnum) as columns
       from ${FROM}
      where c.relkind = 'r' and ${OURS} and (${KEY}) <> all (${LEFT_OUT})
      order by c.oid`,
  )
  return rows
}

export interface Sequence {
  key: string
  sql: string
}

export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select ${KEY} as key, format('%I.%I', n.nspname, c.relname) as sql from ${FROM} where c.relkind = 'S' and ${OURS}`,
  )
  return rows
}

export interface Definition {
  // In the order in which they are made. An index may carry a key, and a foreign key needs the key of another table.
  kind: 'index' | 'key' | 'foreign' | 'check'
  name: string
  // The table's.
  bytes: number
  make: string
  drop: string
}

// Indexes and keys. They are dropped for the copy and made again after it, which takes a fraction of the time, and foreign
// keys would ask for the order of tables. Checks stay: they look at each row that comes in. But rows of an older release may
// break a check that was added NOT VALID. Such a check comes after the rows, and NOT VALID again.
export async function listDefinitions(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `with ours as (
       select c.oid, format('%I.%I', n.nspname, c.relname) as sql, pg_table_size(c.oid)::float8 as bytes
         from ${FROM} where c.relkind = 'r' and ${OURS} and (${KEY}) <> all (${LEFT_OUT})),
     keys as (
       select k.*, t.sql, t.bytes, format('alter table %s add constraint %I ', t.sql, k.conname) as adds
         from pg_constraint k join ours t on t.oid = k.conrelid
        where k.contype in ('p', 'u', 'f') or k.contype = 'c' and not k.convalidated)
     select 'index' as kind, format('%I.%I', n.nspname, c.relname) as name, t.bytes, pg_get_indexdef(i.indexrelid) as make,
            format('drop index if exists %I.%I', n.nspname, c.relname) as drop
       from pg_index i join ours t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
       join pg_namespace n on n.oid = c.relnamespace
      where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype = 'x')
     union all
     select 'key', sql || '.' || conname, bytes,
            adds || case contype when 'p' then 'primary key' else 'unique' end || format(' using index %I', i.relname)
              || case when condeferrable then ' deferrable' else '' end
              || case when condeferred then ' initially deferred' else '' end,
            format('alter table %s drop constraint %I', sql, conname)
       from keys join pg_class i on i.oid = keys.conindid where contype in ('p', 'u')
     union all
     select case contype when 'f' then 'foreign' else 'check' end, sql || '.' || conname, bytes,
            adds || pg_get_constraintdef(oid), format('alter table %s drop constraint %I', sql, conname)
       from keys where contype in ('f', 'c')`,
  )
  return rows
}
