import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Origin } from '#base/origin.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import type { ChangeKind } from '#modules/approvals/types.ts'
import { listOrdersByHand, readMarket } from '#modules/pricing/store.ts'
import { addHolder, testMetrics } from '#test/holders.ts'
import { advanceClock, changePartner, changeTerms, decideChange, requestPrice } from '#test/operator.ts'
import { startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

// What takes two people, and how one person might try to do without the second.
const service = await startService()
const { database } = service
const why = { reason: 'test', actor: 'first' }
const KINDS: ChangeKind[] = ['price', 'terms', 'credit_limit']

const approve = (id: string, actor = 'second', staffId?: string) =>
  decideChange(database, { id, kinds: KINDS, act: 'approve', actor, staffId, note: '' })
const reference = async () => (await readMarket(database)).metals.XAU?.reference
const ask = async (wonPerGram: bigint, force = false, origin?: Origin) => {
  const wish = { metal: 'XAU', wonPerGram, force, ...why, ...(origin ? { origin } : {}) } as const
  return (await requestPrice(database, wish)).request
}

let staff = 0
async function addStaff(role: string, account?: string): Promise<string> {
  staff += 1
  const { rows } = await database.pool.query(
    `insert into staff (id, email, name, role, created_at)
     values (gen_random_uuid(), $1, 'staff', $2, service_now()) returning id`,
    [`staff-${staff}@ingot.example`, role],
  )
  const { id } = rows[0]
  const told = `insert into audit_entry (actor, action, subject, details) values ('test', $1, $2, jsonb_build_object('after', $3::jsonb))`
  await database.pool.query(told, ['staff.add', id, { role }])
  if (account !== undefined) await database.pool.query(told, ['staff.bind', id, { account }])
  if (account !== undefined)
    await database.pool.query(
      `insert into staff_account (account, staff_id, bound_at, bound_by) values ($1, $2, service_now(), 'test')`,
      [account, id],
    )
  return id
}

await feedPrice(database, 'XAU', 200_000n)

test('a price by hand holds once another person has approved it, and not before', async () => {
  const { id } = await ask(210_000n)
  assert.equal(await reference(), 200_000n)
  await assert.rejects(approve(id, 'first'), /same_person/)
  await assert.rejects(approve(id, 'cli:uid unknown'), /unknown_person/)
  const results = await Promise.allSettled([approve(id), approve(id, 'third')])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await reference(), 210_000n)
  await assert.rejects(approve(id), /reason: 'executed'/)
})

test('one person with two accounts is one person, where the machine can tell; what was seen is recorded', async () => {
  const seen = { machine: 'm', boot: 'b', userNamespace: 'u', sudoUid: null, terminal: null }
  const mina = { ...seen, uid: 1001, loginUid: 1001 }
  const { id } = await ask(209_000n, false, mina)
  const decide = (origin: typeof mina) =>
    decideChange(database, { id, kinds: KINDS, act: 'approve', actor: 'second', origin, note: '' })
  await assert.rejects(decide({ ...mina, uid: 1002 }), /same_login/)
  await assert.rejects(
    database.pool.query(`update change_request set maker_origin = null where id = $1`, [id]),
    { code: '23001' },
  )
  await decide({ ...mina, uid: 1002, loginUid: 1002 })
  const { rows } = await database.pool.query(`select details from audit_entry where subject = $1`, [id])
  const { toldApartBy, makerSeen } = rows[0].details
  assert.deepEqual([toldApartBy, makerSeen], ['log-in', 'uid 1001, login 1001, no terminal'])
  const { rows: kept } = await database.pool.query(
    `select maker_origin ->> 'uid' as maker, checker_origin ->> 'uid' as checker from change_request where id = $1`,
    [id],
  )
  assert.deepEqual(kept, [{ maker: '1001', checker: '1002' }])
})

test('a price by hand stays near: 15% without a word, 50% of the feed at most, by anyone', async () => {
  await feedPrice(database, 'XAU', 200_000n)
  await assert.rejects(ask(231_000n), /price_jump.*last: 200000n/)
  await assert.rejects(ask(301_000n, true), /price_beyond_hand/)
  await assert.rejects(ask(99_000n, true), /price_beyond_hand/)
  // Step by step it goes no farther: the feed is the measure, not the last step.
  await approve((await ask(290_000n, true)).id)
  await assert.rejects(ask(310_000n), /price_beyond_hand/)
  await feedPrice(database, 'XAU', 200_000n)
})

test('refused when the price has moved since, or nobody approved within the hour', async () => {
  const { id } = await ask(220_000n)
  await feedPrice(database, 'XAU', 212_000n)
  await assert.rejects(approve(id), /price_moved.*last: 212000n/)
  const late = await ask(220_000n)
  await advanceClock(database, { seconds: 3_601, actor: 'test' })
  await assert.rejects(approve(late.id), /reason: 'expired'/)
  await feedPrice(database, 'XAU', 200_000n)
})

