import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { booksClose, booksDays, booksRows, booksShow } from '#app/commands/books.ts'
import { booksStatement, booksTrialBalance } from '#app/commands/books-accounts.ts'
import { booksBullion, booksHedge, booksInventory } from '#app/commands/bullion.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { closeDays } from '#flows/books/close/close-days.ts'
import { listDayRows } from '#flows/books/list-rows.ts'
import { readClosedDay } from '#flows/books/read-day.ts'
import { readTrialBalance } from '#flows/books/read-trial-balance.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { expireCards } from '#flows/gift-cards/expire-cards.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addAccount, addHolder, type Holder, testMetrics } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { Random } from '#test/random.ts'
import { assertBooks, PHONE, startService, type TestPartner } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

const service = await startService()
const { database } = service
const partners = [await service.addPartner(), await service.addPartner()]
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const deps = { database, keys, metrics: testMetrics() }
const redeem = createRedeemGiftCard(deps)
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
const today = async () => (await rows('select seoul_date(service_now()) as day'))[0].day as string

// Small chunks, so that a day takes several, and no rest.
const PACE = { chunk: 7, everyMs: 0, rest: 0 }
const close = (day?: string, on = database) => closeDays(on, { actor: 'test', day, ...PACE })

async function closeAll(): Promise<string[]> {
  const outcome = await close()
  assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
  assert.equal(outcome.open, undefined)
  return outcome.closed
}

async function buy(partner: TestPartner, amount: number): Promise<string> {
  return (await partner.buy({ phoneNumber: PHONE, amount })).body.data.giftId
}

async function use(giftId: string, { holderId }: Holder): Promise<void> {
  const [{ pin }] = await rows('select pin from gift_card where id = $1', giftId)
  const open = keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, pin)
  assert.equal((await redeem({ pin: parsePin(open)!, holderId })).kind, 'redeemed')
}

async function trade({ holderId }: Holder, metal: 'XAU' | 'XAG'): Promise<void> {
  await feedPrice(database, metal, metal === 'XAU' ? 198_500n : 2_480n)
  const quoted = await createQuoteOrder(deps)({ holderId, side: 'buy', metal, won: 5_000n })
  assert.ok(quoted.kind === 'quoted')
  assert.equal((await createPlaceOrder(deps)({ quoteId: quoted.quote.id, holderId })).kind, 'placed')
}

async function withdraw({ holderId }: Holder, accountId: string): Promise<string> {
  const destination = { bank: '088', account: '110123456789', holder: '홍길동' }
  const request = { holderId, accountId, requestId: newId(), amount: 1_000n, deviceLabel: '', destination }
  const outcome = await createRequestWithdrawal(deps)(request)
  assert.ok(outcome.kind === 'requested')
  return outcome.withdrawal.id
}

const refuse = (id: string) =>
  settleWithdrawal(database, { id, act: 'refuse', actor: 'test', reason: 'test' } as Parameters<
    typeof settleWithdrawal
  >[1])

const issued = async () =>
  (await rows(`select id from gift_card where status = 'issued'`)).map(({ id }) => id)
const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO('Asia/Seoul').toPlainDate().toString()

// The model: every transfer in the first day that reaches it and is not before its own, one by one.
async function recount(): Promise<Map<string, bigint>> {
  const days = await rows('select day, through_id from closed_day order by day')
  const accounts = new Map((await rows('select id, kind, partner_id from account')).map((a) => [a.id, a]))
  const cards = new Map((await rows('select id, partner_id from gift_card')).map((c) => [c.id, c.partner_id]))
  const sums = new Map<string, bigint>()
  const add = (key: unknown[], amount: bigint) => {
    sums.set(key.join(' '), (sums.get(key.join(' ')) ?? 0n) + amount)
  }
  for (const t of await rows('select * from transfer order by id')) {
    const own = dayOf(t.at)
    const day = days.find((one) => one.through_id >= t.id && one.day >= own)?.day
    if (!day) continue
    for (const side of ['debit', 'credit']) {
      const { kind, partner_id } = accounts.get(t[`${side}_account`])!
      const ofCards = ['outstanding_cards', 'expired_cards'].includes(kind)
      const partner = partner_id ?? (ofCards ? cards.get(t.card_id) : 0) ?? 0
      add([day, own, kind, t.asset, partner, t.kind, side], t.amount)
      add([day, own, kind, t.asset, partner, t.kind, 'count', side], 1n)
    }
  }
  return sums
}

