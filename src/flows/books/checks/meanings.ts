import pg from 'pg'
import type { Definitions } from '#flows/books/checks/declared-guards.ts'

// A check proves something only if its names mean what they did. The search path is our schema alone, after pg_catalog. PostgreSQL
// still prefers an operator or a function of our schema whose types fit better, and `bigint <> numeric` has no exact one of its own.
// So what is here compares like with like only (oid with oid, text with text), where nothing fits better.
const FIRST_OF_USERS = `'16384'` // oids below are PostgreSQL's own
const HOME = `(select oid from pg_namespace where nspname = current_schema())`
const BUILT_IN = `(select oid from pg_namespace where nspname = 'pg_catalog')`
const listed = (names: Iterable<string>) =>
  `(values ${[...names].map((name) => `(${pg.escapeLiteral(name)})`).join(', ')})`

// Something of the catalog that statements would find in place of PostgreSQL's own.
const isFoundAs = (catalog: string, one: string, prefix: string) => `
  (${one}.${prefix}namespace = ${HOME} or ${one}.${prefix}namespace = ${BUILT_IN} and ${one}.oid >= ${FIRST_OF_USERS})
   and ${one}.${prefix}name in (select ${prefix}name from ${catalog} where oid < ${FIRST_OF_USERS})`

// A cast changes our statements if it is made unasked of a type of PostgreSQL, or is of a row of ours, which becomes JSON by it.
const LOOKALIKES = (functions: string) => `
  select 'operator ' || o.oid::regoperator::text as id, 'pg_operator'::regclass::oid as catalog, o.oid as object,
         o.oprcode::oid as function, false as is_binary
    from pg_operator o where ${isFoundAs('pg_operator', 'o', 'opr')}
  union all
  select 'function ' || p.oid::regprocedure::text, 'pg_proc'::regclass::oid, p.oid, p.oid, false
    from pg_proc p where ${isFoundAs('pg_proc', 'p', 'pro')} and p.proname::text not in ${functions}
  union all
  select 'cast ' || c.castsource::regtype::text || ' as ' || c.casttarget::regtype::text, 'pg_cast'::regclass::oid, c.oid,
         c.castfunc, c.castmethod = 'b'
    from pg_cast c join pg_type t on t.oid = c.castsource
   where c.oid >= ${FIRST_OF_USERS} and (t.typnamespace = ${HOME} or t.typnamespace = ${BUILT_IN} and c.castcontext = 'i')`

// An extension may bring such things. The owner of one can put his own into it, but none in C, and no type like PostgreSQL's own
// other than a domain or a row, which other types turn into.
const IS_OF_EXTENSION = `
  exists (select from pg_depend d where d.classid = s.catalog and d.objid = s.object and d.deptype = 'e')
  and (s.is_binary or coalesce(p.prokind <> 'a' and l.lanname in ('c', 'internal'), false)
       or exists (select from pg_type t where t.oid = any (p.proargtypes) and t.typnamespace <> ${BUILT_IN}
                                         and t.typtype in ('b', 'e', 'r', 'm') and t.typelem = '0'))`

// Tables, rules and functions with names of their own change nothing that we ask.
export const meaningChecks = ({ indexes, functions }: Definitions) => ({
  names_mean_what_they_did: `
    with named as materialized (
      select c.oid, c.relname::text as name, c.relkind, c.relrowsecurity or c.relforcerowsecurity as hides_rows
        from pg_class c
       where c.relnamespace = ${HOME}
         and c.relname::text in ${listed(new Set(Object.keys(indexes).map((name) => name.split('.')[0]!)))}),
    lookalikes as materialized (${LOOKALIKES(listed(Object.keys(functions)))})
    select name || ' is no table' as id from named where relkind not in ('r', 'p')
    union all
    select name || ' has row security' from named where hides_rows
    union all
    select n.name || ' has the policy ' || p.polname::text from pg_policy p join named n on n.oid = p.polrelid
    union all
    select n.name || ' has the rule ' || r.rulename::text from pg_rewrite r join named n on n.oid = r.ev_class
    union all
    select n.name || ' contains ' || i.inhrelid::regclass::text from pg_inherits i join named n on n.oid = i.inhparent
     where n.relkind <> 'p'
    union all
    select s.id from lookalikes s
      left join pg_proc p on p.oid = s.function
      left join pg_language l on l.oid = p.prolang
     where not (${IS_OF_EXTENSION})`,
})
