import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LEASE_MS } from '#modules/deliveries/rules.ts'
import type { Sent } from '#stand-ins/messaging/phones.ts'
import {
  assertArrived,
  buyCard,
  countOpen,
  holdLock,
  passTime,
  readRows,
  settleAll,
  startRig,
  waitBlocked,
  waitTaken,
} from '#test/killed-worker.ts'
import { within as inTime, until } from '#test/patience.ts'
import type { ServerProcess } from '#test/process.ts'
import { BUY } from '#test/service.ts'

// A worker killed at every step of sending. No step is named in the product: locks and the provider hold it there.
// Reports are not posted: what became of a message is found by asking.
const rig = await startRig({ reports: false, nhn: false })
const solapi = rig.standIns[0]!
let worker: ServerProcess
let sendsBefore = 0
test.beforeEach(() => {
  sendsBefore = solapi.counts.sends
})
const sends = () => solapi.counts.sends - sendsBefore

// Holds requests of this kind at this stage, until they are released or dropped.
function hold(stage: 'arrived' | 'recorded', method = 'POST') {
  const released = Promise.withResolvers<'go' | 'drop'>()
  let count = 0
  rig.onRequest = async (at, request) => {
    if (at !== stage || request.method !== method) return
    count += 1
    if ((await released.promise) === 'drop') throw new Error('dropped')
  }
  return {
    // A card has a message in each channel, and each is a request of its own.
    reached: (requests = 2) => until(() => count >= requests),
    release(how: 'go' | 'drop') {
      rig.onRequest = () => {}
      released.resolve(how)
    },
  }
}

async function kill(): Promise<void> {
  assert.equal(await worker.kill('SIGKILL'), 'SIGKILL')
}

// The next worker brings them to their phones, with the given attempt, in one request for each that the provider took.
async function recover(keys: readonly string[], expected: number): Promise<void> {
  worker = await rig.startWorker()
  await settleAll(rig)
  const rows = await assertArrived(rig, keys)
  assert.deepEqual(
    rows.map(({ attempt }) => attempt),
    rows.map(() => expected),
  )
  assert.equal(sends(), 2, 'requests to send')
}

const states = async (keys: readonly string[]) =>
  (await readRows(rig, keys)).map((row) => `${row.status} ${row.attempt} ${row.claimed ? 'claimed' : 'free'}`)

test('killed with the job taken and nothing claimed', async () => {
  const keys = await buyCard(rig)
  const release = await holdLock(rig, 'lock table delivery in access exclusive mode')
  worker = await rig.startWorker()
  await waitTaken(rig, 'send_deliveries')
  await kill()
  await release()
  assert.deepEqual(await states(keys), ['queued 0 free', 'queued 0 free'])
  const { rows } = await rig.client.query(
    `select 1 from graphile_worker.jobs where locked_at is not null and task_identifier = 'send_deliveries'`,
  )
  assert.equal(rows.length, 2, 'the jobs are lost with their worker')
  await recover(keys, 1)
})

test('killed with the request at the provider, which has not taken it', async () => {
  const arrived = hold('arrived')
  const keys = await buyCard(rig)
  await arrived.reached()
  await kill()
  arrived.release('drop')
  assert.deepEqual(await states(keys), ['queued 1 claimed', 'queued 1 claimed'])
  assert.equal(sends(), 0, 'nobody has seen it')
  await recover(keys, 2)
})

test('killed with the message taken and not answered for', async () => {
  const recorded = hold('recorded')
  const keys = await buyCard(rig)
  await recorded.reached()
  await kill()
  recorded.release('drop')
  assert.deepEqual(await states(keys), ['queued 1 claimed', 'queued 1 claimed'])
  await recover(keys, 1)
})

