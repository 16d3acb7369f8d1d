import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { recordSchema, refuseNewerData } from '#app/data-dir.ts'
import { JOB_QUEUE_REVISION } from '#app/database/history.ts'
import { bringUpToDate } from '#app/database/migrate.ts'
import { listMigrations, type Migration, schemaVersion } from '#app/database/migration-files.ts'
import type { Release } from '#app/database/release.ts'
import { functionsVersion, listFunctions, readFunction } from '#app/database/sql-functions.ts'
import { openDatabase } from '#base/db/db.ts'
import { type Definitions, OWN_DEFINITIONS } from '#flows/books/checks/declared-guards.ts'
import { DEFINITIONS, UNIQUE_INDEXES } from '#flows/books/checks/guards.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { until } from '#test/patience.ts'
import { createTestDatabase, TEST_RING_FILE, TEST_VAULT } from '#test/postgres.ts'
import { ingot, temporaryFolder } from '#test/process.ts'
import { PHONE, startService, type TestService } from '#test/service.ts'
import { STAMP } from '#test/sql-releases.ts'

// A release after this one has migrated the database. This release is started again on it: it applies nothing and serves.
const NEXT = schemaVersion() + 1

const migrationOf = (version: number, declared: string, sql: string): Migration => ({
  version,
  name: `${version}_next`,
  sql: `-- compatible with ${declared}\n${sql}`,
  checksum: String(version),
})

// A table with a guard, a column, a guard that is wider than it was, a policy, and functions: a new one and a changed one.
const LOYALTY = migrationOf(
  NEXT,
  String(schemaVersion()).padStart(4, '0'),
  `-- earlier releases cannot judge: refund_policy_was_released_or_agreed
   create table loyalty (id uuid primary key, points bigint not null check (points >= 0));
   create trigger loyalty_stays before delete on loyalty for each row execute function refuse_change();
   alter table gift_card add column campaign text;
   alter table metal_price drop constraint metal_price_won_per_gram_check;
   alter table metal_price add constraint metal_price_won_per_gram_check check (won_per_gram > 1) not valid;
   insert into refund_policy select 'kr-2030-01', '2030-01-01', cancel_days, refund_years, small_up_to, small_percent,
     large_percent, points_percent, notice_days from refund_policy where version = 'kr-2025-09'`.replace(
    /\n {3}/g,
    '\n',
  ),
)
const functions = [
  ...listFunctions().map((one) =>
    one.name === 'add_usage' ? readFunction(one.name, one.sql.replace('insert', 'insert /* newer */')) : one,
  ),
  readFunction(
    'points_of',
    'create or replace function points_of() returns bigint language sql as $$ select sum(points)::bigint from loyalty $$;',
  ),
]
const newer = (definitions: Definitions, more: Migration[] = []): Partial<Release> => ({
  migrations: [...listMigrations(), LOYALTY, ...more],
  functions,
  functionsVersion: functionsVersion() + 1,
  definitions,
})

const on = await createTestDatabase()
const client = new pg.Client(on.connection)
await client.connect()
const query = async (text: string) => (await client.query(text)).rows
await bringUpToDate(on.connection, STAMP, newer(OWN_DEFINITIONS))
// A release has these lines in its own files; here they are read from what it made.
const hash = async (text: string) => (await query(text))[0].hash as string
const DECLARED: Definitions = {
  ...OWN_DEFINITIONS,
  triggers: {
    ...OWN_DEFINITIONS.triggers,
    'loyalty.loyalty_stays': await hash(
      `select md5(pg_get_triggerdef(oid)) as hash from pg_trigger where tgname = 'loyalty_stays'`,
    ),
  },
  constraints: {
    ...OWN_DEFINITIONS.constraints,
    'metal_price.metal_price_won_per_gram_check': await hash(
      `select md5(regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', '')) as hash
         from pg_constraint where conname = 'metal_price_won_per_gram_check'`,
    ),
  },
  functions: {
    ...OWN_DEFINITIONS.functions,
    add_usage: await hash(`select hash from (${DEFINITIONS}) d where name = 'add_usage'`),
    points_of: await hash(`select hash from (${DEFINITIONS}) d where name = 'points_of'`),
  },
  indexes: {
    ...OWN_DEFINITIONS.indexes,
    'loyalty.loyalty_pkey': await hash(
      `select hash from (${UNIQUE_INDEXES}) d where name = 'loyalty.loyalty_pkey'`,
    ),
  },
  columns: { ...OWN_DEFINITIONS.columns, 'loyalty.points': 'bigint not null;' },
}
await bringUpToDate(on.connection, STAMP, newer(DECLARED))

