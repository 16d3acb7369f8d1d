import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { addDeliveryJob, insertDeliveries, takeOverJobs } from '#modules/deliveries/store.ts'
import { text, watchJobs } from '#test/message-jobs.ts'
import { until } from '#test/patience.ts'
import { PHONE, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const { pool } = database
const partner = await service.addPartner()
const { add, buy, clear, jobs, take } = watchJobs(service, partner)
const sorted = (ids: readonly bigint[]) => ids.map(Number).toSorted((a, b) => a - b)

test('a purchase adds a job for each channel, which another may take over', async () => {
  await clear()
  assert.equal((await partner.buy({ amount: 50_000, phoneNumber: PHONE })).status, 200)
  const added = await jobs()
  assert.deepEqual(added.map(({ channel }) => channel).toSorted(), ['alimtalk', 'text'])
  const { ids } = added.find(({ channel }) => channel === 'text')!
  assert.deepEqual(await take(200), ids.map(BigInt))
  assert.deepEqual(
    await jobs(),
    added.filter(({ channel }) => channel === 'alimtalk'),
  )
})

test('the oldest are taken, and what does not fit stays in its job', async () => {
  await clear()
  await add(text(1, 2), { seconds: -9 })
  await add(text(3), { seconds: -8 })
  await add(text(4, 5, 6), { seconds: -7 })
  await add(text(7), { seconds: -6 })
  assert.deepEqual(sorted(await take(4)), [1, 2, 3, 4])
  assert.deepEqual(await jobs(), [text(5, 6), text(7)])
  assert.deepEqual(sorted(await take(200)), [5, 6, 7])
  assert.deepEqual(await jobs(), [])
})

test('a job that failed, that runs, that is for later, or whose messages are in doubt is left alone', async () => {
  await clear()
  const failed = await add(text(1))
  await pool.query('update graphile_worker._private_jobs set attempts = 1 where id = $1', [failed])
  const running = await add(text(2))
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'another' where id = $1`,
    [running],
  )
  await add(text(3), { seconds: 60 })
  await add({ channel: 'text', ids: [4] })
  const before = await jobs()
  assert.equal(before.length, 4)
  assert.deepEqual(await take(200), [])
  assert.deepEqual(await jobs(), before)
})

test('two claims at once find different jobs, and what is not committed is not taken over', async () => {
  await clear()
  for (let id = 1; id <= 9; id += 1) await add(text(id), { seconds: id - 60 })
  const before = await jobs()
  const interrupted = database.withTransaction(async (tx) => {
    assert.deepEqual(sorted(await takeOverJobs(tx, 'delivery', { channel: 'text', room: 3 })), [1, 2, 3])
    assert.deepEqual(sorted(await take(3)), [4, 5, 6])
    throw new Error('the process dies')
  })
  await assert.rejects(interrupted, /the process dies/)
  assert.deepEqual(await jobs(), [...before.slice(0, 3), ...before.slice(6)])
})

const FILLED = 5_000

function fillQueue(tx: Tx) {
  return sql`insert into graphile_worker._private_jobs (task_id, payload, run_at)
    select t.id, json_build_object('channel', 'text', 'ids', json_build_array(i), 'together', true), now() - make_interval(secs => i)
      from generate_series(1, ${FILLED}::int) i, graphile_worker._private_tasks t where t.identifier = 'send_deliveries'`.execute(
    tx,
  )
}

// How many jobs it reads.
async function reading(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  const before = await readSoFar(tx)
  await work()
  return (await readSoFar(tx)) - before
}

async function readSoFar(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`select (seq_tup_read + idx_tup_fetch)::int as read
    from pg_stat_xact_all_tables where relname = '_private_jobs'`.execute(tx)
  return rows[0]!.read
}

test('of a long queue only the front is read', async () => {
  await clear()
  await database.withTransaction(fillQueue)
  await pool.query('analyze graphile_worker._private_jobs')
  const read = await database.withTransaction((tx) =>
    reading(tx, async () =>
      assert.equal((await takeOverJobs(tx, 'delivery', { channel: 'text', room: 200 })).length, 200),
    ),
  )
  assert.ok(read > 0 && read < FILLED / 2, `${read} rows were read`)
})

// One more text of the card of a message.
async function sendAgain(tx: Tx, id: number, ordinal: number): Promise<void> {
  const { rows } = await sql<{ card_id: string }>`select card_id from delivery where id = ${id}`.execute(tx)
  await insertDeliveries(tx, rows[0]!.card_id, [{ channel: 'text', purpose: 'resend', ordinal }])
}

test('adding a job reads none of those that wait, though it was planned when there were none', async () => {
  const [id] = await buy(1)
  const retry = { channel: 'text', ids: [BigInt(id!)], due: 0, together: true } as const
  await pool.query('truncate graphile_worker._private_jobs') // small for the planner too
  await database.withTransaction(async (tx) => {
    const add = async (ordinal: number) => {
      await sendAgain(tx, id!, ordinal)
      await addDeliveryJob(tx, 'delivery', 'send', retry)
    }
    await add(1)
    await fillQueue(tx)
    const read = await reading(tx, () => add(2))
    assert.ok(read < 10, `${read} rows were read`)
  })
  assert.equal((await jobs()).length, FILLED + 4)
})

test('a job is there before any worker has started', async () => {
  const [id] = await buy(1)
  await pool.query(`delete from graphile_worker._private_tasks where identifier = 'send_deliveries'`)
  await database.withTransaction((tx) => sendAgain(tx, id!, 2))
  const { rows } = await pool.query('select task_identifier from graphile_worker.jobs')
  assert.deepEqual(rows, [{ task_identifier: 'send_deliveries' }])
})

test('a worker that may be asleep is notified, and of nothing else', async () => {
  await clear()
  const listener = await pool.connect()
  const heard: number[] = []
  listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload!).count))
  await listener.query('listen "jobs:insert"')
  const adding = (count: number, at = 'now()') =>
    pool.query(
      `select add_message_jobs('send_deliveries', 0, ${at}, array_fill('{}'::json, array[$1::int]))`,
      [count],
    )
  await adding(1)
  await adding(2) // the first still waits
  await clear()
  await adding(3, "now() + interval '1 minute'")
  await adding(4, "now() - interval '2 seconds'") // its transaction took long
  await adding(5)
  await adding(6)
  await clear()
  const now = { channel: 'text', ids: [1n, 2n], due: 0, together: true } as const
  await database.withTransaction((tx) => addDeliveryJob(tx, 'delivery', 'send', now)) // one job, by another clock
  await clear()
  await adding(8, "now() + interval '1 minute'")
  await pool.query(`update graphile_worker._private_jobs
     set run_at = now() - interval '0.3 seconds', created_at = now() - interval '1 minute'`)
  await adding(9) // those are due by now, and still wait for the next look
  await clear()
  await adding(7)
  await until(() => heard.includes(7))
  await listener.query('unlisten *')
  listener.release()
  assert.deepEqual(heard, [1, 4, 5, 1, 9, 7])
})