async function closedLines(): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>()
  for (const l of await rows('select * from closed_day_line')) {
    const key = [l.day, l.belongs_to, l.account, l.asset, l.partner_id, l.kind].join(' ')
    for (const side of ['debit', 'credit']) {
      if (l[side] === 0n) continue
      sums.set(`${key} ${side}`, l[side])
      sums.set(`${key} count ${side}`, l[`${side}_count`])
    }
  }
  return sums
}

const sorted = (sums: Map<string, bigint>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1))

// What cards say of themselves at the end of a day.
async function outstandingOf(partnerId: number, day: string): Promise<bigint> {
  const [{ won }] = await rows(
    `select coalesce(sum(amount), 0)::bigint as won from gift_card
      where partner_id = $1 and seoul_date(issued_at) <= $2
        and coalesce(seoul_date(least(used_at, voided_at, expired_at)), 'infinity') > $2`,
    partnerId,
    day,
  )
  return won
}

const frozen = (until: string) =>
  rows(
    `select (select jsonb_agg(to_jsonb(d) order by day) from closed_day d where day <= $1)::text
         || (select jsonb_agg(to_jsonb(l) order by l) from closed_day_line l where day <= $1)::text
         || (select jsonb_agg(to_jsonb(b) order by b) from closed_day_balance b where day <= $1)::text as bytes`,
    until,
  )

test('a random year: every close is a plain recount, and closed days stay as they were', async () => {
  const random = new Random(17)
  const holders = [await addHolder(service, partners[0]!, '하나', { KRW: 90_000n })]
  const account = await addAccount(service, holders[0]!.holderId)
  const closed: string[] = []
  let kept: { until: string; bytes: unknown } | undefined
  for (let i = 0; i < 45; i += 1) {
    await buy(random.pick(partners), 10_000 + random.int(9) * 1_000)
    const card = random.pick(await issued())
    if (random.chance(0.35)) await use(card, random.pick(holders))
    else if (random.chance(0.25))
      await voidCard(database, {
        card: { kind: 'uuid', uuid: card },
        reason: 'test',
        actor: 'test',
        approvalFrom: 1_000_000n,
      })
    if (i % 15 === 0) holders.push(await addHolder(service, partners[1]!, `사람 ${i}`, { KRW: 50_000n }))
    if (i % 11 === 0) await trade(random.pick(holders), random.pick(['XAU', 'XAG']))
    if (i === 14) await refuse(await withdraw(holders[0]!, account))
    if (i === 30) await withdraw(holders[0]!, account)
    // Within a day, over midnight, over the ends of months and of the year.
    await travel(random.pick([3_600, 9 * 3_600, 30 * 3_600, 16 * 86_400]))
    if (i % 9 === 0) await expireCards(database)
    if (i % 7 === 0) closed.push(...(await closeAll()))
    if (i === 21) kept = { until: closed.at(-1)!, bytes: await frozen(closed.at(-1)!) }
  }
  await travel(380 * 86_400)
  assert.ok((await expireCards(database)) > 5)
  await travel(86_400)
  closed.push(...(await closeAll()))
  // Each day once, in order, with none left out.
  const [{ day: first }] = await rows('select min(seoul_date(at)) as day from transfer')
  assert.equal(closed[0], first)
  for (const [i, day] of closed.entries())
    assert.equal(day, Temporal.PlainDate.from(first).add({ days: i }).toString())
  assert.ok(closed.length > 500)
  assert.deepEqual(sorted(await closedLines()), sorted(await recount()))
  assert.deepEqual(await frozen(kept!.until), kept!.bytes)
  for (const day of [closed[3]!, random.pick(closed), closed.at(-1)!]) {
    const described = await readClosedDay(database, day)
    assert.ok(described.kind === 'closed')
    const [all, ...of] = described.cards
    for (const one of described.cards)
      assert.equal(
        one.opening + one.issued - one.used - one.voided - one.refunded - one.expired + one.other,
        one.closing,
      )
    assert.equal(all!.other, 0n)
    for (const { partner } of partners) {
      const closing = of.find((one) => one.partner === partner.code)?.closing ?? 0n
      assert.equal(closing, await outstandingOf(partner.id, day), `${partner.code} ${day}`)
    }
  }
  await assertBooks(database)
})

