import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from '#app/database/migrate.ts'
import { listMigrations, schemaVersion } from '#app/database/migration-files.ts'
import { functionsVersion, listFunctions, readFunction } from '#app/database/sql-functions.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { answer, migration, release, releaseWith, STAMP, withDatabase } from '#test/sql-releases.ts'

test('every function and view of the schema has its file, and the database knows which text it has', () =>
  withDatabase(async (query) => {
    const there = await query(`
      select proname as name from pg_proc where pronamespace = 'public'::regnamespace
      union all select relname from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
      order by 1`)
    const files = listFunctions().map(({ name, checksum }) => ({
      name,
      checksum,
      schema_version: schemaVersion(),
      functions_version: functionsVersion(),
    }))
    assert.deepEqual(
      there.map(({ name }) => name),
      files.map(({ name }) => name).sort(),
    )
    const known = await query(
      'select name, checksum, schema_version, functions_version from schema_function order by name',
    )
    assert.deepEqual(
      known,
      files.sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
  }))

test('a text that changed is applied, by the same release or a newer one, never by an older one', () =>
  withDatabase(async (query, connection) => {
    const said = async () => (await query('select answer()'))[0]?.answer
    await release(connection, 0, answer('first'))
    assert.equal(await said(), 'first')
    await release(connection, 0, answer('second'))
    assert.equal(await said(), 'second')
    await release(connection, 1, answer('newer'))
    assert.equal(await said(), 'newer')
    // Only the schema's own record could let the older one in; the functions stay all the same, and none is removed.
    await query('delete from schema_migration where version > 9000')
    await release(connection, 0, answer('second'))
    await release(connection, 0)
    assert.equal(await said(), 'newer')
  }))

test('a function that gains an argument replaces the one before, under the hands of its callers', () =>
  withDatabase(async (query, connection, client) => {
    await release(connection, 0, answer('before'))
    const said = async () =>
      (await client.query({ name: 'prepared', text: 'select answer()' })).rows[0].answer
    assert.equal(await said(), 'before')
    await release(connection, 1, answer('after', `p_more text default ''`))
    assert.equal(await said(), 'after')
    assert.equal((await query(`select from pg_proc where proname = 'answer'`)).length, 1)
  }))

test('a function whose file is gone goes, one that is missing comes back', () =>
  withDatabase(async (query, connection) => {
    const view = readFunction('answers', 'create or replace view answers as select answer() as said;')
    await release(connection, 0, answer('x'), view)
    assert.deepEqual(await query('table answers'), [{ said: 'x' }])
    await query('drop view answers')
    await release(connection, 0, answer('x'), view)
    assert.deepEqual(await query('table answers'), [{ said: 'x' }])
    await release(connection, 1)
    assert.deepEqual(await query(`select from pg_proc where proname = 'answer'`), [])
    assert.deepEqual(
      await query(
        `select name, checksum, schema_version from schema_function where name like 'answer%' order by name`,
      ),
      ['answer', 'answers'].map((name) => ({ name, checksum: 'removed', schema_version: 9_001 })),
    )
  }))

test('one that a migration made goes at the first start if it has no file; an operator’s own stays', async () => {
  const database = await createTestDatabase('empty')
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    const made = 'create function made() returns int language sql as $$ select 1 $$'
    const [first, ...others] = listMigrations()
    const migrations = [{ ...first!, sql: `${first!.sql};\n${made}` }, ...others]
    const functions = async () =>
      (await client.query(`select from pg_proc where proname = 'made'`)).rows.length
    await migrate(database.connection, STAMP, { migrations })
    assert.equal(await functions(), 0)
    await client.query(made)
    await migrate(database.connection, STAMP, {
      migrations: [...migrations, migration(9_001)],
      functions: [...listFunctions(), answer('x')],
    })
    assert.equal(await functions(), 1)
  } finally {
    await client.end()
    await database.drop()
  }
})

test('of two releases with one schema version, the one with the newer texts keeps them', () =>
  withDatabase(async (query, connection) => {
    const start = (result: string, newer: number, extra = [answer(result)]) =>
      migrate(connection, STAMP, {
        functions: [...listFunctions(), ...extra],
        functionsVersion: functionsVersion() + newer,
      })
    const said = async () => (await query('select answer()'))[0]?.answer
    await start('older', 0)
    await start('newer', 1)
    await start('older', 0)
    assert.equal(await said(), 'newer')
    // Also where all it did was to remove one.
    await start('', 2, [])
    await start('older', 0)
    assert.deepEqual(await query(`select from pg_proc where proname = 'answer'`), [])
  }))

test('a comment above a function applies nothing', () => {
  const { name, sql, checksum } = answer('x')
  assert.equal(readFunction(name, `-- Why.\n${sql}`).checksum, checksum)
})

const guard = readFunction(
  'refuse_odd',
  `create or replace function refuse_odd() returns trigger language plpgsql as $$
   begin perform odd(new); return new; end $$;`,
)
const odd = readFunction(
  'odd',
  `create or replace function odd(p_row next) returns boolean language sql as $$ select p_row.x % 2 = 1 $$;`,
)

