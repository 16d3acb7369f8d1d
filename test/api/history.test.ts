import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { statementCsv } from '#edge/member/statement-csv.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import {
  createReadActs,
  createReadHistory,
  createReadStatement,
  type ToldAct,
  type ToldMovement,
} from '#flows/holdings/read-history.ts'
import { createReadHoldings } from '#flows/holdings/read-holdings.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder, type QuoteCommand } from '#flows/trading/quote-order.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { createCancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'
import { addAccount, addHolder, testMetrics } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { patiently } from '#test/patience.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { watchReadings } from '#test/rows-read.ts'
import { PHONE, startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner({ name: '=한빛, "페이"' })
const metrics = testMetrics()
const deps = { database, keys, metrics }
const quoteOrder = createQuoteOrder(deps)
const placeOrder = createPlaceOrder(deps)
const redeem = createRedeemGiftCard(deps)
const withdraw = createRequestWithdrawal(deps)
const cancel = createCancelWithdrawal(deps)
const readHistory = createReadHistory(deps)
const readActs = createReadActs(deps)
const readStatement = createReadStatement(database)

async function trade(command: QuoteCommand): Promise<void> {
  const quoted = await quoteOrder(command)
  assert.ok(quoted.kind === 'quoted')
  const placed = await placeOrder({ quoteId: quoted.quote.id, holderId: command.holderId })
  assert.equal(placed.kind, 'placed')
}

async function register(holderId: string, amount: number): Promise<void> {
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount })).body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  const pin = keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin)
  assert.equal((await redeem({ pin: parsePin(pin)!, holderId })).kind, 'redeemed')
}

async function page(holderId: string, asset?: Asset, cursor?: string) {
  const read = await readHistory(holderId, { asset, cursor })
  assert.ok(read !== 'bad_cursor')
  return read
}

async function allPages(holderId: string, asset?: Asset): Promise<ToldMovement[]> {
  const all: ToldMovement[] = []
  for (let cursor: string | undefined; ; ) {
    const { movements, next } = await page(holderId, asset, cursor)
    all.push(...movements)
    if (next === null) return all
    cursor = next
  }
}

async function allActs(holderId: string, asset?: Asset): Promise<ToldAct[]> {
  const all: ToldAct[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await readActs(holderId, { asset, cursor })
    assert.ok(page !== 'bad_cursor')
    all.push(...page.acts)
    if (page.next === null) return all
    cursor = page.next
  }
}

async function balancesOf(holderId: string): Promise<Record<Asset, bigint>> {
  const { rows } = await database.pool.query('select asset, balance from account where holder_id = $1', [
    holderId,
  ])
  const held = new Map(rows.map((row) => [row.asset, row.balance]))
  return Object.fromEntries(ASSETS.map((asset) => [asset, held.get(asset) ?? 0n])) as Record<Asset, bigint>
}

const { holderId } = await addHolder(service, partner, '김역사', { KRW: 5_000n })

test('every movement with what was held after it, newest first', async () => {
  await register(holderId, 50_000)
  await trade({ holderId, side: 'buy', metal: 'XAU', won: 52_000n })
  await trade({ holderId, side: 'sell', metal: 'XAU', units: 1_000n })
  const destination = { bank: '088', account: '110123456789', holder: '김역사' }
  const accountId = await addAccount(service, holderId)
  const wish = { holderId, accountId, requestId: newId(), amount: 20_000n, destination, deviceLabel: '' }
  const asked = await withdraw(wish)
  assert.ok(asked.kind === 'requested')
  await cancel({ holderId, id: asked.withdrawal.id })

  const movements = await allPages(holderId)
  const told = movements.map(({ kind, asset, change, balance, partnerName, order }) =>
    [kind, asset, change, balance, partnerName, order?.price].join(' ').trim(),
  )
  assert.deepEqual(told, [
    'withdraw_back KRW 20000 22705',
    'withdraw KRW -20000 2705',
    'sell KRW 19690 22705  197507',
    'sell XAU -1000 1598  197507',
    'buy XAU 2598 2598  199493',
    'buy KRW -1985 3015  199493',
    'buy KRW_POINT -50000 0  199493',
    `redeem KRW_POINT 50000 50000 ${partner.partner.name}`,
    'grant KRW 5000 5000',
  ])
  const gold = await page(holderId, 'XAU')
  assert.deepEqual(
    gold.movements.map(({ balance }) => balance),
    [1_598n, 2_598n],
  )
})