test('a total leads to its rows, in pages', async () => {
  const [line] = await rows(
    `select * from closed_day_line where kind = 'issue' and account = 'outstanding_cards' order by credit_count desc limit 1`,
  )
  const partner = partners.find((one) => one.partner.id === line.partner_id)!.partner.code
  const found = []
  for (let after: bigint | undefined; ; ) {
    const page = await listDayRows(
      database,
      line.day,
      { account: line.account, kind: 'issue', partner, after },
      1,
    )
    assert.ok(page.kind === 'rows')
    found.push(...page.rows)
    if (page.next === null) break
    after = page.next
  }
  assert.equal(BigInt(found.length), line.credit_count)
  assert.equal(
    found.reduce((sum, { amount }) => sum + amount, 0n),
    line.credit,
  )
})

test('a movement that commits after its day was closed is a correction of the next, and names its day', async () => {
  const card = await buy(partners[0]!, 44_000)
  const day = await today()
  const [{ at }] = await rows('select service_now() as at')
  await travel(86_400)
  await closeAll()
  const before = await frozen(day)
  const [one] = await rows('select * from gift_card where id = $1', card)
  const [{ receivable }] = await rows(
    'select id as receivable from account where partner_id = $1',
    one.partner_id,
  )
  const slow = await database.pool.connect()
  try {
    await slow.query('begin')
    const house = (await slow.query('select outstanding_account() as id')).rows[0].id
    await slow.query(
      `select post_transfers('void', $1, array[gen_random_uuid()], array[$2::uuid], array[$3::bigint], array[$4::bigint], array[$5::bigint])`,
      [at.toString(), card, house, receivable, one.amount],
    )
    await slow.query(`update gift_card set status = 'voided', voided_at = $2, pin = null where id = $1`, [
      card,
      at.toString(),
    ])
    await slow.query(
      `insert into audit_entry (at, actor, action, subject) values ($1, 'test', 'card.void', $2)`,
      [at.toString(), card],
    )
    await slow.query('select add_usage($1, $2, -$3::bigint, 0, 0)', [
      one.partner_id,
      one.issued_on,
      one.amount,
    ])
    await slow.query('commit')
  } finally {
    slow.release()
  }
  await travel(86_400)
  const next = (await closeAll()).at(-1)!
  assert.ok(next > day)
  assert.deepEqual(await frozen(day), before)
  const late = await rows(
    'select day, belongs_to, kind, debit from closed_day_line where belongs_to < day and account = $1',
    'outstanding_cards',
  )
  assert.deepEqual(late, [{ day: next, belongs_to: day, kind: 'void', debit: 44_000n }])
  assert.deepEqual(sorted(await closedLines()), sorted(await recount()))
})

// What only somebody with the database's own rights can do.
async function behindTheGuards(...statements: [text: string, values?: unknown[]][]): Promise<void> {
  const client = new pg.Client(service.on.connection)
  await client.connect()
  await client.query('set session_replication_role = replica')
  for (const [text, values] of statements) await client.query(text, values)
  await client.end()
}

test('a difference is named by its row and keeps the day open; once it is mended the day is closed', async () => {
  const [first, second] = [await buy(partners[0]!, 21_000), await buy(partners[1]!, 22_000)]
  const day = await today()
  await travel(86_400)
  const [account] = await rows(
    'select id, balance from account where partner_id = $1',
    partners[0]!.partner.id,
  )
  const [issue] = await rows(`select id from transfer where card_id = $1 and kind = 'issue'`, second)
  const PLANTED: [row: string, id: string, plant: string, mend: string, values: unknown[]][] = [
    [
      'account',
      `${account.id}`,
      'update account set balance = balance + 1 where id = $1',
      'update account set balance = balance - 1 where id = $1',
      [account.id],
    ],
    [
      'card',
      first,
      `update gift_card set status = 'voided', voided_at = issued_at where id = $1`,
      `update gift_card set status = 'issued', voided_at = null where id = $1`,
      [first],
    ],
    [
      'transfer',
      `${issue.id}`,
      'update gift_card set amount = amount + 1 where id = $1',
      'update gift_card set amount = amount - 1 where id = $1',
      [second],
    ],
  ]
  for (const [row, id, plant, mend, values] of PLANTED) {
    // A card keeps its PIN for the mending.
    await behindTheGuards(['alter table gift_card drop constraint gift_card_check3'], [plant, values])
    const outcome = await close()
    await behindTheGuards(
      [mend, values],
      [
        `alter table gift_card add constraint gift_card_check3 check (((status <> all (array['used'::text, 'voided'::text])) or (pin is null)))`,
      ],
    )
    assert.ok(outcome.kind === 'done' && outcome.open, row)
    assert.deepEqual(outcome.closed, [])
    assert.equal(outcome.open.day, day)
    assert.deepEqual(
      outcome.open.differences.map((one) => [one.row, one.id]),
      [[row, id]],
    )
  }
  assert.deepEqual(await closeAll(), [day])
})