test('cancelled with its message in doubt, then killed with the cancellation taken: each arrives once', async () => {
  const recorded = hold('recorded')
  const keys = await buyCard(rig)
  await recorded.reached()
  await kill()
  recorded.release('drop')
  const giftId = keys[0]!.split('.')[0]!
  const answer = await rig.partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })
  assert.equal(answer.status, 200, answer.text)
  const told = keys.map((key) => key.replace('.gift.', '.cancellation.'))
  assert.deepEqual(await states([...keys, ...told]), [
    'queued 0 free',
    'queued 1 claimed',
    'queued 0 free',
    'queued 1 claimed',
  ])
  const again = hold('recorded')
  await passTime(rig)
  worker = await rig.startWorker()
  const taken = again.reached().then(() => true)
  await until(async () => {
    await passTime(rig, true)
    return Promise.race([taken, sleep(250).then(() => false)])
  })
  await kill()
  again.release('drop')
  worker = await rig.startWorker()
  await settleAll(rig)
  await assertArrived(rig, [...keys, ...told])
  assert.equal(sends(), 4, 'one request for each')
})

test('killed with the answer there and not noted', async () => {
  const recorded = hold('recorded')
  const keys = await buyCard(rig)
  await recorded.reached()
  const release = await holdLock(rig, 'select 1 from delivery where settled_at is null for update')
  recorded.release('go')
  await waitBlocked(rig, 2)
  await kill()
  await release()
  assert.deepEqual(await states(keys), ['queued 1 claimed', 'queued 1 claimed'])
  await recover(keys, 1)
})

test('killed with the answer noted and the job not completed', async () => {
  const recorded = hold('recorded')
  const keys = await buyCard(rig)
  await recorded.reached()
  const release = await holdLock(rig, 'select 1 from graphile_worker._private_jobs for update')
  recorded.release('go')
  await waitBlocked(rig, 1)
  await until(async () => (await states(keys)).every((state) => state === 'accepted 1 free'))
  await kill()
  await release()
  await recover(keys, 1)
})

test('killed once more while it asks', async () => {
  const recorded = hold('recorded')
  const keys = await buyCard(rig)
  await recorded.reached()
  await kill()
  recorded.release('drop')
  // Before the worker starts: on a slow machine the lease ends meanwhile, and its first sweep asks at once.
  const asked = hold('arrived', 'GET')
  worker = await rig.startWorker()
  await until(async () => {
    await passTime(rig)
    // The worker's sweep passes over rows that this has locked: without a pause it might never find them free.
    await sleep(250)
    // One may be asked about before the other is found.
    return (await states(keys)).every((state) => state.startsWith('unknown 1'))
  })
  const isAsked = asked.reached(1).then(() => true)
  // A question may break off on its way, and the next one comes minutes later.
  await until(async () => {
    await passTime(rig, true)
    return Promise.race([isAsked, sleep(250).then(() => false)])
  })
  await kill()
  asked.release('drop')
  await recover(keys, 1)
})

test('an answer that cannot be noted fails the job, and is asked for later', async () => {
  const recorded = hold('recorded')
  const keys = await buyCard(rig)
  await recorded.reached()
  const release = await holdLock(rig, 'select 1 from delivery where settled_at is null for update')
  recorded.release('go')
  await until(() => (worker.output().match(/"job":"send_deliveries"/g) ?? []).length >= 2)
  await release()
  assert.deepEqual(await states(keys), ['queued 1 claimed', 'queued 1 claimed'])
  await settleAll(rig)
  await assertArrived(rig, keys)
  assert.equal(sends(), 2)
})