const folder = temporaryFolder()
const ring = join(folder.path, 'ring.json')
writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
const settings = { DATABASE_URL: on.url, DATA_DIR: join(folder.path, 'data'), KEY_RING_FILE: ring }
after(async () => {
  await client.end()
  await on.drop()
  folder.remove()
})

const WHOLE = `select (select json_agg(m) from schema_migration m) as migrations, (select json_agg(f) from schema_function f) as functions,
  (select json_agg(d) from release_declaration d) as declarations, (select json_agg(g) from graphile_worker.migrations g) as queue`

test('a command of this release applies nothing and says so', async () => {
  const before = await query(WHOLE)
  // Also while the newer release is still at work: an index may take an hour.
  await query('select pg_advisory_lock(4857101)')
  const run = await ingot(settings, 'migrate', '--json')
  await query('select pg_advisory_unlock(4857101)')
  assert.deepEqual([run.code, run.stdout], [0, `{"schema":${NEXT},"newer":true}\n`], run.stderr)
  const verified = await ingot(settings, 'verify')
  assert.equal(verified.code, 0, verified.stdout)
  assert.match(verified.stdout, /^skipped refund_policy_was_released_or_agreed \(a newer release/m)
  const refused = await ingot(settings, 'keys', 'rotate')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /run `keys rotate` of the newer release/)
  assert.deepEqual(await query(WHOLE), before)
})

test('it serves: a purchase, its messages, readiness; a job of the newer release is left for that one', async () => {
  await query(`select graphile_worker.add_job('reward_loyalty', '{}'::json)`)
  const service = await startService({
    environment: { INGOT_ROLES: 'api,worker' },
    beside: { on, companions: [] as TestService[] } as TestService,
  })
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  const partner = await service.addPartner()
  const bought = await partner.buy({ phoneNumber: PHONE, amount: 1_000 })
  assert.equal(bought.status, 200, bought.text)
  await until(async () => {
    const sent = await query(`select from delivery where status in ('accepted', 'delivered')`)
    return sent.length === 2
  }, 'both messages are sent')
  const [job] = await query(
    `select attempts, locked_at, last_error from graphile_worker.jobs where task_identifier = 'reward_loyalty'`,
  )
  assert.deepEqual(job, { attempts: 0, locked_at: null, last_error: null })
  // The function of the newer release counted it.
  const [usage] = await query(
    `select prosrc like '%newer%' as newer from pg_proc where proname = 'add_usage'`,
  )
  assert.equal(usage.newer, true)
  await service.stop()
})

// What `verify` of this release finds, after a change that is taken back.
async function found(...statements: string[]): Promise<string[]> {
  const database = openDatabase({ connection: on.connection, maxConnections: 2, onIdleError: () => {} })
  try {
    for (const statement of statements) await query(statement)
    const results = await verifyBooks(database, TEST_VAULT, { skipSealed: true })
    return results.filter(({ broken }) => broken > 0).map(({ check }) => check)
  } finally {
    await database.close()
  }
}

test('verify judges the newer guards by what the newer release signed, and finds theft', async () => {
  assert.deepEqual(await found(), [])
  const thefts: [done: string, undone: string, check: string][] = [
    [
      'alter table loyalty disable trigger loyalty_stays',
      'alter table loyalty enable trigger loyalty_stays',
      'triggers_are_in_place',
    ],
    [
      'create trigger loyalty_thief before insert on loyalty for each row execute function refuse_change()',
      'drop trigger loyalty_thief on loyalty',
      'triggers_are_in_place',
    ],
    [
      'alter table loyalty rename constraint loyalty_pkey to loyalty_key',
      'alter table loyalty rename constraint loyalty_key to loyalty_pkey',
      'unique_indexes_are_in_place',
    ],
    [
      'alter table loyalty alter points drop not null',
      'alter table loyalty alter points set not null',
      'columns_are_as_they_were',
    ],
    [
      'alter table loyalty enable row level security',
      'alter table loyalty disable row level security',
      'names_mean_what_they_did',
    ],
    [
      'create function points_of(bigint) returns bigint language sql as $$ select 0::bigint $$',
      'drop function points_of(bigint)',
      'guards_do_what_they_did',
    ],
    [
      'alter function points_of() set work_mem = 64',
      'alter function points_of() reset work_mem',
      'guards_do_what_they_did',
    ],
    [
      'alter function refuse_change() set work_mem = 64',
      'alter function refuse_change() reset work_mem',
      'guards_do_what_they_did',
    ],
  ]
  for (const [done, undone, check] of thefts) {
    assert.deepEqual(await found(done), [check], done)
    await query(undone)
  }
  assert.deepEqual(await found(), [])
})