test('an act is one row with all it moved, also in the list of one asset', async () => {
  const told = (acts: ToldAct[]) =>
    acts.map(({ kind, legs, partnerName, order, withdrawalStatus }) =>
      [
        kind,
        ...legs.map(({ asset, change, balance }) => `${asset} ${change} ${balance ?? '-'}`),
        partnerName ?? withdrawalStatus ?? order?.total ?? '',
      ].join(' | '),
    )
  assert.deepEqual(told(await allActs(holderId)), [
    'withdraw_back | KRW 20000 22705 | cancelled',
    'withdraw | KRW -20000 2705 | cancelled',
    'sell | XAU -1000 1598 | KRW 19690 22705 | 19690',
    'buy | KRW_POINT -50000 0 | KRW -1985 3015 | XAU 2598 2598 | 51985',
    `redeem | KRW_POINT 50000 50000 | ${partner.partner.name}`,
    'grant | KRW 5000 5000 | ',
  ])
  assert.deepEqual(told(await allActs(holderId, 'XAU')), [
    'sell | XAU -1000 1598 | KRW 19690 - | 19690',
    'buy | KRW_POINT -50000 - | KRW -1985 - | XAU 2598 2598 | 51985',
  ])
  assert.deepEqual(await allActs(newId()), [])
})

test('pages follow each other without a gap, and add up, while more comes in', async () => {
  const { holderId: busy } = await addHolder(service, partner, '바쁜 사람', {
    KRW_POINT: 900_000n,
    XAU: 900n,
    XAG: 9_000n,
  })
  for (let i = 0; i < 60; i += 1) {
    const side = i % 3 === 0 ? 'sell' : 'buy'
    await trade({ holderId: busy, side, metal: i % 2 ? 'XAG' : 'XAU', units: side === 'buy' ? 50n : 25n })
  }
  for (const asset of [undefined, ...ASSETS]) {
    const all = await allPages(busy, asset)
    const ids = all.map(({ id }) => id)
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((a, b) => (a < b ? 1 : -1)),
    )
    const running: Partial<Record<Asset, bigint>> = {}
    for (const one of all.toReversed()) {
      running[one.asset] = (running[one.asset] ?? 0n) + one.change
      assert.equal(one.balance, running[one.asset])
    }
  }
  // A page ends between two acts, never inside one.
  for (const asset of [undefined, ...ASSETS]) {
    const acts = await allActs(busy, asset)
    const legs = acts.flatMap((act) => act.legs.map((leg) => ({ ...leg, groupId: act.groupId })))
    assert.equal(new Set(acts.map(({ groupId }) => groupId)).size, acts.length)
    const movements = (await allPages(busy, asset)).map(({ id, balance }) => [id, balance])
    const known = legs.filter((leg) => leg.balance !== null).map(({ id, balance }) => [id, balance])
    const byId = (rows: unknown[][]) =>
      rows.toSorted((a, b) => ((a[0] as bigint) < (b[0] as bigint) ? 1 : -1))
    assert.deepEqual(byId(known), movements)
    const all = await database.pool.query(
      `select count(*)::int as count from transfer t
        where group_id = any ($1::uuid[]) and exists (select from account where holder_id = $2
          and id in (t.debit_account, t.credit_account))`,
      [acts.map(({ groupId }) => groupId), busy],
    )
    assert.equal(legs.length, all.rows[0].count)
  }
  const first = await page(busy)
  const firstActs = await readActs(busy, {})
  await trade({ holderId: busy, side: 'buy', metal: 'XAU', units: 50n })
  assert.ok(firstActs !== 'bad_cursor')
  const secondActs = await readActs(busy, { cursor: firstActs.next! })
  assert.ok(secondActs !== 'bad_cursor')
  assert.deepEqual([...firstActs.acts, ...secondActs.acts], (await allActs(busy)).slice(1, 61))
  const second = await page(busy, undefined, first.next!)
  const before = (await allPages(busy)).filter(({ id }) => id <= first.movements[0]!.id)
  assert.deepEqual([...first.movements, ...second.movements], before.slice(0, 100))
})