// Changes of the terms from 1% spread, 0.3% fee, 300 s.
for (const [changes, people] of [
  [{ spreadBps: 99 }, 2],
  [{ feeBps: 29 }, 2],
  [{ maxAgeSeconds: 301 }, 2],
  [{ spreadBps: 5_000, feeBps: 29 }, 2],
  [{ spreadBps: 0, feeBps: 0 }, 2],
  [{ spreadBps: 100 }, 1],
  [{ spreadBps: 101 }, 1],
  [{ feeBps: 31 }, 1],
  [{ maxAgeSeconds: 299 }, 1],
] as const) {
  test(`terms ${JSON.stringify(changes)} take ${people}`, async () => {
    const metal = 'XAG'
    const back = await changeTerms(database, {
      metal,
      changes: { spreadBps: 100, feeBps: 30, maxAgeSeconds: 300 },
      ...why,
    })
    if (back.kind === 'waiting') await approve(back.request.id)
    const outcome = await changeTerms(database, { metal, changes, ...why })
    assert.equal(outcome.kind, people === 2 ? 'waiting' : 'done')
    if (outcome.kind === 'done') return
    await assert.rejects(approve(outcome.request.id, 'first'), /same_person/)
    const { terms } = await readMarket(database)
    assert.deepEqual([terms.XAG.spreadBps, terms.XAG.feeBps], [100, 30])
    await approve(outcome.request.id)
  })
}

test('terms that changed meanwhile are asked for again', async () => {
  const outcome = await changeTerms(database, { metal: 'XAU', changes: { spreadBps: 90 }, ...why })
  assert.ok(outcome.kind === 'waiting')
  await changeTerms(database, { metal: 'XAU', changes: { feeBps: 40 }, ...why })
  await assert.rejects(approve(outcome.request.id), /terms_changed/)
})

test('more credit takes two in live; less takes one, and so does a sandbox', async () => {
  const { partner } = await service.addPartner({ creditLimit: 1_000n })
  const { code } = partner
  const limit = async (creditLimit: bigint) =>
    changePartner(database, { code, changes: { creditLimit, name: 'new name' }, actor: 'first' })
  assert.equal((await limit(2_000n)).partner.creditLimit, 2_000n)
  await database.pool.query(`update installation set mode = 'live', clock_offset = '0'`)
  const { partner: waiting, waiting: request } = await limit(3_000n)
  assert.deepEqual([waiting.creditLimit, waiting.name], [2_000n, 'new name'])
  await assert.rejects(approve(request!.id, 'first'), /same_person/)
  await assert.rejects(approve(request!.id), /unbound_account/)
  await approve(request!.id, 'second', await addStaff('finance'))
  assert.equal((await limit(3_000n)).partner.creditLimit, 3_000n)
  assert.equal((await limit(500n)).partner.creditLimit, 500n)
  await database.pool.query(`update installation set mode = 'sandbox', clock_offset = interval '3601 s'`)
})

test('an order at a price by hand says so, and who said it', async () => {
  const partner = await service.addPartner()
  const { holderId } = await addHolder(service, partner, '홍길동', { KRW: 1_000_000n })
  const deps = { database, metrics: testMetrics() }
  const buy = async () => {
    const quoted = await createQuoteOrder(deps)({ holderId, metal: 'XAU', side: 'buy', won: 10_000n })
    assert.ok(quoted.kind === 'quoted')
    await createPlaceOrder(deps)({ quoteId: quoted.quote.id, holderId })
  }
  await buy()
  await approve((await ask(205_000n)).id)
  await buy()
  const orders = await listOrdersByHand(database.db, 10)
  assert.deepEqual(
    orders.map(({ reference, askedBy, approvedBy }) => [reference, askedBy, approvedBy]),
    [[205_000n, 'first', 'second']],
  )
})

// Behind the service's back, on a request that waits.
for (const [what, statement] of [
  [
    'approved by its maker',
    `status = 'executed', checker = maker, decided_at = now(), executed_hash = payload_hash`,
  ],
  ['approved by nobody', `status = 'executed', decided_at = now(), executed_hash = payload_hash`],
  [
    'carried out otherwise',
    `status = 'executed', checker = 'x', decided_at = now(), executed_hash = sha256('x')`,
  ],
  ['another payload', `payload = '{}', payload_hash = sha256('{}')`],
  ['another maker', `maker = 'x'`],
  ['a longer time', `expires_at = expires_at + interval '1 day'`],
] as const) {
  test(`refused by the database: a request ${what}`, async () => {
    const { id } = await ask(206_000n)
    const change = sql`update change_request set ${sql.raw(statement)} where id = ${id}`
    await assert.rejects(change.execute(database.db), { code: /^23(514|001)$/ })
  })
}

for (const statement of [
  `insert into metal_price (metal, at, won_per_gram, source) values ('XAU', service_now(), 1, 'operator')`,
  `insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by)
   values ('XAU', 0, 30, 300, service_now(), 'x')`,
]) {
  test(`refused by the database: ${statement.slice(0, 60)}`, async () => {
    await assert.rejects(sql.raw(statement).execute(database.db), { code: '23514' })
  })
}
