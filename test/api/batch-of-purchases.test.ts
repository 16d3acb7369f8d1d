import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createMetrics } from '#app/metrics.ts'
import { type Database, openDatabase } from '#base/db/db.ts'
import { Unavailable } from '#base/db/errors.ts'
import { type BuyCommand, createBuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import { until } from '#test/patience.ts'
import { TEST_RING, TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'
import { writingBy } from '#test/writing-by.ts'

const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const metrics = createMetrics()

function buyer(on: Database, sharedLines?: number) {
  return createBuyGiftCard({
    database: on,
    keys,
    numberKey: TEST_RING.numberKey,
    metrics,
    ...(sharedLines ? { sharedLines } : {}),
  })
}

const command = (partnerId: number, amount: bigint): BuyCommand => ({
  partnerId,
  keyId: 'test',
  phoneNumber: '+821012345678',
  amount,
  idempotencyKey: undefined,
})

// Counts what is sent, so that "one round trip per batch" is seen and not believed.
const counting = (statements: string[]) =>
  writingBy(database, (write) => (statement, values) => {
    statements.push(statement.name)
    return write(statement, values)
  })

// How many batches of purchases wait for what others hold, and have for so long.
async function waitingForLocks(ms = 0): Promise<number> {
  const { rows } = await database.pool.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from write_purchases%'
        and clock_timestamp() - query_start > $1 * interval '1 millisecond'`,
    [ms],
  )
  return rows.length
}

// Holds what a partner owes until it is let go, at the latest as the test ends.
async function holdAccount(t: TestContext, partnerId: number) {
  const holder = await database.pool.connect()
  let isHeld = true
  const letGo = async () => {
    if (!isHeld) return
    isHeld = false
    await holder.query('rollback')
    holder.release()
  }
  t.after(letGo)
  await holder.query('begin')
  await holder.query('select 1 from account where partner_id = $1 for update', [partnerId])
  return letGo
}

test('64 purchases at once are a few batches of one statement each', async () => {
  const { partner } = await service.addPartner()
  const statements: string[] = []
  const buy = buyer(counting(statements))
  await buy(command(partner.id, 1n))
  statements.length = 0
  const outcomes = await Promise.all(Array.from({ length: 63 }, () => buy(command(partner.id, 10n))))
  assert.ok(outcomes.every((outcome) => outcome.kind === 'issued'))
  const batches = statements.filter((name) => name === 'write_purchases').length
  assert.ok(batches >= 1 && batches <= 3, `${batches} batches for 63 purchases`)
})

test('an idle call is one statement, sent at once', async () => {
  const { partner } = await service.addPartner()
  const statements: string[] = []
  const buy = buyer(counting(statements))
  await buy(command(partner.id, 1n))
  statements.length = 0
  for (let i = 0; i < 20; i += 1) await buy(command(partner.id, 1n))
  assert.equal(statements.length, 20)
})

test('purchases of several partners are one statement; equal keys of two partners are two keys', async () => {
  const partners = await Promise.all(Array.from({ length: 5 }, () => service.addPartner()))
  const statements: string[] = []
  const buy = buyer(counting(statements), 1)
  await buy(command(partners[0]!.partner.id, 1n))
  statements.length = 0
  const outcomes = await Promise.all(
    partners.map(({ partner }, i) =>
      buy({ ...command(partner.id, BigInt(i + 10)), idempotencyKey: 'order-1' }),
    ),
  )
  assert.deepEqual(statements, ['write_purchases'])
  assert.ok(outcomes.every(({ kind }) => kind === 'issued'))
  for (const [i, { get }] of partners.entries()) {
    const usage = await get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
    assert.equal(usage.body.totalIssued, (i === 0 ? 1 : 0) + i + 10)
  }
})

test('a poisoned command fails alone, and its neighbours are bought, whosever they are', async () => {
  const { partner, get } = await service.addPartner()
  const { partner: neighbour } = await service.addPartner()
  const buy = buyer(database, 1)
  // A limit in the database that no rule above it knows of: what a mistake of ours would look like.
  await sql`alter table gift_card add constraint no_1313 check (amount <> 1313)`.execute(database.db)
  try {
    const amounts = [100n, 200n, 1313n, 400n, 500n]
    const others = [1n, 2n].map((amount) => buy(command(neighbour.id, amount)))
    const settled = await Promise.allSettled(amounts.map((amount) => buy(command(partner.id, amount))))
    assert.ok((await Promise.all(others)).every(({ kind }) => kind === 'issued'))
    assert.deepEqual(
      settled.map((result) => (result.status === 'fulfilled' ? result.value.kind : 'failed')),
      ['issued', 'issued', 'failed', 'issued', 'issued'],
    )
    const failed = settled[2] as PromiseRejectedResult
    assert.equal((failed.reason as pg.DatabaseError).constraint, 'no_1313')
    const usage = await get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
    assert.equal(usage.body.totalIssued, 1200)
  } finally {
    await sql`alter table gift_card drop constraint no_1313`.execute(database.db)
  }
})

test('500 for the poisoned one over HTTP, with the cause in the log and not in the answer', async () => {
  const { buy } = await service.addPartner()
  await sql`alter table gift_card add constraint no_1414 check (amount <> 1414)`.execute(database.db)
  try {
    const answer = await buy({ phoneNumber: '010-1234-5678', amount: 1414 })
    assert.deepEqual([answer.status, answer.text], [500, '{"error":"Internal error"}'])
    const line = service.log.find((entry) => entry.includes('no_1414'))
    assert.match(line ?? '', /"sqlState":"23514"/)
  } finally {
    await sql`alter table gift_card drop constraint no_1414`.execute(database.db)
  }
})

test('a value that the database refuses is 400 for its sender, and the others of the batch are bought', async () => {
  const { buy } = await service.addPartner()
  // Refused with 22P02, as a value is that no column holds and no schema knows of.
  await sql`alter table gift_card add constraint no_1515
    check (amount <> 1515 or ('x' || amount)::bigint > 0)`.execute(database.db)
  try {
    const amounts = [100, 200, 1515, 400, 500]
    const answers = await Promise.all(amounts.map((amount) => buy({ phoneNumber: '010-1234-5678', amount })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400, 200, 200],
    )
    assert.equal(answers[2]!.text, '{"error":"Invalid request"}')
    const line = service.log.find((entry) => entry.includes('value refused by the database'))
    assert.match(line ?? '', /"sqlState":"22P02"/)
    assert.ok(!line?.includes('x1515'))
  } finally {
    await sql`alter table gift_card drop constraint no_1515`.execute(database.db)
  }
})

test('a lost connection answers unavailable to all of its batch and reruns nothing', async () => {
  const { partner } = await service.addPartner()
  let sent = 0
  const losing = writingBy(database, (write) => async (statement, values) => {
    if (statement.name !== 'write_purchases') return write(statement, values)
    sent += 1
    throw new Unavailable('connection lost')
  })
  const buy = buyer(losing)
  const settled = await Promise.allSettled([1n, 2n, 3n].map((amount) => buy(command(partner.id, amount))))
  assert.ok(settled.every((result) => result.status === 'rejected' && result.reason instanceof Unavailable))
  assert.ok(sent >= 1 && sent <= 3)
})

test('accounts are locked in id order, outstanding before what a partner owes, as voids lock them', async () => {
  const { partner } = await service.addPartner()
  const buy = buyer(database, 1)
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query(`select 1 from account where kind = 'outstanding_cards' for update`)
    const waiting = buy(command(partner.id, 1n))
    await until(async () => (await waitingForLocks()) > 0)
    await holder.query('select 1 from account where partner_id = $1 for update nowait', [partner.id])
    await holder.query('rollback')
    assert.equal((await waiting).kind, 'issued')
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('what is held of one partner does not stop the others of its batch', async (t) => {
  const [held, other] = [await service.addPartner(), await service.addPartner()]
  const statements: string[] = []
  const buy = buyer(counting(statements), 1)
  await buy(command(other.partner.id, 1n))
  const letGo = await holdAccount(t, held.partner.id)
  statements.length = 0
  const waiting = buy({ ...command(held.partner.id, 1n), idempotencyKey: 'order-1' })
  const others = await Promise.all([1n, 2n, 3n].map((amount) => buy(command(other.partner.id, amount))))
  assert.ok(others.every(({ kind }) => kind === 'issued'))
  // The batch of all, which waits, the one that passes over what is held, and that of the held one.
  await until(() => statements.length === 3)
  // What is known to be held does not stop the others again.
  statements.length = 0
  const late = buy(command(held.partner.id, 2n))
  assert.equal((await buy(command(other.partner.id, 4n))).kind, 'issued')
  assert.equal(statements.length, 1)
  await letGo()
  const first = await waiting
  assert.equal(first.kind, 'issued')
  assert.equal((await late).kind, 'issued')
  // Its idempotency key was let go of with the batch, and kept with its own.
  const again = await buy({ ...command(held.partner.id, 1n), idempotencyKey: 'order-1' })
  assert.equal(again.kind, 'replayed')
})

test('a held partner holds no account of others while it waits', async (t) => {
  const { partner } = await service.addPartner()
  const buy = buyer(database, 1)
  const first = { ...command(partner.id, 1n), idempotencyKey: 'order-1' }
  await buy(first)
  const letGo = await holdAccount(t, partner.id)
  const waiting = buy(command(partner.id, 1n))
  // In its own line it waits for the account alone.
  await until(async () => (await waitingForLocks(700)) > 0)
  await database.pool.query(`select 1 from account where kind = 'outstanding_cards' for update nowait`)
  // A repeat that another process gets has its answer meanwhile: it needs no credit.
  assert.equal((await buyer(database, 1)(first)).kind, 'replayed')
  await letGo()
  assert.equal((await waiting).kind, 'issued')
})

test('a partner that is only busy gets its turns while others are held', async (t) => {
  const busy = await service.addPartner()
  const held = await Promise.all(Array.from({ length: 6 }, () => service.addPartner()))
  // Waits for locks until they are let go of, and no longer than others for its turn.
  const patient = openDatabase({
    connection: service.on.connection,
    maxConnections: 12,
    waitMs: 60_000,
    onIdleError: () => {},
  })
  const buy = buyer(patient, 1)
  const locks = await Promise.all(held.map(({ partner }) => holdAccount(t, partner.id)))
  const answered: string[] = []
  const waiting = held.flatMap(({ partner }) =>
    Array.from({ length: 24 }, () =>
      buy(command(partner.id, 1n))
        .catch(() => ({ kind: 'given up' }))
        .then(({ kind }) => answered.push(kind)),
    ),
  )
  try {
    // In lines of their own, as many as have turns.
    await until(async () => (await waitingForLocks()) >= 2)
    // More than may share a line.
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => buy(command(busy.partner.id, 1n))))
    assert.ok(outcomes.every(({ kind }) => kind === 'issued'))
    assert.ok(!answered.includes('issued'), 'the locks were held all the time')
  } finally {
    for (const letGo of locks) await letGo()
    await Promise.all(waiting)
    await patient.close()
  }
})

test("one partner's lock does not stop the others; the wait is bounded", async () => {
  const slow = await service.addPartner()
  const quick = await service.addPartner()
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from account where partner_id = $1 for update', [slow.partner.id])
    const waiting = slow.buy({ phoneNumber: '010-1234-5678', amount: 1 })
    assert.equal((await quick.buy({ phoneNumber: '010-1234-5678', amount: 1 })).status, 200)
    const answer = await waiting // while the lock is still held
    assert.deepEqual([answer.status, answer.text], [503, '{"error":"Service unavailable"}'])
    assert.equal(answer.headers.get('retry-after'), '1')
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  assert.equal((await slow.buy({ phoneNumber: '010-1234-5678', amount: 1 })).status, 200)
})