test('a cursor is for its holder and its list, and cannot be made up', async () => {
  const { rows } = await database.pool.query(
    `select holder_id from trade_order group by holder_id having count(*) > 50`,
  )
  const busy = rows[0].holder_id
  const { next } = await page(busy)
  for (const [who, asset, cursor] of [
    [holderId, undefined, next],
    [busy, 'XAU', next],
    [busy, undefined, 'abc'],
    [busy, undefined, Buffer.from('1 2 3 4 5').toString('base64url')],
    [busy, undefined, `${next!.slice(0, -4)}AAAA`],
  ] as const) {
    assert.equal(await readHistory(who, { asset, cursor: cursor! }), 'bad_cursor')
    assert.equal(await readActs(who, { asset, cursor: cursor! }), 'bad_cursor')
  }
  assert.equal(await readActs(busy, { cursor: next! }), 'bad_cursor', 'of the other list')
})

test('movements are found by their own indexes', async () => {
  const { rows } = await database.pool.query(
    `explain select t.id from transfer t where t.debit_account = 5 and t.id < 100
        and t.kind in ('buy', 'sell', 'withdraw', 'join', 'waive', 'adjust_down') order by t.id desc limit 51`,
  )
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /Scan Backward using transfer_from_member/)
  const credits = await database.pool.query(
    `explain select t.id from transfer t where t.credit_account = 5 and t.id < 100
        and t.kind in ('redeem', 'grant', 'buy', 'sell', 'withdraw_back', 'join', 'adjust_up') order by t.id desc limit 51`,
  )
  assert.match(
    credits.rows.map((row) => row['QUERY PLAN']).join('\n'),
    /Scan Backward using transfer_to_holder/,
  )
  const legs = await database.pool.query(
    `explain select * from transfer where group_id = $1 and kind = 'buy'
        and kind in ('buy', 'sell', 'grant', 'join', 'waive')`,
    [newId()],
  )
  assert.match(legs.rows.map((row) => row['QUERY PLAN']).join('\n'), /transfer_of_act/)
})

// Movements that add up, written at once.
async function plant(holderId: string, count: number): Promise<void> {
  await database.pool.query(
    `select post_transfers('grant', service_now(), array_agg(gen_random_uuid()), array_agg(null::uuid),
                           array_agg(g.id), array_agg(a.id), array_agg(1::bigint))
       from account a, generate_series(1, $2::int),
            (select id from account where kind = 'sandbox_grants' and asset = 'KRW_POINT') g
      where a.holder_id = $1 and a.asset = 'KRW_POINT'`,
    [holderId, count],
  )
}

test('a page costs the same for thousands of movements as for hundreds, and far back as at the beginning', async (t) => {
  const few = (await addHolder(service, partner, 'few', { KRW_POINT: 1n })).holderId
  const many = (await addHolder(service, partner, 'many', { KRW_POINT: 1n })).holderId
  // Autovacuum would find two accounts with nearly all movements, and change the plan between two readings.
  for (const table of ['transfer', 'account'])
    await database.pool.query(`alter table ${table} set (autovacuum_enabled = off)`)
  await plant(few, 400)
  await plant(many, 3_000)
  // A pool of its own: every second the service looks at something by its own one.
  const watched = openDatabase({
    connection: service.on.connection,
    maxConnections: 1,
    waitMs: patiently(60_000),
    onIdleError: () => {},
  })
  const readHoldings = createReadHoldings(watched)
  t.after(() => watched.close())
  const lists = [createReadHistory({ database: watched, keys }), createReadActs({ database: watched, keys })]
  const readings = watchReadings(watched.pool)
  // How many round trips, and the rows that each of them looked at.
  const costOf = async (read: () => Promise<unknown>) => {
    readings.take()
    await read()
    return readings.take().map(({ statements, rows }) => [statements.length, rows])
  }
  const back = async (read: typeof readHistory | typeof readActs, id: string, pages: number) => {
    let cursor: string | undefined
    for (let i = 0; i < pages; i += 1) {
      const page = await read(id, { cursor })
      assert.ok(page !== 'bad_cursor' && page.next !== null)
      cursor = page.next
    }
    return cursor
  }
  for (const read of lists) {
    const first = await costOf(() => read(few, {}))
    assert.ok(first.length <= 3 && first.every(([statements]) => statements === 1))
    assert.deepEqual(await costOf(() => read(many, {})), first)
    const [second, later] = [await back(read, few, 1), await back(read, many, 30)]
    const next = await costOf(() => read(few, { cursor: second }))
    assert.deepEqual(await costOf(() => read(many, { cursor: later })), next)
  }
  const holdings = await costOf(() => readHoldings(few))
  assert.equal(holdings.length, 1)
  assert.deepEqual(await costOf(() => readHoldings(many)), holdings)
})

