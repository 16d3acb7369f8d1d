import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { continueRetry, startRetry, stopRetry } from '#flows/deliveries/retry-deliveries.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import { listRetries } from '#modules/deliveries/retries.ts'
import { decideRetry, type EarlierSend, type RetryFacts } from '#modules/deliveries/retry.ts'
import type { Status } from '#modules/deliveries/types.ts'
import { markSent } from '#test/deliveries.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const partner = await service.addPartner()
const support = await service.consoleAs('support')
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows

async function buy(): Promise<string> {
  return (await partner.buy({ phoneNumber: PHONE, amount: 10_000 })).body.data.giftId
}

// A card whose messages failed two minutes ago.
async function failedCard(
  channels: readonly ('alimtalk' | 'text')[] = ['alimtalk', 'text'],
): Promise<string> {
  const card = await buy()
  for (const channel of channels) await markSent(service, card, { channel, status: 'failed' })
  return card
}

const messagesOf = (card: string) =>
  rows('select id, channel, purpose, ordinal, status from delivery where card_id = $1 order by id', card)
const resends = async (card: string) =>
  (await messagesOf(card)).filter(({ purpose }) => purpose === 'resend').map(({ channel }) => channel)
const wait = () => advanceClock(database, { seconds: 120, actor: 'test' })

const today = async () => (await rows('select seoul_date(service_now())::text as day'))[0].day as string
const filterOf = async (changes: object = {}) => {
  const day = await today()
  return { channel: null, provider: null, reason: null, from: day, to: day, ...changes }
}

// The message of the card, and one that came after it.
const message = { id: 1n, channel: 'text', purpose: 'gift', status: 'failed' } as const
const send = (changes: Partial<EarlierSend>): EarlierSend => ({
  id: 1n,
  channel: 'text',
  purpose: 'gift',
  ordinal: 0,
  status: 'failed',
  isOpen: false,
  ageSeconds: 600,
  ...changes,
})
const later = (status: Status, changes: Partial<EarlierSend> = {}) =>
  send({ id: 2n, purpose: 'resend', ordinal: 1, status, isOpen: status === 'queued', ...changes })
const facts = (changes: Partial<RetryFacts> = {}): RetryFacts => ({
  card: { status: 'issued', isPast: false },
  message,
  sends: [send({})],
  ...changes,
})

for (const [what, given, expected] of [
  ['a failed message', facts(), 1],
  ['one that is on its way', facts({ message: { ...message, status: 'accepted' } }), 'not_failed'],
  ['one that is unknown', facts({ message: { ...message, status: 'unknown' } }), 'not_failed'],
  ['a reminder', facts({ message: { ...message, purpose: 'reminder' } }), 'not_retryable'],
  ['of a used card', facts({ card: { status: 'used', isPast: false } }), 'not_valid'],
  ['of a card past its day', facts({ card: { status: 'issued', isPast: true } }), 'not_valid'],
  [
    'arrived on the other channel',
    facts({ sends: [send({}), send({ channel: 'alimtalk', status: 'delivered' })] }),
    'arrived',
  ],
  ['a resend is queued', facts({ sends: [send({}), later('queued')] }), 'on_its_way'],
  ['a resend was accepted long ago', facts({ sends: [send({}), later('accepted')] }), 'on_its_way'],
  ['a resend was given up as unknown', facts({ sends: [send({}), later('unknown')] }), 'on_its_way'],
  ['a resend failed too', facts({ sends: [send({}), later('failed')] }), 'superseded'],
  ['too young', facts({ sends: [send({ ageSeconds: 10 })] }), 'too_soon'],
  [
    'the other channel is open',
    facts({ sends: [send({}), send({ channel: 'alimtalk', status: 'queued', isOpen: true })] }),
    1,
  ],
] as const) {
  test(`retry: ${what}`, () => {
    const decision = decideRetry(given)
    assert.equal('ordinal' in decision ? decision.ordinal : decision.reason, expected)
  })
}

test('one message is sent again on its channel, once, with an audit entry; the console says why not', async () => {
  const card = await failedCard(['text'])
  await rows(`update delivery set due_at = 'infinity' where card_id = $1 and channel = 'alimtalk'`, card)
  const [text] = (await messagesOf(card)).filter(({ channel }) => channel === 'text')
  const retry = () => support.post(`/deliveries/${text.id}/retry`, { reason: 'the recipient called' })
  const soon = await retry()
  assert.deepEqual([soon.status, soon.body.errors[0].detail], [409, 'too_soon'])
  await wait()
  const done = await retry()
  assert.deepEqual([done.status, done.body], [200, { cardId: card, channel: 'text' }])
  assert.deepEqual(await resends(card), ['text'])
  const again = await retry()
  assert.deepEqual([again.status, again.body.errors[0].detail], [409, 'on_its_way'])
  const entries = await listAuditEntries(database.db, TEST_VAULT, card)
  const entry = entries.find(({ action }) => action === 'delivery.retry')!
  assert.equal(entry.actor, `staff:${support.staff.email}`)
  assert.match(JSON.stringify(entry), /the recipient called/)
  assert.equal((await support.post('/deliveries/999999999/retry', { reason: 'x' })).status, 404)
  assert.equal((await support.post(`/deliveries/${text.id}/retry`, { reason: ' ' })).status, 400)
})

