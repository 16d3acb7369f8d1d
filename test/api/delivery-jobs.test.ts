import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createLog } from '#base/log.ts'
import { sweepDeliveries } from '#flows/deliveries/sweep-deliveries.ts'
import { createMessageSettings } from '#jobs/message-settings.ts'
import { type DeliveryDeps, sendDeliveries } from '#jobs/send-deliveries.ts'
import { sendNotices } from '#jobs/send-notices.ts'
import { takeOverJobs } from '#modules/deliveries/store.ts'
import type { MessageOutcome, OutgoingMessage } from '#providers/messaging/port.ts'
import { createSimulated } from '#providers/messaging/simulated.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const { pool } = database
const partner = await service.addPartner()
const log = createLog('silent', { write: () => {} })

interface Payload {
  channel: string
  ids: number[]
  together?: true
}

async function jobs(): Promise<Payload[]> {
  const { rows } = await pool.query('select payload from graphile_worker._private_jobs order by run_at, id')
  return rows.map(({ payload }) => payload)
}

const text = (...ids: number[]): Payload => ({ channel: 'text', ids, together: true })
const sorted = (ids: readonly (number | bigint)[]) => ids.map(Number).toSorted((a, b) => a - b)
const clear = () => pool.query('delete from graphile_worker._private_jobs')

async function add(payload: Payload, { seconds = -1 } = {}): Promise<string> {
  const { rows } = await pool.query(
    `select id from graphile_worker.add_job('send_deliveries', $1::json, run_at => now() + make_interval(secs => $2))`,
    [JSON.stringify(payload), seconds],
  )
  return rows[0].id
}

const take = (room: number) =>
  database.withTransaction((tx) => takeOverJobs(tx, 'delivery', { channel: 'text', room }))

// The text messages of new cards, whose jobs are gone.
async function buy(count: number): Promise<number[]> {
  for (let i = 0; i < count; i += 1) {
    const bought = await partner.buy({ amount: 50_000, phoneNumber: PHONE })
    assert.equal(bought.status, 200)
  }
  await clear()
  const { rows } = await pool.query(
    `select id::int from delivery where channel = 'text' order by id desc limit $1`,
    [count],
  )
  return rows.map(({ id }) => id).reverse()
}

// The job that sends, and what its provider is asked to send.
async function sending(answer?: () => MessageOutcome) {
  const requests: number[] = []
  const simulated = createSimulated({
    watch: { onRequest: () => {}, onCircuit: () => {} },
    deliveryMs: 60_000,
  })
  const send = (messages: readonly OutgoingMessage[]) => {
    assert.equal(running.size, 0, 'the wait for a provider is not paced')
    requests.push(messages.length)
    return answer ? Promise.resolve(messages.map(answer)) : simulated.send(messages)
  }
  // What runs in turn, what at once; and which it was while the provider was asked.
  const paced: string[] = []
  const running = new Set<string>()
  const watched =
    (how: string) =>
    async <T>(work: () => Promise<T>) => {
      paced.push(how)
      running.add(how)
      return work().finally(() => running.delete(how))
    }
  const deps: DeliveryDeps = {
    database,
    log,
    keys: await openVaultKeeper(database, TEST_RING_STORE),
    providers: [{ ...simulated, send, isAvailable: () => running.size > 0 }],
    imprint: { registerUrl: 'https://ingot.example/', contact: 'test' },
    settings: createMessageSettings(database),
    onChange: () => {},
    pace: { inTurn: watched('in turn'), atOnce: watched('at once') },
  }
  return {
    requests,
    paced,
    run: (payload: Payload, { isRetry = false } = {}) => sendDeliveries(deps, payload, isRetry),
    runNotice: (payload: Payload) => sendNotices(deps, payload, false),
    sweep: () => sweepDeliveries(deps, 'delivery'),
  }
}

async function statusOf(ids: number[]): Promise<string[]> {
  const { rows } = await pool.query('select status from delivery where id = any($1) order by id', [ids])
  return rows.map(({ status }) => status)
}

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

test('messages of many jobs leave in one request', async () => {
  const ids = await buy(5)
  for (const id of ids.slice(1)) await add(text(id))
  const { requests, run } = await sending()
  await run(text(ids[0]!))
  assert.deepEqual(requests, [5])
  assert.deepEqual(new Set(await statusOf(ids)), new Set(['accepted']))
  assert.deepEqual(
    (await jobs()).filter(({ together }) => together),
    [],
  )
})

test('a message that several jobs name leaves once', async () => {
  const [twice, once] = await buy(2)
  for (const payload of [text(twice!, once!), text(once!), text(twice!)]) await add(payload)
  const { requests, run } = await sending()
  await run(text(twice!))
  assert.deepEqual([requests, await statusOf([twice!, once!])], [[2], ['accepted', 'accepted']])
})

test('claims run in turn, outcomes are recorded at once; notices wait for no turn', async () => {
  const [id] = await buy(1)
  const { paced, run, runNotice } = await sending()
  await run(text(id!))
  await runNotice(text())
  assert.deepEqual(paced, ['in turn', 'at once', 'at once'])
})

