import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { listMigrations } from '#app/database/migration-files.ts'
import { openDatabase } from '#base/db/db.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { createTestDatabase, TEST_RING } from '#test/postgres.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'

const STAMP = { mode: 'sandbox', keyRing: 'ring', encryptionKey: 'e1', indexKey: 'i1' } as const
// Of a copy of the template, which is migrated already.
const MIGRATED = stampOf('sandbox', TEST_RING)

// As a release of that time left its database, before functions had files of their own.
const migrateTo = (connection: pg.ClientConfig, version: number) =>
  migrate(connection, STAMP, {
    migrations: listMigrations().filter((migration) => migration.version <= version),
    functions: [],
  })

async function query(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('many at once: each migration is applied by one of them', async () => {
  const database = await createTestDatabase('empty')
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.connection, STAMP)))
  assert.deepEqual(
    applied.flat().sort(),
    listMigrations().map((migration) => migration.name),
  )
  await database.drop()
})

test('two servers start and migrate at once on one database', async () => {
  const database = await createTestDatabase('empty')
  const folder = temporaryFolder()
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path }
  const servers = await Promise.all([startServer(settings), startServer(settings)])
  assert.deepEqual(await Promise.all(servers.map((server) => server.kill('SIGTERM'))), [0, 0])
  await database.drop()
  folder.remove()
})

test('a database of a newer release is refused and not touched', async () => {
  const database = await createTestDatabase()
  await query(database.connection, `insert into schema_migration values (9999, '9999_future', 'x')`)
  const before = await query(database.connection, 'select * from schema_migration')
  await assert.rejects(
    migrate(database.connection, MIGRATED),
    /schema 9999, which this release does not know/,
  )
  assert.deepEqual(await query(database.connection, 'select * from schema_migration'), before)
  await database.drop()
})

test('one that runs outside of a transaction, cut off before its record, is begun again', async () => {
  const database = await createTestDatabase()
  await query(database.connection, 'delete from schema_migration where version in (13, 24)')
  assert.deepEqual(await migrate(database.connection, MIGRATED), [
    '0013_history_indexes',
    '0024_price_indexes',
  ])
  const left = await query(database.connection, 'select from pg_index where not indisvalid')
  assert.equal(left.length, 0)
  await database.drop()
})

test('a migration waits for a long transaction in short turns, and purchases pass in between', async () => {
  const database = await createTestDatabase('empty')
  await migrateTo(database.connection, 18)
  const [holder, reader] = [new pg.Client(database.connection), new pg.Client(database.connection)]
  await Promise.all([holder.connect(), reader.connect()])
  await holder.query('begin; select from installation')
  const migrated = migrate(database.connection, STAMP)
  let released: Date
  try {
    // As a purchase reads the clock. One that waits longer is an error, here too.
    await reader.query(`set lock_timeout = '1500ms'`)
    const end = performance.now() + 4_000
    while (performance.now() < end) {
      await reader.query('select service_now()')
      await sleep(5)
    }
    released = (await holder.query('select clock_timestamp() as at')).rows[0].at
  } finally {
    await Promise.all([holder.end(), reader.end()])
  }
  assert.equal((await migrated).at(-1), listMigrations().at(-1)?.name)
  const [{ since }] = await query(database.connection, 'select two_people_since as since from installation')
  assert.ok(since >= released, 'the mark is of when nobody else was at work')
  await database.drop()
})

test('a migration that was changed after it was applied is refused', async () => {
  const database = await createTestDatabase()
  await query(database.connection, `update schema_migration set checksum = 'x' where version = 2`)
  await assert.rejects(migrate(database.connection, MIGRATED), /0002_ledger is not the one that was applied/)
  await database.drop()
})

test('another mode or another key ring is refused', async () => {
  const database = await createTestDatabase()
  await assert.rejects(migrate(database.connection, { ...MIGRATED, mode: 'live' }), /INGOT_MODE is live, but/)
  await assert.rejects(
    migrate(database.connection, { ...MIGRATED, keyRing: 'other' }),
    /key ring is not the one/,
  )
  await database.drop()
})

test('another mode is refused before a pending migration touches the database', async () => {
  const database = await createTestDatabase()
  const next = { version: 9999, name: '9999_next', sql: 'create table next (x int)', checksum: 'x' }
  const newer = { migrations: [...listMigrations(), next] }
  await assert.rejects(
    migrate(database.connection, { ...MIGRATED, mode: 'live' }, newer),
    /INGOT_MODE is live, but/,
  )
  assert.deepEqual(await query(database.connection, `select to_regclass('next') as there`), [{ there: null }])
  assert.deepEqual(await migrate(database.connection, MIGRATED, newer), ['9999_next'])
  await database.drop()
})

