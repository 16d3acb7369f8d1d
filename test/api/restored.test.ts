import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { test } from 'node:test'
import pg from 'pg'
import { describeRestorations } from '#flows/restoration/describe-restorations.ts'
import { recordRestoration } from '#flows/restoration/record-restoration.ts'
import { skipNumbers } from '#flows/restoration/skip-numbers.ts'
import {
  approveTemplates,
  deliveriesOf,
  messagingSettings,
  settled,
  startStandIns,
} from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { freePort } from '#test/process.ts'
import { type Answer, assertBooks, BUY, call, startService, type TestService } from '#test/service.ts'
import { takeSnapshot } from '#test/snapshot.ts'
import { addLink } from '#test/web-view.ts'

const port = await freePort()
const standIns = await startStandIns(`http://127.0.0.1:${port}`, {})
const phones = [standIns.solapi.phones, standIns.nhn!.phones]
const environment = messagingSettings(standIns)
const service = await startService({ environment: { ...environment, PORT: String(port) } })
const { database } = service
await approveTemplates(service)
const partner = await service.addPartner({ name: '한빛페이' })

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

// A second of silence means that a message was never taken.
const providerTimeouts = {
  timeouts: { connectMs: 500, answerMs: 5_000 },
  circuit: { failures: 1_000 },
  pollAfterMs: 300,
  absentAfterMs: 1_000,
  retryAfterMs: 500,
}

// A worker belongs to the file: it outlives the test that started it.
const file = new AsyncResource('file')
const settings = { ...environment, INGOT_ROLES: 'worker' }
const startWorker = (): Promise<TestService> =>
  file.runInAsyncScope(startService, undefined, { beside: service, environment: settings, providerTimeouts })

let bought = 0