// All sources agree: balances are moved along, and the second transfer agrees with its card too.
const TWICE = `with t as (
    insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
    select group_id, kind, asset, amount, debit_account, credit_account, card_id, at from transfer where card_id = $1 and kind = 'issue'
    returning *)
  update account a set balance = a.balance + case a.id when t.credit_account then t.amount else -t.amount end
    from t where a.id in (t.credit_account, t.debit_account)`
const ONCE = `with t as (
    delete from transfer where id = (select max(id) from transfer where card_id = $1 and kind = 'issue') returning *)
  update account a set balance = a.balance - case a.id when t.credit_account then t.amount else -t.amount end
    from t where a.id in (t.credit_account, t.debit_account)`
const WEAKENED: [weaken: string, restore: string][] = [
  ['drop index transfer_of_card', 'select'],
  [
    `update pg_index set indisunique = false where indexrelid = 'transfer_of_card'::regclass`,
    `update pg_index set indisunique = true where indexrelid = 'transfer_of_card'::regclass`,
  ],
]

test('a card for which something happened twice keeps the day open', async () => {
  const earlier = await buy(partners[0]!, 23_000)
  await travel(86_400)
  await closeAll()
  const day = await today()
  const card = await buy(partners[0]!, 24_000)
  await travel(86_400)
  for (const [weaken, restore] of WEAKENED.toReversed()) {
    await behindTheGuards([weaken, []], [TWICE, [card]], [restore, []])
    const outcome = await close()
    await behindTheGuards([ONCE, [card]])
    assert.ok(outcome.kind === 'done' && outcome.open, weaken)
    assert.deepEqual([outcome.closed, outcome.open.day], [[], day])
    assert.deepEqual(
      outcome.open.differences.map((one) => [one.row, one.id, one.byTransfers]),
      [['card', card, '2 of issue']],
    )
  }
  // Of a card whose day is closed.
  await behindTheGuards([TWICE, [earlier]])
  const outcome = await close()
  await behindTheGuards([ONCE, [earlier]])
  assert.ok(outcome.kind === 'done' && outcome.open)
  assert.deepEqual(
    outcome.open.differences.map((one) => one.id),
    [earlier],
  )
  // Without the index, and with nothing twice.
  assert.deepEqual(await closeAll(), [day])
  await rows('create unique index transfer_of_card on transfer (card_id, kind)')
})

test('a difference of a later day lets the days before it be closed', async () => {
  const day = await today()
  await travel(86_400)
  const card = await buy(partners[0]!, 23_000)
  await travel(86_400)
  await behindTheGuards(['update gift_card set amount = amount + 1 where id = $1', [card]])
  const outcome = await close()
  await behindTheGuards(['update gift_card set amount = amount - 1 where id = $1', [card]])
  assert.ok(outcome.kind === 'done')
  assert.deepEqual(outcome.closed, [day])
  assert.equal(outcome.open?.differences.length, 1)
  assert.equal((await closeAll()).length, 1)
})

test('closed days refuse every change', async () => {
  for (const table of ['closed_day', 'closed_day_line', 'closed_day_balance']) {
    await assert.rejects(rows(`update ${table} set day = day`), { code: '23001' })
    await assert.rejects(rows(`delete from ${table}`), { code: '23001' })
  }
})

test('verify names a closed day that was changed behind the guards, also together with its lines', async () => {
  const day = (await rows('select max(day) as day from closed_day_line'))[0].day as string
  const more = (sign: string) =>
    ['closed_day_line', 'closed_day_balance'].map((table): [string] => [
      `update ${table} set debit = debit ${sign} 1, credit = credit ${sign} 1 where day = '${day}'`,
    ])
  await behindTheGuards(...more('+'))
  const broken = (await verifyBooks(database)).filter((one) => one.broken > 0)
  await behindTheGuards(...more('-'))
  assert.deepEqual(broken.map(({ check, examples }) => [check, examples[0]!.slice(0, 10)]).sort(), [
    ['closed_day_has_its_hash', day],
    ['closed_day_is_of_its_transfers', day],
  ])
})

