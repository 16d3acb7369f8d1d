import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { expireCards } from '#flows/gift-cards/expire-cards.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { createCountFigures } from '#flows/overview/count-figures.ts'
import { listNeeds } from '#flows/overview/needs.ts'
import { createReadOverview } from '#flows/overview/read-overview.ts'
import { toHealth } from '#flows/overview/service-health.ts'
import { extendCard } from '#flows/refunds/extend-card.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { readCounting } from '#modules/figures/progress.ts'
import { readStock } from '#modules/figures/read.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { markSent } from '#test/deliveries.ts'
import { addAccount, addHolder, type Holder, testMetrics } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { Random } from '#test/random.ts'
import { assertBooks, PHONE, startService, type TestPartner } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

const service = await startService()
const { database } = service
const partners = [await service.addPartner({ amountMax: 2_000_000n }), await service.addPartner()]
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const deps = { database, keys, metrics: testMetrics() }
const redeem = createRedeemGiftCard(deps)
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows

// Small chunks, so that a count takes several.
const count = createCountFigures(database, { chunk: 7 })

async function buy(partner: TestPartner, amount: number): Promise<string> {
  return (await partner.buy({ phoneNumber: PHONE, amount })).body.data.giftId
}

async function use(giftId: string, { holderId }: Holder): Promise<void> {
  const [{ pin }] = await rows('select pin from gift_card where id = $1', giftId)
  const open = keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, pin)
  assert.equal((await redeem({ pin: parsePin(open)!, holderId })).kind, 'redeemed')
}

async function trade({ holderId }: Holder, metal: 'XAU' | 'XAG'): Promise<void> {
  await feedPrice(database, 'XAU', 198_500n)
  await feedPrice(database, 'XAG', 2_480n)
  const quoted = await createQuoteOrder(deps)({ holderId, side: 'buy', metal, won: 5_000n })
  assert.ok(quoted.kind === 'quoted')
  assert.equal((await createPlaceOrder(deps)({ quoteId: quoted.quote.id, holderId })).kind, 'placed')
}

async function withdraw({ holderId }: Holder, accountId: string): Promise<string> {
  const outcome = await createRequestWithdrawal(deps)({
    holderId,
    accountId,
    requestId: newId(),
    amount: 1_000n,
    deviceLabel: '',
    destination: { bank: '088', account: '110123456789', holder: '홍길동' },
  })
  assert.ok(outcome.kind === 'requested')
  return outcome.withdrawal.id
}

const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO('Asia/Seoul').toPlainDate().toString()

// Adds up one by one what the figures say by day.
class Tally {
  readonly #sums = new Map<string, bigint>()
  add(key: unknown[], amount: bigint | number | string = 1n): void {
    const name = key.join(' ')
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + BigInt(amount))
  }
  list(): string[] {
    return [...this.#sums]
      .filter(([, sum]) => sum !== 0n)
      .map(([name, sum]) => `${name}: ${sum}`)
      .sort()
  }
}

async function recount(): Promise<string[]> {
  const tally = new Tally()
  for (const card of await rows('select * from gift_card')) {
    const act = (what: string, at: Temporal.Instant | null) => {
      if (!at) return
      tally.add(['card', what, dayOf(at), card.partner_id])
      tally.add(['won', what, dayOf(at), card.partner_id], card.amount)
    }
    act('issued', card.issued_at)
    act('used', card.used_at)
    act('voided', card.voided_at)
    act('expired', card.expired_at)
    if (card.status !== 'issued') continue
    tally.add(['expiry', card.expires_on, card.partner_id, card.amount > 500_000n])
    tally.add(['expiry won', card.expires_on, card.partner_id, card.amount > 500_000n], card.amount)
  }
  for (const order of await rows('select * from trade_order')) {
    tally.add(['order', dayOf(order.at), order.metal, order.side])
    tally.add(['order won', dayOf(order.at), order.metal, order.side], order.total)
  }
  for (const one of await rows('select * from withdrawal')) {
    tally.add(['withdrawal', dayOf(one.requested_at), 'requested'], one.amount)
    if (one.settled_at)
      tally.add(
        ['withdrawal', dayOf(one.settled_at), one.status === 'paid' ? 'paid' : 'returned'],
        one.amount,
      )
  }
  for (const one of await rows('select * from delivery where settled_at is not null'))
    tally.add([
      'delivery',
      dayOf(one.settled_at),
      one.channel,
      one.status,
      one.provider ?? '',
      one.reason ?? '',
    ])
  for (const one of await rows('select * from member')) tally.add(['member', dayOf(one.created_at)])
  return tally.list()
}

