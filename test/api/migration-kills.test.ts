import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '#app/database/migrate.ts'
import { listMigrations, type Migration } from '#app/database/migration-files.ts'
import { listFunctions } from '#app/database/sql-functions.ts'
import { openDatabase } from '#base/db/db.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { until } from '#test/patience.ts'
import { createTestDatabase, TEST_VAULT } from '#test/postgres.ts'
import { readReleaseBefore } from '#test/release-recording.ts'
import { STAMP } from '#test/sql-releases.ts'
import { generateSchemaSql, SCHEMA_SQL } from '../../tools/schema-sql.ts'

// Every migration since the recorded release, under purchases of that release, killed in the middle and begun again.
const release = readReleaseBefore()
const before = listMigrations().filter(({ version }) => version <= release.schemaVersion)
const pending = listMigrations().filter(({ version }) => version > release.schemaVersion)

const on = await createTestDatabase('empty')
await migrate(on.connection, STAMP, { migrations: before, functions: [] })
const connect = async () => {
  const client = new pg.Client(on.connection)
  client.on('error', () => {})
  await client.connect()
  return client
}
const admin = await connect()
const query = async (text: string, values: unknown[] = []) => (await admin.query(text, values)).rows
after(async () => {
  await admin.end()
  await on.drop()
})
await query(`insert into partner (code, name, key_format) values ('old', 'Old', 'uuid')`)
await query(
  `insert into audit_entry (actor, action, subject, details) values ('test', 'partner.add', 'old', '{"validityMonths": 12}')`,
)
await query(`insert into account (kind, asset, partner_id, floor)
  select 'partner_receivable', 'KRW_POINT', id, -1000000000 from partner`)

const BUY = release.statements.find((text) => text.includes('from buy_gift_cards('))!
const sha = (text: string) => createHash('sha256').update(text).digest()
const sealed = Buffer.from('\x02e1 nobody opens it')

// A process of the release before, whose purchases wait for no lock longer than it allows.
async function buyUntil(isOver: () => boolean): Promise<number> {
  const client = await connect()
  await client.query(`set lock_timeout = '1500ms'`)
  let bought = 0
  while (!isOver()) {
    const [id, number] = [randomUUID(), Math.floor(Math.random() * 2 ** 52)]
    const card = [[sealed], [sha(id)], [sealed], [sha(`pin ${id}`)], [sha(`key ${id}`)], [sha(id)]]
    const values = [1, [id], [randomUUID()], [number], [10], ['key'], 'i1', ...card, 1]
    const { rows } = await client.query({ name: 'buy', text: BUY, values })
    assert.equal(rows[0].outcome, 'issued')
    bought += 1
    // Often enough to meet every migration, and the machine stays free for it.
    await sleep(25)
  }
  await client.end()
  return bought
}

// The runner as another process: its socket can be torn off, which is all that PostgreSQL learns of a kill.
function startRunner() {
  const sockets: Socket[] = []
  const stream = () => {
    const socket = new Socket()
    sockets.push(socket)
    return socket
  }
  const ended = migrate({ ...on.connection, stream }, STAMP).then(
    () => 'done',
    () => 'cut off',
  )
  const kill = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { ended, kill }
}

const RUNNERS = `select pid, wait_event_type as waits, query from pg_stat_activity
  where datname = current_database() and application_name = 'ingot migrate'`
const version = async () => (await query('select max(version) as version from schema_migration'))[0].version
const invalidIndexes = async () => (await query('select from pg_index where not indisvalid')).length

// Someone who keeps a migration waiting: for its record, when all of it is done and nothing is committed; or for a snapshot,
// in the middle of an index.
const HOLDS = {
  record: 'begin; lock table schema_migration in exclusive mode',
  index: 'begin isolation level repeatable read; select',
}

const AT = { record: /schema_migration/, index: /create (unique )?index/ }

async function killOnce(hold: keyof typeof HOLDS, how: 'process' | 'backend'): Promise<void> {
  const holder = await connect()
  await holder.query(HOLDS[hold])
  const runner = startRunner()
  await until(
    async () => (await query(RUNNERS)).some((one) => one.waits === 'Lock' && AT[hold].test(one.query)),
    `the migration waits: ${hold}`,
  )
  if (how === 'process') runner.kill()
  else await query(`select pg_terminate_backend(pid) from (${RUNNERS}) runner`)
  assert.equal(await runner.ended, 'cut off')
  await holder.end()
  await until(async () => (await query(RUNNERS)).length === 0, 'its backend is gone')
}

// This migration alone, with the new functions that it names, as the runner brings them along.
async function applyOnly({ version: number, sql }: Migration): Promise<void> {
  const named = new Set(sql.match(/\w+/g))
  for (const one of listFunctions()) {
    if (!named.has(one.name)) continue
    const [{ isMissing }] = await query('select to_regproc($1) is null as "isMissing"', [one.name])
    if (isMissing && one.kind === 'function') await query(one.sql)
  }
  const migrations = listMigrations().filter((one) => one.version <= number)
  await migrate(on.connection, STAMP, { migrations, functions: [] })
}

test('killed in the middle of each migration, it goes on; purchases of the release before wait for none', async () => {
  let isOver = false
  const buying = [buyUntil(() => isOver), buyUntil(() => isOver)]
  let invalid = 0
  try {
    for (const migration of pending) {
      const { version: number, sql } = migration
      const isOutside = sql.includes('-- outside a transaction')
      for (const how of ['backend', 'process'] as const) {
        const reached = await version()
        if (isOutside && AT.index.test(sql)) {
          await killOnce('index', how)
          invalid += await invalidIndexes()
        }
        await killOnce('record', how)
        // Outside of a transaction, a backend whose client is gone still finishes its statement: here, the record.
        const isRecorded = isOutside && how === 'process'
        assert.equal(await version(), isRecorded ? number : reached)
      }
      if (number < pending.at(-1)!.version) await applyOnly(migration)
    }
    await migrate(on.connection, STAMP)
  } finally {
    isOver = true
  }
  assert.ok((await Promise.all(buying)).every((bought) => bought > 0))
  assert.ok(invalid > 0, 'an index was left half built')
  assert.equal(await invalidIndexes(), 0)
})

test('what is left is the schema of this release, and the books hold', async () => {
  assert.ok(
    (await generateSchemaSql(on.connection)) === readFileSync(SCHEMA_SQL, 'utf8'),
    'as in db/schema.sql',
  )
  const database = openDatabase({ connection: on.connection, maxConnections: 2, onIdleError: () => {} })
  const results = await verifyBooks(database, TEST_VAULT, { skipSealed: true })
  await database.close()
  assert.deepEqual(
    results.filter(({ broken }) => broken > 0),
    [],
  )
})