test('a thief cannot declare: without the key ring there is no signature', async () => {
  await query('alter table transfer disable trigger transfer_is_final')
  const forged = JSON.stringify({ ...DECLARED, triggers: {}, unjudged: { 9999: ['triggers_are_in_place'] } })
  const broken = await found(
    `insert into schema_migration (version, name, checksum, compatible_with) values (9999, 'x', 'x', 1)`,
    `insert into release_declaration values (9999, 99, '9', ${pg.escapeLiteral(forged)}, sha256('x'))`,
  )
  assert.ok(
    broken.includes('newer_release_is_declared') && broken.includes('triggers_are_in_place'),
    broken.join(),
  )
  await query('delete from schema_migration where version = 9999')
  await query('delete from release_declaration where schema_version = 9999')
  await query('alter table transfer enable trigger transfer_is_final')
  assert.deepEqual(await found(), [])
})

test('while the newer release is at work, a guard may be as either release has it', async () => {
  // It has declared itself, and is at its second migration.
  await bringUpToDate(on.connection, STAMP, {
    ...newer({ ...DECLARED, triggers: { ...DECLARED.triggers, 'loyalty.loyalty_more': '0' } }, [
      migrationOf(NEXT + 1, 'none', 'select'),
    ]),
  })
  await query(`delete from schema_migration where version = ${NEXT + 1}`)
  await query(`delete from release_declaration where schema_version = ${NEXT}`)
  assert.deepEqual(await found(), [])
  assert.deepEqual(await found('alter table transfer disable trigger transfer_is_final'), [
    'triggers_are_in_place',
  ])
  await query('alter table transfer enable trigger transfer_is_final')
})

test('before a database with data is changed it is copied; if that fails, nothing is changed', async () => {
  const called: string[] = []
  const third = newer(DECLARED, [migrationOf(NEXT + 1, 'none', 'create table third (x int)')])
  await bringUpToDate(on.connection, STAMP, newer(DECLARED), async () => void called.push('nothing to do'))
  const failing = async () => {
    called.push('copying')
    throw new Error('no room')
  }
  await assert.rejects(bringUpToDate(on.connection, STAMP, third, failing), /no room/)
  assert.deepEqual(called, ['copying'])
  assert.deepEqual(await query(`select to_regclass('third') as there`), [{ there: null }])
})

test('one that broke with this release is refused by name, and nothing is touched', async () => {
  const breaking = newer(DECLARED, [migrationOf(NEXT + 1, 'none', 'select')])
  await bringUpToDate(on.connection, STAMP, breaking)
  await query(`update schema_migration set release = '0.9.0' where version = ${NEXT + 1}`)
  const before = await query(WHOLE)
  const run = await ingot(settings, 'migrate')
  assert.equal(run.code, 1)
  const said =
    /has schema (\d+), .* release 0\.9\.0 made it, and releases with a schema before (\d+) .*Start release 0\.9\.0 or a later one.*docs\/upgrade\.md/
  assert.deepEqual(said.exec(run.stderr)?.slice(1), [String(NEXT + 1), String(NEXT + 1)], run.stderr)
  assert.deepEqual(await query(WHOLE), before)
})

test('a schema of another line of releases is refused', async () => {
  await query(`delete from schema_migration where version > ${NEXT}`)
  const known = {
    ...newer(DECLARED),
    migrations: [...listMigrations(), migrationOf(NEXT + 5, 'none', 'select')],
  }
  await assert.rejects(
    bringUpToDate(on.connection, STAMP, known),
    /is no later one of this. Nothing was touched/,
  )
})

test('a job queue of a later revision that breaks with ours is refused by name', async () => {
  const [{ revision }] = await query('select max(id) as revision from graphile_worker.migrations')
  assert.equal(revision, JOB_QUEUE_REVISION, 'a raised graphile-worker raises JOB_QUEUE_REVISION')
  await query(`insert into graphile_worker.migrations (id, breaking) values (99, true)`)
  await assert.rejects(bringUpToDate(on.connection, STAMP), /the job queue has revision 99, and this release/)
  await query('delete from graphile_worker.migrations where id = 99')
})

test('a data folder is refused before its PostgreSQL starts, unless the newer release allows this one', () => {
  const dataDir = join(folder.path, 'embedded')
  mkdirSync(dataDir)
  refuseNewerData(dataDir, 40)
  recordSchema(dataDir, { version: 42, compatibleWith: 41 })
  refuseNewerData(dataDir, 42)
  refuseNewerData(dataDir, 41)
  assert.throws(() => refuseNewerData(dataDir, 40), /a newer release \(schema 42, .* before 41 cannot serve/)
  // As a release from before there were declarations wrote it.
  recordSchema(dataDir, { version: 42, compatibleWith: 42 })
  assert.throws(() => refuseNewerData(dataDir, 41), /start the newer release/)
})
