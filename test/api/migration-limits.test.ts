import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate } from '#app/database/migrate.ts'
import { listMigrations, type Migration } from '#app/database/migration-files.ts'
import { BoundedClient, type BoundedConfig } from '#base/db/client.ts'
import { connectionTo, withSettings } from '#base/db/settings.ts'
import { until } from '#test/patience.ts'
import { asAdmin, createTestDatabase } from '#test/postgres.ts'
import { migration, releaseWith, STAMP, withDatabase } from '#test/sql-releases.ts'

// Hosted databases come with limits for every role. A migration takes as long as its tables are large.
const ROLE = `limited_${process.pid}`
const LIMIT = '1s'

const LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'transaction_timeout',
]
const SLOW: Migration[] = [
  migration(9_001, '-- outside a transaction\nselect pg_sleep(1.5);'),
  migration(9_002, 'select pg_sleep(1.5);'),
]

// Statements in and outside of a transaction take their time, though others of the same connection may not.
async function migrateSlowly(limited: BoundedConfig): Promise<void> {
  const client = new BoundedClient(withSettings(limited))
  const wait = async () => {
    await client.connect()
    await client.query('select pg_sleep(5)')
  }
  await assert.rejects(wait(), /timeout/, 'it is limited')
  await client.end().catch(() => {})
  const applied = await migrate(limited, STAMP, { migrations: [...listMigrations(), ...SLOW] })
  assert.deepEqual(applied.slice(-2), ['9001_next', '9002_next'])
}

test('a role with limits of its own migrates', async () => {
  const database = await createTestDatabase('empty')
  after(async () => {
    await database.drop()
    await asAdmin(`drop role ${ROLE}`)
  })
  await asAdmin(`create role ${ROLE} login superuser password 'limited'`)
  for (const limit of LIMITS)
    await asAdmin(`do $$ begin
      if current_setting('${limit}', true) is not null then alter role ${ROLE} set ${limit} = '${LIMIT}'; end if; end $$`)
  await migrateSlowly({ ...database.connection, user: ROLE, password: 'limited' })
})

test('an address with limits in its options migrates', async () => {
  const database = await createTestDatabase('empty')
  after(() => database.drop())
  const options = LIMITS.map((limit) => `-c ${limit}=${LIMIT}`).join(' ')
  await migrateSlowly(connectionTo(`${database.url}&options=${encodeURIComponent(options)}`))
})

test('the job queue lets others pass while its tables are in use', () =>
  withDatabase(async (query, connection) => {
    const other = new pg.Client(connection)
    await other.connect()
    const waits = async () =>
      (
        await query(
          `select from pg_locks where relation = 'graphile_worker.migrations'::regclass and not granted`,
        )
      ).length > 0
    await other.query('begin; lock table graphile_worker.migrations in access exclusive mode')
    const migrated = releaseWith(connection, ['select'])
    await until(waits, 'the queue waits')
    await until(async () => !(await waits()), 'it lets go')
    await until(waits, 'it tries again')
    await other.query('rollback')
    await other.end()
    assert.deepEqual(await migrated, ['9001_next'])
  }))
