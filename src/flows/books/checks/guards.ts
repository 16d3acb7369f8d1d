import pg from 'pg'
import { ABSENT, type Definitions } from '#flows/books/checks/declared-guards.ts'
import { meaningChecks } from '#flows/books/checks/meanings.ts'

// The database refuses wrong writes only while its guards are as the migrations made them. A session that switches
// them off for itself (session_replication_role) leaves no trace here: the other checks find what it wrote, as far as
// a query can. Each names the guard and the hash of the present text.
const listed = (definitions: Readonly<Record<string, string>>) =>
  Object.entries(definitions)
    .map((entry) => `(${entry.map(pg.escapeLiteral).join(', ')})`)
    .join(', ')

// The tables may be in any schema. These two texts name it after a word, and the hashes are of `public`.
const asInPublic = (word: string, text: string) =>
  `replace(${text}, format(' ${word} %I.', current_schema()), ' ${word} public.')`

// Everything that has a file in db/functions. A view is compared without the names of its tables before columns, which
// PostgreSQL 15 prints and 18 does not.
export const DEFINITIONS = `
  select proname::text as name, md5(case prokind when 'f' then ${asInPublic('FUNCTION', 'pg_get_functiondef(p.oid)')} when 'a' then concat_ws(' ',
           pg_get_function_identity_arguments(p.oid), a.aggtransfn, a.aggtranstype::regtype, a.aggfinalfn, a.agginitval,
           a.aggkind, a.aggcombinefn, p.proparallel) else prokind::text end) as hash
    from pg_proc p left join pg_aggregate a on a.aggfnoid = p.oid where p.pronamespace = current_schema()::regnamespace
  union all
  select relname, md5(concat_ws(' ', regexp_replace(pg_get_viewdef(oid), '\\w+\\.|\\s+', '', 'g'), reloptions))
    from pg_class where relkind = 'v' and relnamespace = current_schema()::regnamespace`

// What makes a row the only one of its kind. An operator may set storage parameters.
export const UNIQUE_INDEXES = `
  select c.relname::text || '.' || x.relname::text as name,
         md5(regexp_replace(${asInPublic('ON', 'pg_get_indexdef(i.indexrelid)')}, ' WITH \\([^)]*\\)', '')) as hash,
         i.indisvalid and i.indisready and i.indislive as enforced
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
   where c.relnamespace = current_schema()::regnamespace and i.indisunique`

// Nothing compares with null, so a column that may be null blinds a check. `x.y` of a column that is gone calls a function y, and
// a collation may call two texts the same.
const DEFAULT_COLLATION = `'100'`
export const COLUMNS = `
  select c.relname::text || '.' || a.attname::text as name,
         format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
           || case a.attgenerated when '' then '' else ' generated' end
           || case when a.attcollation in ('0', ${DEFAULT_COLLATION}) then '' else ' collate ' || a.attcollation::regcollation::text end
           || ';' as hash
    from pg_attribute a join pg_class c on c.oid = a.attrelid
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`

// Whether what is there is one of what is wanted.
const DIFFERS = `strpos(wanted.hash, coalesce(there.hash, '${ABSENT}')) = 0`

// By the definitions of this release, or of a newer one that declared its own.
export const guardChecks = (definitions: Definitions) => ({
  ...changeChecks(definitions),
  ...meaningChecks(definitions),
})

const changeChecks = ({ triggers, constraints, functions, indexes, columns }: Definitions) => ({
  // An unknown trigger might change what is written. While the installation is being moved, every table also has the one
  // that refuses all writes.
  triggers_are_in_place: `
    select coalesce(wanted.name, there.name) || coalesce(' ' || there.hash, '') as id
      from (values ${listed(triggers)}) as wanted (name, hash)
      full join (select c.relname || '.' || t.tgname as name, t.tgenabled in ('O', 'A') as enabled,
                        md5(${asInPublic('ON', 'pg_get_triggerdef(t.oid)')}) as hash
                   from pg_trigger t join pg_class c on c.oid = t.tgrelid
                  where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
                    and t.tgfoid is distinct from to_regproc('refuse_moving_write')::oid) there on there.name = wanted.name
     where coalesce(${DIFFERS}, true) or not there.enabled`,
  constraints_are_in_place: `
    select wanted.name || coalesce(' ' || there.hash, '') as id
      from (values ${listed(constraints)}) as wanted (name, hash)
      left join (select c.relname || '.' || k.conname as name,
                        md5(regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', '')) as hash
                   from pg_constraint k join pg_class c on c.oid = k.conrelid
                  where c.relnamespace = current_schema()::regnamespace) there on there.name = wanted.name
     where ${DIFFERS}`,
  unique_indexes_are_in_place: `
    select wanted.name || coalesce(' ' || there.hash, '') as id
      from (values ${listed(indexes)}) as wanted (name, hash)
      left join (${UNIQUE_INDEXES}) there on there.name = wanted.name
     where ${DIFFERS} or not there.enforced`,
  columns_are_as_they_were: `
    select wanted.name || coalesce(' ' || there.hash, '') as id
      from (values ${listed(columns)}) as wanted (name, hash)
      left join (${COLUMNS}) there on there.name = wanted.name
     where ${DIFFERS}`,
  // A guard's work is in its function, and so is every movement of money. Another function of the same name does not
  // excuse it.
  guards_do_what_they_did: `
    select wanted.name || coalesce(' ' || there.hash, '') as id
      from (values ${listed(functions)}) as wanted (name, hash)
      left join (${DEFINITIONS}) there on there.name = wanted.name
     where ${DIFFERS}`,
})

export const RELEASE_CHECKS = {
  live_has_the_real_time: `
    select 'clock_offset' as id from installation where mode = 'live' and clock_offset <> interval '0'`,
} as const