test('stopped past its lease between claiming and sending, it sends nothing when it goes on', async () => {
  // Claims are held up at their commit: the worker is stopped when the database has it, and it has no answer yet.
  await rig.client.query(
    `create function hold_up() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock_shared(42); return null; end $$`,
  )
  await rig.client.query(
    `create constraint trigger held_up after update on delivery deferrable initially deferred
       for each row when (new.claimed_until is not null) execute function hold_up()`,
  )
  const release = await holdLock(rig, 'select pg_advisory_xact_lock(42)')
  const keys = await buyCard(rig)
  await waitBlocked(rig, 2)
  worker.child.kill('SIGSTOP')
  const stoppedAt = performance.now()
  const { rows } = await rig.client.query(
    'select id from graphile_worker.jobs where locked_at is not null order by locked_at desc limit 2',
  )
  const ids = rows.map(({ id }) => id)
  await release()
  await until(async () => (await states(keys)).join() === 'queued 1 claimed,queued 1 claimed')
  await rig.client.query('drop trigger held_up on delivery')
  const stopped = worker
  await recover(keys, 2)
  // Its own patience cannot be hurried.
  await sleep(LEASE_MS / 3 + 400 - (performance.now() - stoppedAt))
  // Its own only: those of workers that were killed before are unlocked in time.
  const held = async () =>
    (
      await rig.client.query(
        'select 1 from graphile_worker.jobs where id = any ($1) and locked_at is not null',
        [ids],
      )
    ).rows.length
  const countFailures = () => stopped.output().match(/"event":"job failed"/g)?.length ?? 0
  const failures = countFailures()
  stopped.child.kill('SIGCONT')
  await until(async () => (await held()) === 0)
  await assertArrived(rig, keys)
  assert.equal(sends(), 2)
  assert.equal(failures, countFailures(), 'it saw by itself that it was late')
  assert.equal(await stopped.kill('SIGTERM'), 0)
})

test('its connections are cut again and again: nothing is lost, and it goes on', async (t) => {
  // Slow enough that many are under way at any moment.
  rig.onRequest = (stage) => (stage === 'answered' ? undefined : sleep(60))
  const keys: string[] = []
  let cuts = 0
  const buying = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (cuts < 8) {
        keys.push(...(await buyCard(rig)))
        await sleep(40)
      }
    }),
  )
  for (; cuts < 8; cuts += 1) {
    await sleep(150 + Math.random() * 200)
    await rig.client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
  }
  await buying
  const open = await countOpen(rig)
  await settleAll(rig)
  await assertArrived(rig, keys)
  t.diagnostic(`${keys.length} messages over ${cuts} cuts; ${open} were open after the last`)
  assert.equal(worker.child.exitCode, null, 'the same process as before')
})

test('reports that come before the answer, and for a worker that is dead by then', async () => {
  const early = await startRig({ reports: { beforeAnswer: true }, nhn: false })
  let victim = await early.startWorker()
  early.onRequest = async (stage) => {
    if (stage === 'recorded') await victim.kill('SIGKILL')
  }
  const keys = await buyCard(early)
  await until(async () => (await readRows(early, keys)).some(({ status }) => status === 'delivered'))
  early.onRequest = () => {}
  victim = await early.startWorker()
  await settleAll(early)
  await assertArrived(early, keys)
  // The same with a worker that lives: what it notes afterwards changes nothing.
  const more = await buyCard(early)
  await until(async () => (await countOpen(early)) === 0)
  const rows = await assertArrived(early, more)
  assert.deepEqual(
    rows.map(({ history }) => history.join()),
    ['1 delivered', '1 delivered'],
  )
})