test('many: a job with progress that survives a kill, leaves alone what must not be sent, and is stopped', async () => {
  await rows('update delivery set due_at = $1 where settled_at is null', 'infinity')
  const cards = []
  for (let i = 0; i < 9; i += 1) cards.push(await failedCard())
  const [arrived, voided, unknown, ...others] = cards
  await rows(
    `update delivery set status = 'delivered', retryable = null, reason = null where card_id = $1 and channel = 'text'`,
    arrived,
  )
  await rows(
    `insert into delivery_event (delivery_id, attempt, at, status)
              select id, 1, service_now(), 'delivered' from delivery where card_id = $1 and channel = 'text'`,
    arrived,
  )
  await voidCard(database, {
    card: { kind: 'uuid', uuid: voided! },
    reason: 'test',
    actor: 'test',
    approvalFrom: 1_000_000n,
  })
  await rows(
    `update delivery set status = 'unknown', retryable = null, reason = 'given_up' where card_id = $1`,
    unknown,
  )
  await rows(
    `insert into delivery_event (delivery_id, attempt, at, status, reason)
              select id, 1, service_now(), 'unknown', 'given_up' from delivery where card_id = $1`,
    unknown,
  )
  await wait()

  const day = await today()
  const body = { failure: 'rejected', from: day, to: day, reason: 'the provider was down' }
  const started = await support.post('/delivery-retries', body)
  assert.equal(started.status, 200, started.text)
  assert.equal((await support.post('/delivery-retries', body)).body.errors[0].detail, 'another_runs')
  // The job and the audit entry are of the same commit.
  const jobs = await rows(`select 1 from graphile_worker.jobs where task_identifier = 'retry_deliveries'`)
  const entries = await rows('select * from audit_entry where subject = $1', started.body.id)
  assert.deepEqual([jobs.length, entries.map(({ action }) => action)], [1, ['delivery.retry_many']])

  await continueRetry(database, { chunk: 4 })
  const shown = async () => (await support.get('/delivery-health')).body.retries[0]
  const first = await shown()
  assert.ok(first.status === 'running' && first.left > 0 && first.left < first.total, JSON.stringify(first))
  // Killed inside a chunk: nothing of it remains.
  const before = (await rows('select count(*)::int as n from delivery'))[0].n
  const dying = {
    ...database,
    withTransaction: (work: (tx: never) => Promise<unknown>) =>
      database.withTransaction(async (tx) => {
        await work(tx as never)
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      }),
  } as unknown as typeof database
  await assert.rejects(continueRetry(dying, { chunk: 4 }))
  assert.equal((await rows('select count(*)::int as n from delivery'))[0].n, before)
  while (!(await continueRetry(database, { chunk: 4 })).isOver);

  const over = await shown()
  assert.equal(over.status, 'done')
  assert.deepEqual([over.left, over.askedBy], [0, `staff:${support.staff.email}`])
  for (const card of others) assert.deepEqual((await resends(card)).sort(), ['alimtalk', 'text'])
  for (const card of [arrived!, voided!, unknown!]) assert.deepEqual(await resends(card), [], card)

  // The same again finds that all of it is on its way.
  await startRetry(database, {
    filter: await filterOf({ reason: 'rejected' }),
    actor: 'test',
    reason: 'test',
  })
  while (!(await continueRetry(database, { chunk: 4 })).isOver);
  const [last] = await listRetries(database)
  assert.equal(last!.queued, 0)
  for (const card of others) assert.equal((await resends(card)).length, 2)
})

test('a stopped retry queues no more; what is asked badly changes nothing', async () => {
  await failedCard()
  await failedCard()
  await wait()
  const started = await startRetry(database, { filter: await filterOf(), actor: 'test', reason: 'test' })
  assert.ok(started.kind === 'done')
  await continueRetry(database, { chunk: 1 })
  const stop = () => support.post(`/delivery-retries/${started.id}/stop`, { reason: 'enough' })
  assert.equal((await stop()).status, 200)
  const before = (await rows('select count(*)::int as n from delivery'))[0].n
  assert.deepEqual(await continueRetry(database), { isOver: true, queued: 0 })
  assert.equal((await rows('select count(*)::int as n from delivery'))[0].n, before)
  assert.equal((await stop()).body.errors[0].detail, 'not_running')
  assert.deepEqual(
    await stopRetry(database, { id: '01900000-0000-7000-8000-000000000000', actor: 'a', reason: 'b' }),
    {
      kind: 'refused',
      reason: 'not_found',
    },
  )
  const day = await today()
  for (const bad of [
    { from: day, to: '2020-01-01', reason: 'x' },
    { from: 'yesterday', to: day, reason: 'x' },
    { from: day, to: day },
    { from: day, to: day, channel: 'pigeon', reason: 'x' },
  ])
    assert.equal((await support.post('/delivery-retries', bad)).status, 400, JSON.stringify(bad))
  const none = await support.post('/delivery-retries', {
    failure: 'never_heard',
    from: day,
    to: day,
    reason: 'x',
  })
  assert.equal(none.body.errors[0].detail, 'nothing_failed')
})

test('why a retry was begun is for those who may begin one', async () => {
  const told = await support.get('/delivery-health?days=30')
  const viewer = await service.consoleAs('viewer')
  const seen = await viewer.get('/delivery-health?days=30')
  const why = ({ body }: typeof seen) => body.retries.map((one: { why: string | null }) => one.why)
  assert.ok(why(told).length > 0 && why(told).every((text: string | null) => text))
  assert.deepEqual(
    why(seen),
    why(told).map(() => null),
  )
})