test('a retry takes nothing over, unless nothing is left for it to do', async () => {
  const [first, waits] = await buy(2)
  await add(text(waits!))
  const { requests, run } = await sending()
  await run(text(first!), { isRetry: true })
  assert.deepEqual([requests, await statusOf([waits!])], [[1], ['queued']])
  await run(text(first!), { isRetry: true })
  assert.deepEqual([requests, await statusOf([waits!])], [[1, 1], ['accepted']])
})

test('a job of an older release takes others over too', async () => {
  const [old, waits] = await buy(2)
  await add(text(waits!))
  const { requests, run } = await sending()
  await run({ channel: 'text', ids: [old!] })
  assert.deepEqual(requests, [2])
})

test('a job says whether others may take it over', async () => {
  const [refused, doubtful] = await buy(2)
  const { run, sweep } = await sending(() => ({ kind: 'refused', reason: 'rate_limited', retryable: true }))
  await run(text(refused!))
  assert.deepEqual(await jobs(), [text(refused!)])
  await clear()
  await pool.query("update delivery set due_at = now() + interval '1 day' where settled_at is null")
  await pool.query(
    `update delivery set attempt = 1, absences = 1, due_at = now() - interval '1 hour' where id = $1`,
    [doubtful],
  )
  await sweep()
  assert.deepEqual(await jobs(), [{ channel: 'text', ids: [doubtful!] }])
})

test('a message in doubt does not travel with the others of an older job', async () => {
  const [doubtful, fine] = await buy(2)
  await pool.query(`update delivery set attempt = 1, absences = 1 where id = $1`, [doubtful])
  await add(text(doubtful!))
  const { requests, run } = await sending()
  await run(text(fine!))
  assert.deepEqual(await statusOf([doubtful!, fine!]), ['queued', 'accepted'])
  await run({ channel: 'text', ids: [doubtful!] })
  assert.deepEqual(requests, [1, 1])
  assert.deepEqual(await statusOf([doubtful!]), ['accepted'])
})

test('a claim that fails leaves jobs and messages as they were', async () => {
  const ids = await buy(2)
  await add(text(ids[1]!))
  const before = await jobs()
  await pool.query(`alter table delivery add constraint canary check (claimed_until is null) not valid`)
  const { requests, run } = await sending()
  await assert.rejects(run(text(ids[0]!)), /canary/)
  await pool.query('alter table delivery drop constraint canary')
  assert.deepEqual([requests, await jobs(), await statusOf(ids)], [[], before, ['queued', 'queued']])
})

test('a message that makes a claim fail holds up no other job', async () => {
  const [fine, broken] = await buy(2)
  await add(text(broken!))
  await pool.query(
    `alter table delivery add constraint canary check (claimed_until is null or id <> ${broken}) not valid`,
  )
  const { requests, run } = await sending()
  await run(text(fine!))
  await run(text(fine!), { isRetry: true })
  await assert.rejects(run(text(broken!)), /canary/)
  await pool.query('alter table delivery drop constraint canary')
  assert.deepEqual(
    [requests, await jobs(), await statusOf([fine!, broken!])],
    [[1], [text(broken!)], ['accepted', 'queued']],
  )
})

test('of a long queue only the front is read', async () => {
  await clear()
  const count = 5_000
  await pool.query(
    `select count(graphile_worker.add_job('send_deliveries', json_build_object('channel', 'text', 'ids', json_build_array(i), 'together', true),
       run_at => now() - make_interval(secs => i))) from generate_series(1, $1::int) i`,
    [count],
  )
  await pool.query('analyze graphile_worker._private_jobs')
  const read = await database.withTransaction(async (tx) => {
    assert.equal((await takeOverJobs(tx, 'delivery', { channel: 'text', room: 200 })).length, 200)
    const { rows } = await sql<{ read: number }>`select (seq_tup_read + idx_tup_fetch)::int as read
      from pg_stat_xact_all_tables where relname = '_private_jobs'`.execute(tx)
    return rows[0]!.read
  })
  assert.ok(read > 0 && read < count / 2, `${read} rows were read`)
})

test('the sweep adds jobs for what has none, ahead of a backlog, and none for what waits in it', async () => {
  const [retry, waits] = await buy(2)
  const due = `update delivery set due_at = now() - make_interval(mins => $2) where id = $1`
  await pool.query("update delivery set due_at = now() + interval '1 day' where settled_at is null")
  await pool.query(due, [retry, 20])
  await pool.query(due, [waits, 10])
  await add(text(waits!), { seconds: -600 })
  const { sweep } = await sending()
  await sweep()
  assert.deepEqual(await jobs(), [text(retry!), text(waits!)])
  await sweep()
  assert.deepEqual(await jobs(), [text(retry!), text(waits!)], 'once')
  await clear()
  await sweep()
  assert.deepEqual(await jobs(), [text(retry!, waits!)])
})

test('the sweep adds jobs of every kind at once', async () => {
  const [queued, accepted] = await buy(2)
  const { run, sweep } = await sending()
  await run(text(accepted!))
  await clear()
  await pool.query("update delivery set due_at = now() + interval '1 day' where settled_at is null")
  await pool.query("update delivery set due_at = now() - interval '20 minutes' where id = $1", [queued])
  await pool.query("update delivery set due_at = now() - interval '10 minutes' where id = $1", [accepted])
  await sweep()
  assert.deepEqual(await jobs(), [text(queued!), { channel: 'text', ids: [accepted!] }])
})