// `npm run prove -- kill-loop` kills more of them, and for as long as one likes.
const KILLS = 4
// Messages that wait for a worker at any time: enough to have some under way. Without a bound, a slow machine buys ten times
// as many, and is slower still for it.
const WAITING = 60
const SEED = Number(process.env.INGOT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

// What is left of a text when nobody may know it: the number and the PIN in it.
function secretsOf({ to, text }: Sent): string[] {
  const pin = /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(text)?.[0] ?? ''
  return [to, to.slice(1), pin, pin.replaceAll('-', '')]
}

test(`${KILLS} kills or more of a worker at random, with faults: none lost, none twice`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const kinds = ['error_500', 'accepted_then_500', 'reset_before', 'reset_after', 'rate_limited'] as const
  const wild = await startRig({
    reports: { delayMs: 200, twice: true, outOfOrder: true },
    solapi: { faults: { rate: 0.2, kinds, seed: SEED } },
    nhn: { faults: { rate: 0.2, kinds, seed: SEED + 1 } },
  })
  // Wide steps, so that death comes within them.
  const within = { arrived: 0, recorded: 0, answered: 0 }
  // Woken by the step itself: it may be over before anybody asks for it.
  const steps = new EventTarget()
  // What has only arrived when its worker dies is lost on the way: no report can tell of it, and the next worker has to miss it.
  // Its pause may end before the worker is known to be dead, or after that: hence the count.
  let death: Promise<unknown> | undefined
  let deaths = 0
  let dropped = 0
  wild.onRequest = async (stage, { method }) => {
    const step = method === 'POST' ? 1 : 0
    const deathsBefore = deaths
    within[stage] += step
    if (step > 0) steps.dispatchEvent(new Event(stage))
    await sleep(Math.random() * 60)
    within[stage] -= step
    if (stage !== 'arrived' || (death === undefined && deaths === deathsBefore)) return
    await death
    dropped += step
    throw new Error('dropped')
  }
  const countSent = () => wild.standIns.reduce((sum, { phones }) => sum + phones.all.length, 0)
  const keys: string[] = []
  let kills = 0
  let cutOff = 0
  const isEnough = () => kills >= KILLS && cutOff >= KILLS / 2
  // A test that fails must not go on buying: its process would never end.
  let isOver = false
  t.after(() => {
    isOver = true
  })
  // Some for each worker: what a dead one held waits for its lease, and what went wrong for its next attempt.
  let more = 0
  const mayBuy = () => keys.length < countSent() + WAITING * (kills + 1) + more
  const buying = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isEnough() && !isOver) {
        if (mayBuy()) keys.push(...(await buyCard(wild)))
        await sleep(20)
      }
    }),
  )
  // All that wait may be in doubt after a few faults, and nothing would be sent for minutes.
  async function reach(stage: keyof typeof within): Promise<void> {
    if (within[stage] > 0) return
    const buyMore = setInterval(() => {
      more += WAITING
    }, 2_000)
    await inTime(once(steps, stage), () => `a message is ${stage}`).finally(() => clearInterval(buyMore))
  }
  let output = ''
  for (; !isEnough(); kills += 1) {
    const victim = await wild.startWorker()
    await reach('arrived')
    await sleep(Math.random() * 200)
    await reach(kills % 2 === 0 ? 'recorded' : 'arrived')
    death = victim.kill('SIGKILL')
    await death
    death = undefined
    deaths += 1
    output += victim.output()
    const { rows } = await wild.client.query(
      'select count(*)::int as n from delivery where claimed_until is not null',
    )
    cutOff += rows[0].n > 0 ? 1 : 0
  }
  const last = await wild.startWorker()
  await buying
  await settleAll(wild)
  await Promise.all(wild.standIns.map((standIn) => standIn.reports.idle()))
  const rows = await assertArrived(wild, keys)
  output += last.output()
  const sent = wild.standIns.flatMap(({ phones }) => phones.all)
  const told = sent.flatMap(secretsOf).filter((secret) => output.includes(secret))
  assert.deepEqual(told, [], 'nothing of anyone in what the workers wrote')
  const lost = rows.filter(({ history }) => history.some((event) => / worker_lost/.test(event))).length
  assert.ok(lost > 0, 'some were in the hands of a worker that died')
  assert.ok(dropped > 0, 'some were lost on the way to the provider')
  const again = rows.filter(({ attempt }) => attempt > 1).length
  t.diagnostic(
    `${keys.length} messages; ${cutOff} of ${kills} kills left attempts under way, of ${lost} messages; ` +
      `${dropped} requests were lost on the way; ${again} were tried more than once`,
  )
})