// A retry names the number of the first try.
async function buy(headers: Record<string, string> = {}, nth = ++bought): Promise<string> {
  const phoneNumber = `010-3000-${String(nth).padStart(4, '0')}`
  const answer = await until(async () => {
    const got = await partner.buy({ phoneNumber, amount: 1_000 }, headers)
    return got.status !== 503 && got
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.giftId
}

const numbers = async () => new Set((await query('select number from gift_card')).map(({ number }) => number))
const keysOf = (giftId: string, purpose = 'gift.0') =>
  ['alimtalk', 'text'].map((channel) => `${giftId}.${channel}.${purpose}`)
const arrivals = (key: string) => phones.reduce((sum, one) => sum + one.reached(key), 0)
const arrived = (giftId: string, purpose?: string) => keysOf(giftId, purpose).map(arrivals)
const sequences = async () =>
  new Map(
    (await query(`select sequencename, last_value from pg_sequences where schemaname = 'public'`)).map(
      ({ sequencename, last_value }) => [sequencename as string, (last_value ?? 0n) as bigint],
    ),
  )
// What is due later is looked at now.
async function hurry(): Promise<void> {
  await query(`update delivery set due_at = now() - interval '1 minute'
    where id in (select id from delivery where settled_at is null and claimed_until is null
                  order by id for no key update)`)
  await query(`select graphile_worker.add_job('sweep_deliveries', job_key => 'sweep')`)
}

const restore = () => recordRestoration(database, { to: restoredTo, actor: 'test' })
const readyz = async () => (await call(`${service.url}/readyz`)).headers.get('x-not-ready')
// A reminder, as the daily work writes it.
const remind = (giftId: string) =>
  query(
    `insert into delivery (card_id, channel, purpose, created_at)
    select $1, channel, 'reminder', service_now() from unnest(array['alimtalk', 'text']) as channel`,
    [giftId],
  )
// The last message was some minutes ago.
async function resend(giftId: string): Promise<Answer> {
  await query(`update delivery set created_at = created_at - interval '2 minutes' where card_id = $1`, [
    giftId,
  ])
  return partner.post(`${BUY}/${giftId}/resend`, '')
}

// Before.
const sent = await buy()
let worker = await startWorker()
await settled(partner, sent)
await worker.stop()
// The messages of the first leave in the lost time, those of the second do not.
const doubtful = await buy()
const unsent = await buy()
const kept = await buy({ 'idempotency-key': 'kept' })
const link = await addLink(service, partner)
const [hashKey, spareKey] = [await link.hashKey(), await link.hashKey()]
const open = (key: string) => call(`${service.url}/webview/${key}`, { redirect: 'manual' })
const cookie = (await open(hashKey)).headers.getSetCookie()[0]!.split(';')[0]!
const visit = () => call(`${service.url}/webview`, { headers: { cookie }, redirect: 'manual' })
assert.equal((await visit()).status, 200)
const restoredTo = Temporal.Now.instant()
const snapshot = await takeSnapshot(service.on)

// The lost time. Processes of the API live through all of it.
await until(async () => (await visit()).status === 200, 'the service is back')
await query(`update delivery set due_at = now() + interval '1 day' where card_id = $1`, [unsent])
await remind(sent)
worker = await startWorker()
await settled(partner, doubtful)
const lost = await buy({ 'idempotency-key': 'lost' })
assert.equal((await resend(sent)).status, 200)
await settled(partner, lost)
await settled(partner, sent)
await worker.stop()
const [issued, passed] = [await numbers(), await sequences()]
await snapshot.putBack()
await until(
  async () => (await visit()).status === 200,
  'the service is back, and the session of before opens',
)

// The backup is older than a day: what was due then is not forgotten, but due now.
await query(`update delivery set due_at = now() - interval '3 days' where settled_at is null`)

test('cut off in the middle, nothing was done; done twice, it is one', async () => {
  const holder = new pg.Client(service.on.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table onboarding in access exclusive mode')
  const cut = assert.rejects(restore())
  const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await query(blocked)).length > 0, 'it waits in the middle')
  await query(`select pg_terminate_backend(pid) from (${blocked}) victim`)
  await cut
  await holder.end()
  assert.deepEqual([(await visit()).status, await readyz()], [200, null])
  assert.equal((await restore()).kind, 'recorded')
  assert.equal((await restore()).kind, 'known')
  assert.equal((await query('select from restoration')).length, 1)
  await assertBooks(database)
  assert.equal((await query(`select from audit_entry where action = 'installation.restored'`)).length, 1)
})

test('what let a browser in is ended, and the service is not ready before all is checked', async () => {
  assert.equal((await visit()).status, 401)
  assert.equal((await open(spareKey)).status, 404)
  assert.equal(await readyz(), 'restoration')
  assert.equal((await open(await link.hashKey())).status, 303, 'a new key opens')
})

test('no number repeats: of cards, and of any row', async () => {
  const now = await sequences()
  for (const [name, value] of passed) assert.ok(now.get(name)! > value, `${name} is beyond the lost time`)
  // More than one block, also of a process that had numbers of before at hand.
  const fresh = await Promise.all(Array.from({ length: 140 }, () => buy()))
  const rows = await query('select number from gift_card where id = any($1)', [fresh])
  assert.deepEqual(
    rows.filter(({ number }) => issued.has(number)),
    [],
  )
})

test('a backup that is restored twice: each time the ids begin elsewhere', async () => {
  const backup = await sequences()
  const restored = async () => {
    for (const [name, value] of backup) await query('select setval($1::regclass, $2)', [name, value])
    await database.withTransaction((tx) => skipNumbers(tx))
    return sequences()
  }
  const [first, second] = [await restored(), await restored()]
  for (const [name, value] of backup) {
    assert.ok(first.get(name)! > value && second.get(name)! >= first.get(name)!, name)
    // A small id changes its place every half second.
    if (value > 2n ** 31n) assert.ok(second.get(name)! > first.get(name)!, name)
  }
  assert.ok(backup.get('gift_card_serial_block')! > 2n ** 31n)
})

test('a key that is here answers as before; a lost one buys anew', async () => {
  assert.equal(await buy({ 'idempotency-key': 'kept' }, 4), kept)
  assert.notEqual(await buy({ 'idempotency-key': 'lost' }, 5), lost)
})

test('messages from before wait while a provider cannot be asked, and new ones leave', async () => {
  standIns.solapi.answerQuestions(false)
  worker = await startWorker()
  const fresh = await buy()
  await until(() => arrived(fresh).join() === '1,1', 'new ones leave')
  await until(async () => (await readyz()) === null, 'all is checked')
  const silent = `select from restoration_listing where provider = 'solapi' and trouble = 'server_error'`
  await until(async () => (await query(silent)).length === 1, 'it was asked in vain')
  await hurry()
  await until(
    async () =>
      (
        await query(
          `select from delivery where reason is null and due_at > now() + interval '10 seconds'
    and card_id = $1`,
          [unsent],
        )
      ).length === 2,
    'they were looked at',
  )
  assert.deepEqual(
    [arrived(doubtful), arrived(unsent)],
    [
      [1, 1],
      [0, 0],
    ],
  )
  assert.equal((await resend(sent)).status, 409, 'one of its messages may be under way')
  assert.match((await call(`${service.url}/metrics`)).text, /^ingot_restoration_messages_held 1$/m)
})

test('once they were asked: none twice, the unsent one is sent', async () => {
  standIns.solapi.answerQuestions(true)
  await query(`select graphile_worker.add_job('examine_restorations')`)
  await until(
    async () => (await query('select from restoration where released_at is null')).length === 0,
    'all were asked',
  )
  await remind(sent)
  assert.equal((await resend(sent)).status, 200)
  await until(async () => {
    await hurry()
    return (await query('select from delivery where settled_at is null')).length === 0
  }, 'every message is at its end')
  for (const giftId of [sent, doubtful, unsent, kept, lost]) assert.deepEqual(arrived(giftId), [1, 1], giftId)
  assert.deepEqual(arrived(sent, 'reminder.0'), [1, 1])
  // The second was asked for after the restore.
  assert.deepEqual(
    [arrived(sent, 'resend.1'), arrived(sent, 'resend.2')],
    [
      [1, 1],
      [1, 1],
    ],
  )
  assert.deepEqual(
    phones.flatMap(({ doubled }) => doubled),
    [],
  )
  const [alimtalk] = await deliveriesOf(partner, doubtful)
  assert.deepEqual(
    alimtalk!.events.map(({ status, reason }) => `${status} ${reason ?? ''}`.trim()),
    ['queued', 'unknown restored', 'delivered'],
  )
})

test('what was lost is listed, masked, from what the providers say', async () => {
  const { lost: found } = await describeRestorations(database)
  const lines = found.map((one) =>
    [one.giftId, one.purpose, one.channel, one.delivered, one.recipient, one.cardIsHere].join(' '),
  )
  const expected = ['alimtalk', 'text'].flatMap((channel) => [
    `${lost} gift ${channel} true 010-****-0005 false`,
    `${sent} resend ${channel} true 010-****-0001 true`,
  ])
  assert.deepEqual(lines.sort(), expected.sort())
  // Nothing that would let a stranger call or redeem.
  const [row] = await query('select jsonb_agg(l)::text as text from lost_attempt l')
  assert.doesNotMatch(row.text, /01030000005|[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/)
})

test('told again it is known, unless another restore came between', async () => {
  await worker.stop()
  const tell = async (to?: Temporal.Instant, anew = false) =>
    (await recordRestoration(database, { to, actor: 'test', anew })).kind
  assert.deepEqual([await tell(), await tell(), await tell()], ['recorded', 'known', 'known'])
  assert.equal(await tell(undefined, true), 'recorded', 'a restore that the service itself made')
  assert.equal(await tell(), 'known')
  // As another timeline, or a server that does not say which it is on, would have left it.
  const leave = (history: string | null) =>
    query(
      `insert into audit_entry (actor, action, subject, details, at) select 'test', 'installation.restored',
         'installation', jsonb_build_object('history', $1::text), max(service_at) from restoration`,
      [history],
    )
  for (const history of ['7 00000001', null]) {
    await leave(history)
    assert.deepEqual([await tell(), await tell()], ['recorded', 'known'])
  }
  const to = Temporal.Now.instant()
  assert.deepEqual([await tell(to), await tell(to)], ['recorded', 'known'])
  await leave(null)
  assert.equal(await tell(to), 'known', 'then the time tells')
})

test('the books hold', async () => {
  await assertBooks(database)
})
