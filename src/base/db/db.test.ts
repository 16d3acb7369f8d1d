import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { until } from '#test/patience.ts'
import { createTestDatabase } from '#test/postgres.ts'
import type { BoundedClient } from './client.ts'
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

// The connection that the next statement gets.
const nextClient = () =>
  new Promise<BoundedClient>((resolve) => {
    database.pool.once('acquire', (client) => resolve(client as unknown as BoundedClient))
  })
const pidOf = (rows: { pid: number }[]) => rows[0]!.pid

test('statements of a pipeline are sent before those ahead of them are answered, on one connection', async () => {
  const pipeline = database.openPipeline()
  const acquired = nextClient()
  const slow = { name: 'slow pid', text: 'select pg_backend_pid() as pid, pg_sleep(0.2)' }
  const writes = Promise.all([1, 2, 3].map(() => pipeline.writeOnce<{ pid: number }>(slow, [])))
  const client = await acquired
  await until(() => client.waiting === 3, 'all three are under way')
  assert.equal(new Set((await writes).map(pidOf)).size, 1)
  // It is given back, and waits for each answer again.
  await until(() => database.pool.idleCount === database.pool.totalCount)
  assert.equal(await database.withTransaction(async (tx) => (await sql`select 1`.execute(tx)).rows.length), 1)
})

test('a statement of a pipeline that is refused fails alone', async () => {
  const pipeline = database.openPipeline()
  const one = { name: 'a number', text: 'select 12 / $1::int as number' }
  const [first, refused, last] = await Promise.allSettled(
    [4, 0, 3].map((by) => pipeline.writeOnce(one, [by])),
  )
  assert.deepEqual(
    [first, last].map((done) => done?.status === 'fulfilled' && done.value),
    [[{ number: 3 }], [{ number: 4 }]],
  )
  assert.ok(refused?.status === 'rejected' && classify(refused.reason) === 'conflict')
  assert.deepEqual(await pipeline.writeOnce(one, [6]), [{ number: 2 }])
})

test('in a pipeline, what was not confirmed is the statement that said so, also if all answers come at once', async () => {
  const pipeline = database.openPipeline()
  const one = { name: 'one', text: 'select 1 as one' }
  await pipeline.writeOnce(one, [])
  const acquired = nextClient()
  const writes = [1, 2, 3].map(() => pipeline.writeOnce(one, []).catch((error) => error))
  const client = await acquired
  let answers = 0
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  const second = () => {
    answers += 1
    if (answers === 2) client.emit('notice', { routine: 'SyncRepWaitForLSN' } as never)
  }
  connection.on('commandComplete', second)
  // No answer is read before all three are sent.
  for (let turns = 0; client.waiting < 3 && turns < 1_000; turns += 1) await null
  assert.equal(client.waiting, 3)
  // Meanwhile the answers gather, and are read as one.
  const busyUntil = performance.now() + 100
  while (performance.now() < busyUntil);
  const [first, unconfirmed, last] = await Promise.all(writes)
  connection.off('commandComplete', second)
  assert.deepEqual([first, last], [[{ one: 1 }], [{ one: 1 }]])
  assert.ok(unconfirmed instanceof Unavailable)
})

test('a connection cut under a pipeline fails what was sent on it, and the next statement gets another', async () => {
  const pipeline = database.openPipeline()
  const acquired = nextClient()
  const slow = { name: 'slower', text: 'select pg_sleep(600)' }
  const writes = Promise.all([1, 2].map(() => pipeline.writeOnce(slow, []).catch((error) => error)))
  const client = await acquired
  await until(() => client.waiting === 2)
  const { processID } = client as unknown as { processID: number }
  await database.read({ name: 'cut', text: 'select pg_terminate_backend($1)' }, [processID])
  assert.deepEqual((await writes).map(classify), ['unavailable', 'unavailable'])
  const [row] = await pipeline.writeOnce<{ pid: number }>(
    { name: 'pid', text: 'select pg_backend_pid() as pid' },
    [],
  )
  assert.notEqual(row!.pid, processID)
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