test('a migration makes a table, its trigger and what a new function’s arguments name', () =>
  withDatabase(async (query, connection) => {
    const sql = `create table next (x int);
      create trigger next_is_even before insert on next for each row execute function refuse_odd()`
    await releaseWith(connection, [sql, 'select'], guard, odd)
    assert.deepEqual(await query('insert into next values (1) returning x, odd(next)'), [{ x: 1, odd: true }])
  }))

const THERE = `select count(*)::int as count from pg_proc where proname = 'answer'`

test('what a migration drops is there again before the next one, which may take long', () =>
  withDatabase(async (query, connection) => {
    await release(connection, 0, answer('x'))
    const outside = `-- outside a transaction\n; create table found as ${THERE}; vacuum found`
    await releaseWith(connection, ['drop function answer()', outside], answer('x', 'p_more int default 0'))
    assert.deepEqual(await query('table found'), [{ count: 1 }])
  }))

test('a migration commits before the next one, and the last with the functions', () =>
  withDatabase(async (query, connection) => {
    const noting =
      'create table if not exists noted (id xid8); insert into noted values (pg_current_xact_id())'
    await releaseWith(connection, [noting, noting], answer('x'))
    const transactions = await query(
      `select id::xid = (select xmin from pg_proc where proname = 'answer') as functions_too from noted order by id`,
    )
    assert.deepEqual(transactions, [{ functions_too: false }, { functions_too: true }])
  }))

test('they may call each other in any order, and one that cannot work leaves nothing behind', () =>
  withDatabase(async (query, connection) => {
    const calls = (name: string, called: string) =>
      readFunction(
        name,
        `create or replace function ${name}() returns text language sql as $$ select ${called}() $$;`,
      )
    await release(connection, 0, calls('a_first', 'z_last'), calls('z_last', 'answer'), answer('x'))
    assert.deepEqual(await query('select a_first() as said'), [{ said: 'x' }])
    const all = 'select name, checksum from schema_function order by name'
    const before = await query(all)
    const broken = migrate(connection, STAMP, {
      migrations: [...listMigrations(), migration(9_001, 'create table next (x int)')],
      functions: [...listFunctions(), answer('y'), calls('a_first', 'nobody')],
    })
    await assert.rejects(broken, /function nobody\(\) does not exist/)
    assert.deepEqual(await query(all), before)
    assert.deepEqual(await query(`select a_first() as said, to_regclass('next') as next`), [
      { said: 'x', next: null },
    ])
  }))

test('a change made by hand stays until the file changes', () =>
  withDatabase(async (query, connection) => {
    await release(connection, 0, answer('file'))
    await query(answer('hand').sql)
    await release(connection, 1, answer('file'))
    assert.deepEqual(await query('select answer() as said'), [{ said: 'hand' }])
    await release(connection, 2, answer('new file'))
    assert.deepEqual(await query('select answer() as said'), [{ said: 'new file' }])
  }))

test('a role that is no superuser installs and upgrades a database of its own', async () => {
  const database = await createTestDatabase('empty')
  const role = `owner_of_${database.connection.database}`
  const admin = new pg.Client(database.connection)
  await admin.connect()
  try {
    await admin.query(`create role ${role} login password 'x'`)
    await admin.query(`alter database ${database.connection.database} owner to ${role}`)
    const connection = { ...database.connection, user: role, password: 'x' }
    await release(connection, 0, answer('first'))
    await release(connection, 1, answer('second', 'p_more int default 0'))
    assert.deepEqual((await admin.query('select answer() as said')).rows, [{ said: 'second' }])
  } finally {
    await admin.end()
    await database.drop()
    const after = new pg.Client({ ...database.connection, database: 'postgres' })
    await after.connect()
    await after.query(`drop role ${role}`)
    await after.end()
  }
})

test('a file creates what it is named after, and nothing else', () => {
  assert.throws(() => readFunction('other', answer('x').sql), /creates or replaces other alone/)
  assert.throws(() => readFunction('answer', `${answer('x').sql}\n${answer('y', 'i int').sql}`), /alone/)
})

// Written out where they are called, or a lookup would call a function for each row (decisions/0056).
const INLINED = [
  `select p.* from unnest(array['XAU']) m (metal) cross join lateral newest_price(m.metal, now()) p`,
  `select t.* from unnest(array['XAU']) m (metal) cross join lateral current_terms(m.metal) t`,
  `select b.points from unnest(array[null::uuid]) h (id) cross join lateral balances_of(h.id) b`,
  `select link_holder(confirmed, member_id, id) from partner_user`,
  `select key_lock() from partner_user`,
]
test('rules that statements share are inlined', () =>
  withDatabase(async (query) => {
    for (const statement of INLINED) {
      const plan = (await query(`explain (verbose) ${statement}`)).map((row) => row['QUERY PLAN']).join('\n')
      assert.doesNotMatch(plan, /newest_price|current_terms|balances_of|link_holder|key_lock/)
    }
  }))
