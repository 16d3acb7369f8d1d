import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createLog } from '#base/log.ts'
import { sweepDeliveries } from '#flows/deliveries/sweep-deliveries.ts'
import { createMessageSettings } from '#jobs/message-settings.ts'
import { type DeliveryDeps, sendDeliveries } from '#jobs/send-deliveries.ts'
import { sendNotices } from '#jobs/send-notices.ts'
import type { MessageOutcome, OutgoingMessage } from '#providers/messaging/port.ts'
import { createSimulated } from '#providers/messaging/simulated.ts'
import { type Payload, text, watchJobs } from '#test/message-jobs.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const { pool } = database
const partner = await service.addPartner()
const log = createLog('silent', { write: () => {} })
const { add, buy, clear, jobs } = watchJobs(service, partner)

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