async function figures(): Promise<string[]> {
  const tally = new Tally()
  for (const f of await rows('select * from card_day'))
    for (const what of ['issued', 'used', 'voided', 'expired']) {
      tally.add(['card', what, f.day, f.partner_id], f[what])
      tally.add(['won', what, f.day, f.partner_id], f[`${what}_won`])
    }
  for (const f of await rows('select * from card_expiry')) {
    tally.add(['expiry', f.expires_on, f.partner_id, f.large], f.cards)
    tally.add(['expiry won', f.expires_on, f.partner_id, f.large], f.won)
  }
  for (const f of await rows('select * from order_day')) {
    tally.add(['order', f.day, f.metal, f.side], f.orders)
    tally.add(['order won', f.day, f.metal, f.side], f.won)
  }
  for (const f of await rows('select * from withdrawal_day'))
    tally.add(['withdrawal', f.day, f.outcome], f.won)
  for (const f of await rows('select * from delivery_day'))
    tally.add(['delivery', f.day, f.channel, f.status, f.provider, f.reason], f.messages)
  for (const f of await rows('select * from member_day')) tally.add(['member', f.day], f.members)
  return tally.list()
}

test('figures are a plain recount after random acts, across midnight in Seoul and past expiry', async () => {
  const random = new Random(16)
  const holders = [await addHolder(service, partners[0]!, '하나', { KRW: 90_000n })]
  const account = await addAccount(service, holders[0]!.holderId)
  const cards: string[] = []
  for (let i = 0; i < 60; i += 1) {
    cards.push(await buy(random.pick(partners), 10_000 + random.int(9) * 1_000))
    const card = cards[random.int(cards.length)]!
    const [{ status }] = await rows('select status from gift_card where id = $1', card)
    if (status === 'issued' && random.chance(0.3)) await use(card, random.pick(holders))
    else if (status === 'issued' && random.chance(0.2))
      await voidCard(database, {
        card: { kind: 'uuid', uuid: card },
        reason: 'test',
        actor: 'test',
        approvalFrom: 1_000_000n,
      })
    else if (random.chance(0.3)) {
      // Failed, and delivered after all: a provider's late word.
      await markSent(service, card, { channel: 'text', status: 'failed' })
      if (random.chance(0.5)) await markSent(service, card, { channel: 'text' })
    }
    if (i % 20 === 0) holders.push(await addHolder(service, partners[1]!, `사람 ${i}`, { KRW: 50_000n }))
    if (i % 15 === 0) await trade(random.pick(holders), random.pick(['XAU', 'XAG']))
    if (i === 20) await settleWithdrawal(database, await returned(await withdraw(holders[0]!, account)))
    if (i === 30) await withdraw(holders[0]!, account)
    if (i % 9 === 0) await travel(6 * 3_600 + random.int(7_200))
    if (i % 13 === 0) await count()
  }
  cards.push(await buy(partners[0]!, 500_000), await buy(partners[0]!, 500_001))
  await travel(380 * 86_400)
  assert.ok((await expireCards(database)) > 10)
  await buy(partners[0]!, 20_000)
  await count()
  const expected = await recount()
  assert.ok(expected.some((line) => line.startsWith('card expired')) && expected.length > 40)
  assert.deepEqual(await figures(), expected)
  await assertBooks(database)
})

const returned = async (id: string) =>
  ({ id, act: 'refuse', actor: 'test', reason: 'test' }) as Parameters<typeof settleWithdrawal>[1]