test('holdings: whoever asks at the same moment sees their own', async () => {
  const points = [3n, 5n, 7n, 11n, 13n, 17n]
  const holders = await Promise.all(
    points.map((KRW_POINT, i) => addHolder(service, partner, `own ${i}`, { KRW_POINT })),
  )
  const readHoldings = createReadHoldings(database)
  const asked = Array.from({ length: 120 }, (_, i) => (i * 5) % points.length)
  const seen = await Promise.all(asked.map((i) => readHoldings(holders[i]!.holderId)))
  assert.deepEqual(
    seen.map((holdings) => holdings.points),
    asked.map((i) => points[i]),
  )
})

// Last: the clock never goes back.
test('a statement opens with what was held and closes with what is left; its table is for a spreadsheet', async () => {
  const { rows } = await database.pool.query('select seoul_date(service_now())::text as today')
  const first = Temporal.PlainDate.from(rows[0].today)
  const before = await balancesOf(holderId)
  await advanceClock(database, { seconds: 3 * 86_400, actor: 'test' })
  await feedPrice(database, 'XAU', 200_000n)
  await trade({ holderId, side: 'sell', metal: 'XAU', units: 598n })
  const after = await balancesOf(holderId)

  const whole = await readStatement(holderId, {
    from: first.subtract({ days: 1 }),
    to: first.add({ days: 5 }),
  })
  assert.ok(whole !== 'too_long')
  assert.equal(seoulDate(whole.madeAt).toString(), first.add({ days: 3 }).toString())
  assert.deepEqual([whole.opening, whole.closing], [{ KRW_POINT: 0n, KRW: 0n, XAU: 0n, XAG: 0n }, after])
  assert.equal(whole.movements.length, 11)
  assert.deepEqual(
    whole.movements.map(({ id, balance }) => [id, balance]),
    (await allPages(holderId)).toReversed().map(({ id, balance }) => [id, balance]),
  )

  const early = await readStatement(holderId, { from: first, to: first.add({ days: 2 }) })
  assert.ok(early !== 'too_long')
  assert.deepEqual([early.closing, early.movements.length], [before, 9])
  const late = await readStatement(holderId, { from: first.add({ days: 1 }), to: first.add({ days: 3 }) })
  assert.ok(late !== 'too_long')
  assert.deepEqual([late.opening, late.closing, late.movements.length], [before, after, 2])

  const lines = statementCsv(whole, 'ko').split('\r\n')
  assert.equal(
    lines[0],
    '\uFEFF일시,구분,자산,변동,잔액,제휴사,g당 가격,주문번호,' +
      '가격 × 중량,원 미만 올림,수수료,거래 금액,스프레드(가격에 포함),취득원가,실현손익',
  )
  assert.equal(lines.length, 1 + 4 + 11 + 4 + 1 + 1)
  assert.match(lines[6]!, /,상품권 등록,포인트\(P\),\+50000,50000,"'=한빛, ""페이""",,,,,,,,,$/)
  assert.match(
    lines[15]!,
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,판매,예치금\(원\),\+\d+,\d+,,199000,[0-9a-f-]{36},,,,,,,$/,
  )
  assert.match(
    statementCsv(whole, 'en'),
    /^\uFEFFTime,Kind,.*\r\n,Opening balance,Points \(P\),,0,,,,,,,,,,\r\n/,
  )
  // Bought 0.2598 g at 199,493 for 51,829 and a fee of 156; of the 2,598 units 1,000 were sold, then 598.
  const orders = lines
    .map((line) => line.split(',').slice(-7).join(' ').trim())
    .filter((cells) => /\d/.test(cells))
  assert.deepEqual(orders, [
    '51828 1 156 51985 259',
    '19750 0 60 19690 100 20010 -320',
    '11900 0 36 11864 60 11966 -102',
    '252  419  -422',
  ])
})