test('a day that is not over, or before the books began, is refused', async () => {
  const day = await today()
  assert.deepEqual(await close(day), { kind: 'refused', reason: 'day_not_over', day, today: day })
  assert.equal((await readClosedDay(database, day)).kind, 'refused')
})

test('two who close at once, one killed between reading and writing: each day is closed once', async () => {
  await buy(partners[0]!, 24_000)
  const day = await today()
  await travel(3 * 86_400)
  await rows(`create function cut_off() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
  await rows('create trigger cut_off before insert on closed_day for each row execute function cut_off()')
  const killed = openDatabase({ connection: service.on.connection, maxConnections: 4, onIdleError: () => {} })
  await assert.rejects(close(undefined, killed))
  await killed.close()
  await rows('drop trigger cut_off on closed_day; drop function cut_off()')
  assert.deepEqual(await rows('select 1 from closed_day_line where day >= $1', day), [])
  const outcomes = await Promise.all([close(), close(), close()])
  const closed = outcomes.flatMap((one) => (one.kind === 'done' ? one.closed : []))
  assert.equal(closed.length, 3)
  assert.ok(outcomes.every((one) => one.kind === 'done' || one.reason === 'closing_runs'))
  assert.deepEqual(sorted(await closedLines()), sorted(await recount()))
})

test('a trial balance is the sum of all transfers before its moment, with late ones and without a closed day', async () => {
  await buy(partners[1]!, 25_000)
  const [{ first, last, now }] = await rows(
    `select (select min(at) from transfer) as first, (select max(at) from transfer) as last, service_now() as now`,
  )
  // Before anything was closed, in the middle, at the correction's own day, at the end of a day, and now.
  const late = (await rows('select belongs_to from closed_day_line where belongs_to < day limit 1'))[0]
    .belongs_to
  const moments = [
    first.add({ hours: 1 }),
    last.subtract({ hours: 24 * 90 }),
    Temporal.Instant.from(`${late}T12:00:00+09:00`),
    Temporal.Instant.from(`${late}T00:00:00+09:00`).add({ hours: 24 }),
    now,
  ]
  for (const at of moments) {
    const trial = await readTrialBalance(database, at)
    assert.ok(trial.kind === 'balance')
    const plain = await rows(
      `select a.kind as account, a.asset, sum(l.net)::bigint as balance
         from (select debit_account as account, -amount as net from transfer where at < $1
               union all select credit_account, amount from transfer where at < $1) l
         join account a on a.id = l.account group by 1, 2 having sum(l.net) <> 0 order by 1, 2`,
      at.toString(),
    )
    const sums = new Map<string, bigint>()
    for (const { account, asset, credit, debit } of trial.accounts)
      sums.set(`${account} ${asset}`, (sums.get(`${account} ${asset}`) ?? 0n) + credit - debit)
    assert.deepEqual(
      sorted(new Map([...sums].filter(([, sum]) => sum !== 0n))),
      sorted(new Map(plain.map(({ account, asset, balance }) => [`${account} ${asset}`, balance]))),
      `${at}`,
    )
  }
  const ahead = await readTrialBalance(database, now.add({ hours: 24 }))
  assert.equal(ahead.kind === 'refused' && ahead.reason, 'moment_ahead')
})

test('the command line: close, days, show, rows, trial balance and statement; bad input is refused by name', async () => {
  const { run, done } = await commandsOn(service)
  await travel(86_400)
  const { closed } = await done(booksClose)
  const [newest] = await done(booksDays, '--limit', '1')
  assert.equal(newest.day, closed.at(-1))
  const shown = await done(booksShow, newest.day)
  assert.equal(shown.hash, newest.hash)
  const line = shown.lines.find((one: { account: string }) => one.account === 'outstanding_cards')
  const { rows: found } = await done(booksRows, newest.day, '--partner', line.partner, '--kind', line.kind)
  assert.equal(found.length, line.creditCount)
  const trial = await done(booksTrialBalance)
  for (const { debit, credit } of trial.assets) assert.equal(debit, credit)
  const to = Temporal.PlainDate.from(newest.day).add({ days: 1 }).toString()
  const period = ['--from', Temporal.PlainDate.from(newest.day).subtract({ days: 30 }).toString(), '--to', to]
  const { accounts } = await done(booksStatement, 'outstanding_cards', ...period, '--partner', line.partner)
  const closing = shown.accounts.find(
    (one: { account: string; partner: string }) =>
      one.account === 'outstanding_cards' && one.partner === line.partner,
  ).closing
  assert.deepEqual(
    accounts.map((one: { closing: number }) => one.closing),
    [closing],
  )
  const refusals: [code: number, words: RegExp, ...argv: Parameters<typeof run>][] = [
    [1, /is not over/, booksClose, '--day', await today()],
    [2, /written 2026/, booksClose, '--day', '2026-02-30'],
    [1, /is not closed/, booksShow, await today()],
    [1, /no partner nobody/, booksRows, newest.day, '--partner', 'nobody'],
    [1, /there is no account cash/, booksStatement, 'cash', ...period],
    [1, /begins before it ends/, booksStatement, 'trading', '--from', to, '--to', to],
    [1, /is not closed/, booksStatement, 'trading', '--from', newest.day, '--to', '2999-01-01'],
    [1, /still to come/, booksTrialBalance, '--at', '2999-01-01T00:00:00+09:00'],
    [2, /its offset/, booksTrialBalance, '--at', '2026-01-01'],
  ]
  for (const [code, words, command, ...argv] of refusals) {
    const ran = await run(command, ...argv)
    assert.equal(ran.code, code, ran.text)
    assert.match(ran.text, words)
  }
})

test('bullion: two people, once for each reference, never more sold than held; the gap in grams and won', async () => {
  const { run, done } = await commandsOn(service)
  const trade = (side: string, grams: string, won: string, reference: string, ...more: string[]) =>
    run(
      booksBullion,
      side,
      '--metal',
      'gold',
      '--grams',
      grams,
      '--won',
      won,
      '--reference',
      reference,
      ...more,
    )
  const [before] = await done(booksHedge)
  assert.equal(before.metal, 'gold')
  const waiting = await trade('buy', '10.5', '2100000', 'INV-1')
  assert.equal(waiting.json.status, 'waiting')
  // Asked again, it is the same request; under the same reference nothing else is booked.
  assert.equal((await trade('buy', '10.5', '2100000', 'inv-1')).json.id, waiting.json.id)
  assert.match((await trade('buy', '11', '2100000', 'INV-1')).text, /another trade/)
  assert.equal((await done(booksHedge))[0].houseGrams, '0.0000')
  assert.equal((await trade('buy', '10.5', '2100000', 'INV-1', '--as', 'second')).json.status, 'booked')
  assert.match((await trade('buy', '10.5', '2100000', 'INV-1')).text, /nothing was done/)
  assert.match((await trade('sell', '10.5001', '1', 'OUT-1')).text, /holds 10.5000 g/)
  assert.equal((await trade('sell', '0.5', '100000', 'OUT-1', '--as', 'second')).json.status, 'booked')
  const [gold] = await done(booksHedge)
  assert.equal(gold.houseGrams, '10.0000')
  assert.equal(gold.membersGrams, before.membersGrams)
  const gap = Number(gold.membersGrams) - 10
  assert.equal(Number(gold.gapGrams).toFixed(4), gap.toFixed(4))
  assert.ok(Math.abs(gold.gapWon - gap * gold.wonPerGram) <= 1)
  assert.equal((await done(booksInventory)).length, 2)
  for (const argv of [['lend'], ['buy', '--metal', 'tin'], ['buy', '--metal', 'gold', '--grams', '1e3']])
    assert.equal((await run(booksBullion, ...argv)).code, 2)
  assert.equal((await trade('buy', '0', '1', 'INV-2')).code, 1)
  // Behind the flow the database still refuses to sell what is not there.
  await assert.rejects(rows(`update account set balance = 1 where kind = 'inventory' and asset = 'XAU'`), {
    code: '23514',
  })
  await travel(86_400)
  await closeAll()
  const kinds = await rows(
    `select distinct kind from closed_day_line where account = 'inventory' order by kind`,
  )
  assert.deepEqual(kinds, [{ kind: 'bullion_buy' }, { kind: 'bullion_sell' }])
})