test('an extended card expires on its new day, whether it is counted before or after', async () => {
  const before = await buy(partners[0]!, 41_000)
  await count()
  const after = await buy(partners[0]!, 42_000)
  const used = await buy(partners[0]!, 43_000)
  const [{ days }] = await rows(
    'select expires_on - seoul_date(service_now()) as days from gift_card where id = $1',
    before,
  )
  await travel((days - 5) * 86_400)
  for (const uuid of [before, after, used]) {
    const card = { kind: 'uuid', uuid } as const
    const outcome = await extendCard(database, { card, reason: 'test', actor: 'test' })
    assert.equal(outcome.kind, 'extended')
  }
  await use(used, await addHolder(service, partners[0]!, '연장'))
  await count()
  assert.deepEqual(await figures(), await recount())
  const { expiring } = await readStock(database)
  for (const { days, cards, won } of expiring) {
    const [listed] = await rows(
      `select count(*) as cards, coalesce(sum(amount), 0)::bigint as won from gift_card where status = 'issued'
          and expires_on >= seoul_date(service_now()) and expires_on < seoul_date(service_now()) + $1::int`,
      days,
    )
    assert.deepEqual([cards, won], [listed.cards, listed.won], `${days} days`)
  }
  await assertBooks(database)
})

test('what commits late is counted once it has: nothing beyond it is read before, nothing is lost', async () => {
  await count()
  const before = await figures()
  const slow = new pg.Client(service.on.connection)
  await slow.connect()
  try {
    // An id is drawn, and the transaction goes on. Balances come last, so that purchases do not wait for them.
    await slow.query('begin')
    const [card] = await rows('select * from gift_card where status = $1 limit 1', 'issued')
    const [{ house, receivable }] = await rows(
      `select outstanding_account() as house, id as receivable from account where partner_id = $1`,
      card.partner_id,
    )
    await slow.query(
      `insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
       values (gen_random_uuid(), 'void', 'KRW_POINT', $1, $2, $3, $4, service_now())`,
      [card.amount, house, receivable, card.id],
    )
    await Promise.all([buy(partners[0]!, 31_000), buy(partners[1]!, 32_000)])
    await count()
    await count()
    assert.deepEqual(await figures(), before)
    assert.ok((await readCounting(database)).lagSeconds > 0)
    await slow.query(
      'update account set balance = balance + $1 * (case id when $2 then -1 else 1 end) where id in ($2, $3)',
      [card.amount, house, receivable],
    )
    await slow.query(
      `update gift_card set status = 'voided', voided_at = service_now(), pin = null where id = $1`,
      [card.id],
    )
    await slow.query(`insert into audit_entry (actor, action, subject) values ('test', 'card.void', $1)`, [
      card.id,
    ])
    await slow.query('select add_usage($1, $2, -$3::bigint, 0, 0)', [
      card.partner_id,
      card.issued_on,
      card.amount,
    ])
    await slow.query('commit')
  } finally {
    await slow.end()
  }
  await count()
  await count()
  assert.deepEqual(await figures(), await recount())
  assert.equal((await readCounting(database)).lagSeconds, 0)
})

test('each chunk takes a turn, so that purchases come between', async () => {
  await count()
  for (let i = 0; i < 7; i += 1) await buy(partners[0]!, 10_000)
  let [turns, underWay] = [0, 0]
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    turns += 1
    underWay += 1
    assert.equal(underWay, 1)
    try {
      return await work()
    } finally {
      underWay -= 1
    }
  }
  await createCountFigures(database, { chunk: 2, inTurn })()
  assert.ok(turns >= 4, `${turns} turns for 7 transfers by twos`)
  assert.deepEqual(await figures(), await recount())
})

