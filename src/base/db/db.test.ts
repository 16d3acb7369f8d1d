import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { until } from '#test/patience.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { openDatabase } from './db.ts'
import { classify, failureFields, Unavailable } from './errors.ts'

const test_ = await createTestDatabase()
const database = openDatabase({ connection: test_.connection, maxConnections: 3, onIdleError: () => {} })
after(async () => {
  await database.close()
  await test_.drop()
})

// What PostgreSQL sends when the wait for a standby is cancelled at commit.
function cancelTheWait(): void {
  database.pool.once('acquire', (client: pg.PoolClient) => {
    setImmediate(() => client.emit('notice', { routine: 'SyncRepWaitForLSN' } as never))
  })
}

test('a commit that no standby confirmed is not a success, in either way of writing', async () => {
  const slow = { name: 'slow', text: 'select pg_sleep(0.05)' }
  cancelTheWait()
  await assert.rejects(database.writeOnce(slow, []), Unavailable)
  await database.writeOnce(slow, [])
  cancelTheWait()
  await assert.rejects(
    database.withTransaction(async (tx) => sql`select pg_sleep(0.05)`.execute(tx)),
    Unavailable,
  )
})

test('a connection cut in the middle of a statement fails that statement, and the pool recovers', async () => {
  let ended = false
  const long = database
    .writeOnce({ name: 'long', text: 'select pg_sleep(600)' }, [])
    .catch((error) => error)
    .finally(() => {
      ended = true
    })
  const isCut = await until(async () => {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`.execute(
      database.db,
    )
    return rows.length > 0 ? 'cut' : ended && 'ended by itself'
  }, 'the statement runs')
  assert.deepEqual([isCut, classify(await long)], ['cut', 'unavailable'], String(await long))
  assert.equal((await database.read({ name: 'one', text: 'select 1 as one' }, [])).length, 1)
})

test('what failed statements mean', async () => {
  const failure = (text: string) =>
    database.read({ name: text.slice(0, 60), text }, []).catch((error) => error)
  const cases: [statement: string, meaning: string][] = [
    ['select 1 / 0', 'conflict'],
    [`select 'urn:uuid:x'::uuid`, 'bad_value'],
    [`select '0000-00-00'::date`, 'bad_value'],
    [`select '9223372036854775808'::bigint`, 'bad_value'],
    [`select '"\\u0000"'::jsonb ->> 0`, 'bad_value'],
    [`insert into partner (code, name, key_format) values ('a b', 'x', 'uuid')`, 'conflict'],
    ['select nonsense', 'bug'],
  ]
  for (const [statement, meaning] of cases) assert.equal(classify(await failure(statement)), meaning)
  assert.equal(classify(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), 'unavailable')
  assert.equal(classify(new Error('timeout exceeded when trying to connect')), 'unavailable')
  assert.equal(classify(new TypeError('x')), 'bug')
  assert.equal(classify('thrown text'), 'bug')
})

test('a failure says why: a full pool names itself, and so does a state of the server', async () => {
  const small = openDatabase({ connection: test_.connection, maxConnections: 1, onIdleError: () => {} })
  const taken = await small.pool.connect()
  // The connection is there: from now on only waiting for it counts.
  small.pool.options.connectionTimeoutMillis = 50
  const full = await small.read({ name: 'waits', text: 'select 1' }, []).catch((error) => error)
  taken.release()
  await small.close()
  assert.deepEqual(failureFields(full), {
    error: 'Error',
    reason: 'every connection of the pool was in use for too long',
  })
  const text = `do $$ begin raise exception using errcode = '53100'; end $$`
  const failed = await database.read({ name: 'full', text }, []).catch((error) => error)
  assert.deepEqual(failureFields(failed), {
    error: 'error',
    sqlState: '53100',
    reason: 'the disk of the server is full',
  })
})

test('what may be logged of a failure: names and codes, never values', async () => {
  const canary = 'canary-010-7777-6666'
  const error = await database
    .read({ name: 'canary', text: `insert into partner (code, name, key_format) values ($1, $1, 'uuid')` }, [
      `${canary} `,
    ])
    .catch((e) => e)
  assert.match(String(error.detail), /canary/)
  const fields = failureFields(error)
  assert.equal(fields.sqlState, '23514')
  assert.ok(!JSON.stringify(fields).includes('canary'))
})