test('live: a key ring from a file, live keys only, no clock travel', async () => {
  const database = await createTestDatabase('empty')
  const folder = temporaryFolder()
  const ring = join(folder.path, 'ring.json')
  assert.equal((await ingot({}, 'keys', 'generate', ring)).code, 0)
  assert.equal(statSync(ring).mode & 0o777, 0o600)
  assert.equal((await ingot({}, 'keys', 'generate', ring)).code, 1, 'never over an existing one')
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    INGOT_MODE: 'live',
    KEY_RING_FILE: ring,
  }
  assert.equal((await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme')).code, 0)
  const { stdout } = await ingot(settings, 'key', 'issue', 'acme', '--json')
  assert.match(JSON.parse(stdout).key, /^ik_live_/)
  const travel = await ingot(settings, 'clock', 'advance', '1h')
  assert.deepEqual([travel.code, travel.stderr], [1, 'ingot: the clock can be advanced in a sandbox only\n'])
  chmodSync(ring, 0o644)
  const open = await ingot(settings, 'partner', 'list')
  assert.match(open.stderr, /KEY_RING_FILE: others can read it: chmod 600/)
  chmodSync(ring, 0o640)
  assert.equal((await ingot(settings, 'partner', 'list')).code, 0, 'for a group of operators')
  chmodSync(ring, 0o600)
  const generated = { ...JSON.parse(readFileSync(ring, 'utf8')), generated: true }
  writeFileSync(ring, JSON.stringify(generated))
  const refused = await ingot(settings, 'partner', 'list')
  assert.match(refused.stderr, /KEY_RING_FILE: it was generated for a sandbox/)
  await database.drop()
  folder.remove()
})

test('secrets are generated once, with mode 600, whoever races', async () => {
  const database = await createTestDatabase('empty')
  const folder = temporaryFolder()
  const settings = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') }
  const runs = await Promise.all(Array.from({ length: 4 }, () => ingot(settings, 'migrate')))
  assert.deepEqual(
    runs.map((run) => run.code),
    [0, 0, 0, 0],
  )
  const secrets = join(settings.DATA_DIR, 'secrets.json')
  assert.equal(statSync(secrets).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(settings.DATA_DIR).filter((name) => name.includes('tmp')),
    [],
  )
  await database.drop()
  folder.remove()
})

test('no database at that address: a sentence and exit 1', async () => {
  const folder = temporaryFolder()
  const run = await ingot({ DATABASE_URL: 'postgresql://127.0.0.1:1/none', DATA_DIR: folder.path }, 'migrate')
  assert.equal(run.code, 1)
  assert.match(run.stderr, /ECONNREFUSED/)
  folder.remove()
})

test('cards of the release before are carried over, and its processes go on buying while others are upgraded', async () => {
  const database = await createTestDatabase('empty')
  await migrateTo(database.connection, 3)
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(`insert into partner (code, name, key_format) values ('old', 'Old', 'uuid')`)
  await client.query(
    `insert into audit_entry (actor, action, subject, details) values ('test', 'partner.add', 'old', '{"validityMonths": 12}')`,
  )
  await client.query(`insert into account (kind, asset, partner_id, floor)
    select 'partner_receivable', 'KRW_POINT', id, -1000 from partner`)
  let number = 0
  // Prepared before the migration, as a process that is running has it.
  const buy = async () => {
    number += 1
    const { rows } = await client.query({
      name: 'buy',
      text: `select outcome from buy_gift_cards($1::int, array[gen_random_uuid()], array[gen_random_uuid()],
        array[$2::bigint], array[10::bigint], array['key'], 'i1', array['\\x026531'::bytea], array['\\x00'::bytea],
        array['\\x026531'::bytea], array[sha256($2::text::bytea)], array[null::bytea], array[null::bytea])`,
      values: [1, number],
    })
    return rows[0].outcome
  }
  assert.equal(await buy(), 'issued')
  assert.deepEqual(
    await migrate(database.connection, STAMP),
    listMigrations()
      .slice(3)
      .map((migration) => migration.name),
  )
  assert.equal(await buy(), 'issued')
  await client.end()
  const opened = openDatabase({ connection: database.connection, maxConnections: 2, onIdleError: () => {} })
  assert.deepEqual(
    (await verifyBooks(opened)).filter((result) => result.broken > 0),
    [],
  )
  const [state] = await query(
    database.connection,
    'select key_epoch, encryption_key, index_key from installation',
  )
  assert.deepEqual(state, { key_epoch: 1, encryption_key: 'e1', index_key: 'i1' })
  await opened.close()
  await database.drop()
})

// What the release before wrote: prices and terms by one person, a validity that changed, cards, a redemption, orders, and a
// quote that is taken after the migration.
const BEFORE = `
  insert into partner (code, name, key_format, validity_months) values ('old', 'Old', 'uuid', 24);
  insert into audit_entry (actor, action, subject, details) values
    ('cli:me', 'partner.add', 'old', '{"validityMonths": 24}'), ('cli:me', 'partner.set', 'old', '{"validityMonths": 12}');
  insert into account (kind, asset, partner_id, floor) select 'partner_receivable', 'KRW_POINT', id, -1000000 from partner;
  select * from buy_gift_cards(1, array[gen_random_uuid()], array[gen_random_uuid()], array[1::bigint], array[1000::bigint],
    array['key'], 'i1', array['\\x026531'::bytea], array['\\x00'::bytea], array['\\x026531'::bytea], array[sha256('1')],
    array[sha256('k')], array[sha256('r')], 1);
  update partner set validity_months = 12;
  select * from buy_gift_cards(1, array[gen_random_uuid()], array[gen_random_uuid()], array[2::bigint], array[2000::bigint],
    array['key'], 'i1', array['\\x026531'::bytea], array['\\x00'::bytea], array['\\x026531'::bytea], array[sha256('2')],
    array[null::bytea], array[null::bytea], 1);
  insert into member (id, ci, created_at) values ('00000000-0000-7000-8000-000000000001', '\\x026531', service_now());
  insert into member_ci values ('i1', sha256('ci'), '00000000-0000-7000-8000-000000000001');
  insert into partner_user (id, partner_id, partner_key, member_id, confirmed, details, details_hash, index_key, registered_at,
                            registered_by, logins_after, details_at)
    values ('00000000-0000-7000-8000-000000000002', 1, 'k', '00000000-0000-7000-8000-000000000001', true, '\\x026531',
            sha256('d'), 'i1', service_now(), 'key', service_now(), service_now());
  select * from redeem_gift_cards(1, array[sha256('2')], array[null::bytea], array['00000000-0000-7000-8000-000000000002'::uuid],
                                  array[gen_random_uuid()]);
  insert into metal_price values ('XAU', service_now(), 150000, 'operator');
  insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by)
    values ('XAU', 0, 0, 86400, service_now(), 'cli:me');
  insert into trade_quote (id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps, metal_won, fee, total,
                           rounding, created_at, expires_at)
    select id, '00000000-0000-7000-8000-000000000001', side, 'XAU', units, 150000, 150000, 0, 0, units * 15, 0, units * 15, 0,
           service_now(), service_now() + interval '1 hour'
      from (values ('00000000-0000-7000-8000-000000000011'::uuid, 'buy', 70), ('00000000-0000-7000-8000-000000000012', 'sell', 30),
                   ('00000000-0000-7000-8000-000000000013', 'sell', 20)) as q (id, side, units)`

const order = (quote: string) => `
  select outcome from place_orders(array['00000000-0000-7000-8000-0000000000${quote}'::uuid],
    array['00000000-0000-7000-8000-000000000001'::uuid], array[gen_random_uuid()])`

// A payout that nobody signed, which the release before let pass.
const PAID_BEFORE = `
  insert into withdrawal (id, holder_id, request_id, amount, bank, status, requested_at, approved_at, approved_by, settled_at)
    values ('00000000-0000-7000-8000-000000000021', '00000000-0000-7000-8000-000000000001', gen_random_uuid(), 100, '088', 'paid',
            service_now(), service_now(), 'cli:me', service_now());
  select post_transfers('withdraw', service_now(), array['00000000-0000-7000-8000-000000000021'::uuid], array[null::uuid],
    array[(select id from account where kind = 'holding' and asset = 'KRW')], array[house_account('withdrawals', 'KRW')],
    array[100::bigint]);
  select post_transfers('withdraw_paid', service_now(), array['00000000-0000-7000-8000-000000000021'::uuid], array[null::uuid],
    array[house_account('withdrawals', 'KRW')], array[house_account('bank', 'KRW')], array[100::bigint])`

test('books of the release before hold after the migration, also what one person did alone', async () => {
  const database = await createTestDatabase('empty')
  await migrateTo(database.connection, 13)
  for (const statement of BEFORE.split(';\n')) await query(database.connection, statement)
  for (const quote of ['11', '12']) {
    assert.deepEqual(await query(database.connection, order(quote)), [{ outcome: 'placed' }])
  }
  await query(database.connection, PAID_BEFORE)
  await migrate(database.connection, STAMP)
  assert.deepEqual(await query(database.connection, order('13')), [{ outcome: 'placed' }])
  const named = await query(
    database.connection,
    'select price_source from trade_order order by at desc, price_source nulls last limit 1',
  )
  assert.deepEqual(named, [{ price_source: 'operator' }])
  const opened = openDatabase({ connection: database.connection, maxConnections: 2, onIdleError: () => {} })
  const broken = (await verifyBooks(opened)).filter((result) => result.broken > 0)
  assert.deepEqual(broken, [])
  await opened.close()
  await database.drop()
})