test('two who count at once, one killed in the middle of a chunk: each row counts once', async () => {
  for (let i = 0; i < 12; i += 1) await buy(partners[i % 2]!, 10_000)
  // The connection is cut where the chunk has written its figures and not yet where it stopped.
  await rows(`create function cut_off() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
  await rows('create trigger cut_off before update on figure_source for each row execute function cut_off()')
  const killed = openDatabase({ connection: service.on.connection, maxConnections: 2, onIdleError: () => {} })
  await assert.rejects(createCountFigures(killed, { chunk: 5 })())
  await killed.close()
  await rows('drop trigger cut_off on figure_source; drop function cut_off()')
  const others = [createCountFigures(database, { chunk: 3 }), createCountFigures(database, { chunk: 4 })]
  await Promise.all(others.map((one) => one()))
  await count()
  assert.deepEqual(await figures(), await recount())
})

test('verify names the day of a figure that was changed, and of one that was removed', async () => {
  const today = (await rows('select seoul_date(service_now())::text as day'))[0].day
  const broken = async (mistake: string) => {
    await rows(`create table kept as select * from card_day`)
    await rows(mistake)
    const results = await verifyBooks(database)
    await rows('delete from card_day; insert into card_day select * from kept; drop table kept')
    return results
      .filter((one) => one.broken > 0)
      .map(({ check, examples }) => [check, examples[0]?.slice(0, 10)])
  }
  const found = [['card_figures_are_of_their_cards', today]]
  assert.deepEqual(await broken(`update card_day set issued = issued + 1 where day = '${today}'`), found)
  assert.deepEqual(await broken(`delete from card_day where day = '${today}'`), found)
  await assertBooks(database)
})

test('the overview: figures of today and of the days are those of the rows; each partner has its own', async () => {
  const viewer = await service.consoleAs('viewer')
  await count()
  const { status, body } = await viewer.get('/overview')
  assert.equal(status, 200)
  const [stock] = await rows(
    `select count(*)::int as cards, coalesce(sum(amount), 0)::int as won, count(*) filter (where amount > 500000)::int as large,
            count(*) filter (where expires_on < seoul_date(service_now()) + 90)::int as soon
       from gift_card where status = 'issued'`,
  )
  assert.deepEqual(body.outstanding, { cards: stock.cards, won: stock.won })
  assert.equal(body.large.cards, stock.large)
  assert.equal(body.expiring.find(({ days }: { days: number }) => days === 90).cards, stock.soon)
  assert.equal(body.counting.lagSeconds, 0)

  const days = (await viewer.get('/overview/days?days=365')).body
  assert.equal(days.days.length, 365)
  const total = days.days.reduce(
    (sum: number, day: { issued: { cards: number } }) => sum + day.issued.cards,
    0,
  )
  const [issued] = await rows(
    `select count(*)::int as cards from gift_card where issued_on > seoul_date(service_now()) - 365`,
  )
  assert.equal(total, issued.cards)
  const { code } = partners[1]!.partner
  const one = (await viewer.get(`/overview/days?days=7&partner=${code}`)).body
  const [own] = await rows(
    `select count(*)::int as cards from gift_card c join partner p on p.id = c.partner_id
      where p.code = $1 and c.issued_on = seoul_date(service_now())`,
    code,
  )
  assert.equal(one.days.at(-1).issued.cards, own.cards)
  assert.ok(days.partners.some((row: { code: string }) => row.code === code))
  for (const bad of ['?days=8', '?days=7&partner=nobody'])
    assert.ok([400, 404].includes((await viewer.get(`/overview/days${bad}`)).status), bad)
})

test('fifty consoles cost one reading', async () => {
  let asked = 0
  const read = createReadOverview({
    database: {
      read: (statement, values) => {
        asked += 1
        return database.read(statement, values)
      },
    },
    readMetrics: async () => ({ text: '' }),
  })
  await Promise.all(Array.from({ length: 50 }, () => read()))
  assert.ok(asked < 12, `${asked} statements`)
})

test('what needs a person: nothing while all is well, the most pressing first', () => {
  const well = toHealth(
    `ingot_worker_status{status="running"} 1\ningot_verify_ok 1\ningot_verify_age_seconds 60\n` +
      `ingot_provider_circuit_open{provider="solapi",channel="text"} 0\ningot_guess_alarm{kind="pin"} 0\n`,
  )
  const facts = {
    openApprovals: 0,
    mendableFailures: 0n,
    credit: [{ partner: 'calm', percent: 79 }],
    creditUntold: [],
    metals: [{ metal: 'XAU', trading: 'open' as const }],
  }
  assert.deepEqual(listNeeds(well, facts), [])
  const ill = toHealth(
    `ingot_worker_status{status="paused"} 1\ningot_verify_ok 0\ningot_verify_age_seconds 99999\ningot_writes_failing 1\n` +
      `ingot_provider_circuit_open{provider="solapi",channel="text"} 1\ningot_guess_alarm{kind="pin"} 1\n` +
      `ingot_deliveries_open{channel="text",status="queued"} 7\n` +
      `ingot_delivery_overdue_seconds{channel="text",status="queued"} 400.5\n` +
      `ingot_withdrawals_open{status="requested"} 2\ningot_withdrawal_oldest_seconds{status="requested"} 90\n` +
      `ingot_backup_archive_failing 2\ningot_backup_age_seconds 200000\n` +
      `ingot_restoration_count 1\ningot_restoration_unverified 1\ningot_restoration_messages_held 1\n` +
      `ingot_figures_lag_seconds 500`,
  )
  const needs = listNeeds(ill, {
    openApprovals: 3,
    mendableFailures: 4n,
    credit: [
      { partner: 'near', percent: 80 },
      { partner: 'full', percent: 95 },
    ],
    creditUntold: ['full'],
    metals: [
      { metal: 'XAU', trading: 'stale' },
      { metal: 'XAG', trading: 'stopped' },
    ],
  })
  assert.deepEqual(
    needs.map(({ kind, count, names }) => [kind, count, names.join()]),
    [
      ['writes_fail', null, ''],
      ['books_broken', null, ''],
      ['restoration_unverified', null, ''],
      ['backup_archive_given_up', null, ''],
      ['guessing', null, 'pin'],
      ['worker_not_running', null, 'paused'],
      ['messages_not_sent', 7, ''],
      ['provider_down', null, 'solapi'],
      ['prices_stale', null, 'XAU'],
      ['trading_stopped', null, 'XAG'],
      ['books_not_verified', null, ''],
      ['restoration_messages_held', null, ''],
      ['credit_95', null, 'full'],
      ['credit_untold', null, 'full'],
      ['approvals_open', 3, ''],
      ['withdrawals_to_approve', 2, ''],
      ['messages_fail', 4, ''],
      ['credit_80', null, 'near'],
      ['backup_old', null, ''],
      ['figures_lag', null, ''],
    ],
  )
})

test('prices: feed, terms with their history, stop and resume; better terms and prices by hand wait', async () => {
  const viewer = await service.consoleAs('viewer')
  const finance = await service.consoleAs('finance')
  await feedPrice(database, 'XAU', 200_000n)
  const gold = async () =>
    (await viewer.get('/prices')).body.metals.find(({ metal }: { metal: string }) => metal === 'XAU')
  assert.equal((await gold()).price.reference, 200_000)
  const dearer = await finance.post('/prices/XAU/terms', { spreadBps: 300, reason: 'wild market' })
  assert.deepEqual([dearer.status, dearer.body], [200, { waiting: false, requestId: null }])
  const better = await finance.post('/prices/XAU/terms', { spreadBps: 200, reason: 'calm again' })
  assert.equal(better.body.waiting, true)
  assert.equal((await gold()).terms.spreadBps, 300)
  const { actor, at } = { actor: (await gold()).history[0].setBy, at: (await gold()).history[0].at }
  assert.equal(actor, `staff:${finance.staff.email}`)
  assert.ok(Temporal.Instant.from(at))

  const hand = await finance.post('/prices/XAU/price', { wonPerGram: 201_000, reason: 'the feed is down' })
  assert.equal(hand.body.waiting, true)
  const far = await finance.post('/prices/XAU/price', { wonPerGram: 260_000, reason: 'typo' })
  assert.deepEqual([far.status, far.body.errors[0].detail], [409, 'price_jump'])
  assert.equal((await finance.post('/prices/XAU/price', { wonPerGram: 0, reason: 'x' })).status, 400)
  assert.equal((await finance.post('/prices/XAU/terms', { reason: 'x' })).status, 400)
  assert.equal((await finance.post('/prices/XAU/terms', { feeBps: 9_999, reason: 'x' })).status, 400)
  assert.equal((await finance.post('/prices/XPT/terms', { feeBps: 1, reason: 'x' })).status, 400)

  assert.equal((await finance.post('/trading/stop', { reason: 'wrong price' })).status, 200)
  assert.equal((await gold()).trading, 'stopped')
  const stale = await service.consoleAs('finance', { fresh: false })
  assert.equal((await stale.post('/trading/resume', { reason: 'ok' })).body.code, 'proof_required')
  assert.equal((await finance.post('/trading/resume', { reason: 'ok' })).status, 200)
  assert.equal((await gold()).trading, 'open')
  assert.equal((await viewer.post('/trading/stop', { reason: 'no' })).status, 403)
  const points = (await viewer.get('/prices/XAU/history?period=1w')).body.points
  assert.ok(points.length > 0)
})
