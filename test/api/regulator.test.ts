import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readXlsx } from 'hucre'
import { refundDo, refundQuote } from '#app/commands/refund.ts'
import { reportList, reportShow, reportTransactions } from '#app/commands/report.ts'
import { booksSafeguard } from '#app/commands/safeguard.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { closeDays } from '#flows/books/close/close-days.ts'
import { expireCards } from '#flows/gift-cards/expire-cards.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { remindOfExpiry } from '#flows/gift-cards/remind-of-expiry.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { markSent } from '#test/deliveries.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addAccount, addHolder, testMetrics } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { temporaryFolder } from '#test/process.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

// Some fourteen months of two partners. What the reports say is compared with what the transfers say, added up by day here.
const service = await startService({ environment: { SINGLE_PERSON: 'off' } })
const { database } = service
const partner = await service.addPartner({ creditLimit: 100_000_000n })
const other = await service.addPartner({ creditLimit: 100_000_000n })
const { run, done } = await commandsOn(service)
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const redeem = createRedeemGiftCard({ database, keys, metrics: testMetrics() })
const folder = temporaryFolder()
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
const holder = await addHolder(service, other, '홍길동', { KRW_POINT: 7_000n, XAU: 12_345n })
await addAccount(service, holder.holderId)
const [{ year }] = await rows('select extract(year from seoul_date(service_now()))::int + 1 as year')
const Y1 = `${year}`
const Y2 = `${year + 1}`

async function goTo(day: string): Promise<void> {
  const [{ seconds }] = await rows(
    `select ceil(extract(epoch from ($1 || 'T12:00:00+09:00')::timestamptz - service_now()))::int as seconds`,
    day,
  )
  await advanceClock(database, { seconds, actor: 'test' })
}
const close = async () => {
  const closed = await closeDays(database, { actor: 'test', rest: 0 })
  assert.ok(closed.kind === 'done' && !closed.open)
}
const buy = async (amount: number, of = partner) =>
  (await of.buy({ phoneNumber: PHONE, amount })).body.data.giftId as string
async function use(giftId: string): Promise<void> {
  const [{ pin }] = await rows('select pin from gift_card where id = $1', giftId)
  const open = keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, pin)
  assert.equal((await redeem({ pin: parsePin(open)!, holderId: holder.holderId })).kind, 'redeemed')
}
const show = (name: string, from: string, to: string) => done(reportShow, name, '--from', from, '--to', to)
const dayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()

// By adding up transfers, which no report reads.
async function outstandingOn(day: string): Promise<number> {
  const [{ won }] = await rows(
    `select coalesce(sum(case when c.kind in ('outstanding_cards', 'expired_cards', 'holding') then t.amount else 0 end
                       - case when d.kind in ('outstanding_cards', 'expired_cards', 'holding') then t.amount else 0 end), 0) as won
       from transfer t join account d on d.id = t.debit_account join account c on c.id = t.credit_account
      where t.asset = 'KRW_POINT' and (t.at at time zone 'Asia/Seoul')::date <= $1::date`,
    day,
  )
  return Number(won)
}
const issuedIn = async (of: string) =>
  Number(
    (
      await rows(
        `select coalesce(sum(amount), 0) as won from gift_card where extract(year from issued_at at time zone 'Asia/Seoul') = $1`,
        of,
      )
    )[0].won,
  )

test('before a day is closed there is nothing to answer with', async () => {
  assert.match((await run(reportShow, 'outstanding')).text, /no day is closed yet.*books close/)
  const console = await service.consoleAs('finance')
  const { status, body } = await console.get('/reports/outstanding')
  assert.deepEqual([status, body.errors[0].detail], [409, 'nothing_closed'])
})

let refundable = ''
const reminded = { delivered: '', failed: '' }

test('outstanding by day, and the meters over the windows of the law', async () => {
  await goTo(`${Y1}-02-10`)
  reminded.delivered = await buy(300_000)
  reminded.failed = await buy(20_000, other)
  refundable = await buy(60_000)
  await use(await buy(1_000_000))
  const cancelled = await buy(33_333)
  assert.equal((await partner.post(`${BUY}/${cancelled}/cancel`, { reason: 'x' })).status, 200)
  await goTo(`${Y1}-05-20`)
  await buy(500_000, other)
  await goTo(`${Y1}-08-03`)
  await use(await buy(250_000))
  await goTo(`${Y1}-11-30`)
  await buy(125_000)
  await goTo(`${Y2}-01-04`)
  await buy(40_000)
  await goTo(`${Y2}-01-06`)
  await close()
  const day = `${Y2}-01-05`
  const report = await show('outstanding', `${Y1}-02-01`, day)
  assert.equal(report.rows.length, 339 + (Temporal.PlainDate.from(`${Y1}-02-01`).inLeapYear ? 1 : 0))
  for (const row of report.rows) {
    if (!/-(?:10|20|03|30|04|28)$/.test(row.day)) continue
    assert.equal(row.total, await outstandingOn(row.day), row.day)
    assert.equal(row.total, row.cards + row.expired + row.points)
  }
  const first = report.rows.find((row: { day: string }) => row.day === `${Y1}-02-10`)
  assert.deepEqual(
    [first.cards, first.points, first.issued, first.voided],
    [380_000, 1_007_000, 1_413_333, 33_333],
  )
  const ends = await Promise.all(
    ['03-31', '06-30', '09-30', '12-31'].map((end) => outstandingOn(`${Y1}-${end}`)),
  )
  // The books began in the year before: its last quarter is before the window.
  const meters = Object.fromEntries(report.meters.map((meter: { name: string }) => [meter.name, meter]))
  const average = Math.ceil(ends.reduce((sum, won) => sum + won) / 4)
  assert.deepEqual(meters.balance_average, {
    name: 'balance_average',
    statutory: true,
    from: `${Y1}-03-31`,
    to: `${Y1}-12-31`,
    won: average,
    limit: 3_000_000_000,
  })
  assert.equal(meters.issued_last_year.won, await issuedIn(Y1))
  assert.deepEqual([meters.issued_this_year.won, meters.issued_this_year.from], [40_000, `${Y2}-01-01`])
  assert.equal(meters.balance_now.won, await outstandingOn(day))
  assert.equal(report.closed.day, day)
  // The very query, run again as it stands, gives the same.
  const [source] = report.sources
  const again = await rows(source.sql, ...source.values)
  assert.equal(Number(again.at(-1)!.total), meters.balance_now.won)
})

test('a period is refused by name', async () => {
  const refusals: [argv: string[], exit: number, words: RegExp][] = [
    [['outstanding', '--from', `${Y2}-01-05`, '--to', `${Y2}-01-04`], 1, /before it begins/],
    [['outstanding', '--to', `${Y2}-01-06`], 1, /not over/],
    [['ci-use', '--to', `${Y2}-01-06`], 1, /not over/],
    [['refunds', '--from', '2015-01-01', '--to', `${Y2}-01-05`], 1, /five years/],
    [['outstanding', '--to', `${Y2}-02-30`], 2, /2026-11-16/],
    [['nonsense'], 2, /there are outstanding/],
    [['transactions'], 2, /report transactions/],
    [['refunds', '--out', 'x.pdf'], 2, /csv or .xlsx/],
  ]
  for (const [argv, exit, words] of refusals) {
    const ran = await run(reportShow, ...argv)
    assert.deepEqual([ran.code, words.test(ran.text)], [exit, true], ran.text)
  }
  const person = ['--from', `${Y1}-01-01`, '--to', `${Y2}-01-05`, '--reason', 'x']
  assert.match((await run(reportTransactions, 'nobody', ...person)).text, /no member nobody/)
  assert.equal((await run(reportTransactions, holder.holderId)).code, 2)
  assert.equal((await done(reportList)).length, 7)
})

test('safeguarded funds: two people, each reference once, the last record of an institution counts', async () => {
  const on = (day: string, won: number, reference: string, institution = '한빛은행') =>
    run(
      booksSafeguard,
      institution,
      '--method',
      'trust',
      '--as-of',
      day,
      '--won',
      String(won),
      '--reference',
      reference,
    )
  const approved = (...args: Parameters<typeof on>) =>
    run(
      booksSafeguard,
      ...[args[3] ?? '한빛은행', '--method', 'trust', '--as-of', args[0], '--won', String(args[1])],
      ...['--reference', args[2], '--as', 'second'],
    )
  const day = `${Y2}-01-05`
  const needed = await outstandingOn(day)
  const gapOf = async () => (await show('safeguarding', day, day)).figures
  assert.deepEqual(await gapOf(), { required: needed, held: 0, gap: needed, short_days: 1 })
  const waiting = await on(dayBefore(day), 1_000_000, 'T-1')
  assert.deepEqual([waiting.code, waiting.json.status], [0, 'waiting'])
  assert.equal((await gapOf()).held, 0, 'one person is not enough')
  assert.equal((await on(dayBefore(day), 1_000_000, 't-1')).json.id, waiting.json.id)
  assert.match((await on(dayBefore(day), 2_000_000, 'T-1')).text, /another record/)
  assert.equal((await approved(dayBefore(day), 1_000_000, 'T-1')).json.status, 'recorded')
  assert.match((await approved(dayBefore(day), 1_000_000, 'T-1')).text, /nothing was done/)
  await approved(day, needed - 400_000, 'D-1', '새벽신탁')
  assert.deepEqual(await gapOf(), { required: needed, held: needed + 600_000, gap: -600_000, short_days: 0 })
  // Written in another way it is the same institution. A later record of the same day replaces the earlier one.
  await approved(day, 300_000, 'T-2')
  await approved(day, 250_000, 'T-3')
  assert.deepEqual(await gapOf(), { required: needed, held: needed - 150_000, gap: 150_000, short_days: 1 })
  assert.match((await on(`${Y2}-01-06`, 1, 'T-4')).text, /not over/)
  assert.match((await on(day, 1, ' ')).text, /reference/)
  assert.match((await on(day, 1, 'T-5', '')).text, /name/)
  const funds = await show('safeguarded-funds', dayBefore(day), day)
  assert.deepEqual(
    funds.rows.map((row: { reference: string; maker: string; checker: string }) => [
      row.reference,
      row.maker,
      row.checker,
    ]),
    ['T-1', 'D-1', 'T-2', 'T-3'].map((reference) => [reference, 'cli:test', 'cli:test as second']),
  )
})

test('a shortage needs a person, and is a metric', async () => {
  const finance = await service.consoleAs('finance')
  const short = async () => {
    const { needs } = (await finance.get('/overview')).body
    return needs.find((need: { kind: string }) => need.kind === 'safeguard_short')
  }
  await until(async () => (await short()) !== undefined)
  assert.equal((await short()).won, 150_000)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(metrics, /^ingot_safeguard_gap_won 150000$/m)
  assert.match(
    metrics,
    new RegExp(`^ingot_prepaid_outstanding_won ${await outstandingOn(`${Y2}-01-05`)}$`, 'm'),
  )
})

test('notices before expiry: which cards expired without one that arrived', async () => {
  await goTo(`${Y2}-01-20`)
  await remindOfExpiry(database)
  await markSent(service, reminded.delivered)
  await markSent(service, reminded.failed, { status: 'failed' })
  // As if the worker had never come to it.
  await rows(
    `set session_replication_role = replica; delete from delivery where card_id = '${refundable}' and purpose = 'reminder'; reset session_replication_role`,
  )
  await goTo(`${Y2}-02-12`)
  await expireCards(database)
  await goTo(`${Y2}-02-14`)
  const report = await show('expiry-notices', `${Y2}-02-01`, `${Y2}-02-13`)
  assert.deepEqual(report.figures, {
    expired: 3,
    won: 380_000,
    delivered: 1,
    unconfirmed: 0,
    failed: 1,
    none: 1,
  })
  assert.deepEqual(
    report.rows.map((row: { id: string; outcome: string }) => [row.id, row.outcome]).toSorted(),
    [
      [reminded.failed, 'failed'],
      [refundable, 'none'],
    ].toSorted(),
  )
  assert.equal((await show('expiry-notices', `${Y2}-01-01`, `${Y2}-01-31`)).figures.expired, 0)
})

test('refunds made, and cancelled purchases', async () => {
  const quote = await done(refundQuote, refundable, '--to', 'money', '--member', holder.holderId)
  await done(refundDo, quote.quote, '--reason', 'asked by phone', '--as', 'second')
  await goTo(`${Y2}-02-16`)
  await close()
  const report = await show('refunds', `${Y1}-01-01`, `${Y2}-02-15`)
  assert.deepEqual(report.figures, { refunds: 1, total: 57_000, deduction: 3_000, voids: 1, voided: 33_333 })
  assert.deepEqual(
    report.rows.map((row: { cardId: string; face: number; by: string }) => [row.cardId, row.face, row.by]),
    [[refundable, 60_000, 'operator']],
  )
  const outstanding = await show('outstanding', `${Y2}-02-14`, `${Y2}-02-15`)
  assert.equal(outstanding.rows.at(-1).total, await outstandingOn(`${Y2}-02-15`))
  assert.equal(outstanding.rows.at(-1).expired, 320_000)
})

test('what one person did: fresh proof, a reason, an audit entry; every movement once', async () => {
  const body = {
    member: holder.holderId,
    from: `${year - 1}-01-01`,
    to: `${Y2}-02-15`,
    reason: '금감원 요청',
  }
  const stale = await service.consoleAs('finance', { fresh: false })
  assert.equal((await stale.post('/reports/transactions', body)).body.code, 'proof_required')
  const viewer = await service.consoleAs('viewer')
  assert.equal((await viewer.post('/reports/transactions', body)).status, 403)
  const finance = await service.consoleAs('finance')
  assert.equal((await finance.post('/reports/transactions', { ...body, member: 'nobody' })).status, 404)
  assert.deepEqual(await rows(`select id from audit_entry where action = 'report.person'`), [])
  const answer = await finance.post('/reports/transactions', body)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const told = answer.body.rows.map(({ cells: [, , kind, asset, change] }: { cells: unknown[] }) => [
    kind,
    asset,
    change,
  ])
  assert.deepEqual(told.toSorted(), [
    ['grant', 'KRW_POINT', 7_000],
    ['grant', 'XAU', 1.2345],
    ['redeem', 'KRW_POINT', 1_000_000],
    ['redeem', 'KRW_POINT', 250_000],
    ['refund', 'KRW', 57_000],
  ])
  const entries = await rows(`select actor, subject, details from audit_entry where action = 'report.person'`)
  assert.deepEqual(
    entries.map(({ actor, subject, details }) => [actor, subject, details.from, details.reason]),
    [[`staff:${finance.staff.email}`, holder.holderId, body.from, undefined]],
    'what was typed is sealed',
  )
  assert.ok(!answer.text.includes('홍길동'))
  const csv = await finance.post('/reports/transactions/file', { ...body, format: 'csv', language: 'ko' })
  assert.match(csv.text, /등록[\s\S]*파일 끝: 전체 5행/)
  assert.equal((await rows(`select from audit_entry where action = 'report.person'`)).length, 2)
})

test('use of the CI, and what is not recorded', async () => {
  const report = await show('ci-use', `${year - 1}-01-01`, `${Y2}-02-15`)
  const [{ members }] = await rows('select count(*)::int as members from member')
  const [{ traces }] = await rows('select count(*)::int as traces from signup_trace')
  assert.ok(traces > 0)
  assert.deepEqual(
    report.rows.map((row: { use: string; partner: string; count: number }) => [
      row.use,
      row.partner,
      row.count,
    ]),
    [
      ['new_member', null, members],
      ['partner_signup', other.partner.code, traces],
    ],
  )
  assert.match(report.notes[0], /Not recorded/)
})

test('files: the rows, what they stand for, the query; the same figures as the page', async () => {
  const finance = await service.consoleAs('finance')
  const query = `from=${Y2}-01-01&to=${Y2}-02-15`
  const page = (await finance.get(`/reports/safeguarding?${query}`)).body
  assert.equal(page.rowCount, 46)
  const csv = await finance.get(`/reports/safeguarding/file?${query}&format=csv&language=en`)
  assert.match(csv.headers.get('content-disposition')!, /ingot-safeguarding-.*\.csv/)
  const lines = csv.text.split('\r\n')
  assert.match(lines[0]!, /^\uFEFF?Day,To be safeguarded/)
  assert.deepEqual(lines[46]!.split(',').slice(0, 4), page.rows[45].cells.slice(0, 4).map(String))
  assert.ok(lines.some((line) => line.startsWith('Query,"with groups as')))
  assert.equal(lines.at(-2), 'End of file: all 46 rows')
  const out = join(folder.path, 'funds.xlsx')
  await done(
    booksSafeguard,
    '=1+1 은행',
    '--method',
    'deposit',
    '--as-of',
    `${Y2}-02-15`,
    '--won',
    '0',
    '--reference',
    '@SUM',
    '--as',
    'second',
  )
  const written = ['safeguarded-funds', '--from', `${Y2}-01-01`, '--to', `${Y2}-02-15`, '--out']
  assert.deepEqual(await done(reportShow, ...written, out), { file: out })
  const { sheets } = await readXlsx(await readFile(out))
  assert.deepEqual(sheets[0]!.rows[5]!.slice(0, 5), [`${Y2}-02-15`, '=1+1 은행', '예치', 0, '@SUM'])
  const plain = await finance.get(`/reports/safeguarded-funds/file?${query}&format=csv&language=ko`)
  assert.match(plain.text, new RegExp(`${Y2}-02-15,'=1\\+1 은행,예치,0,'@SUM`))
  const exports = await rows(
    `select subject, details from audit_entry where action = 'report.export' order by id`,
  )
  assert.deepEqual(
    exports.map(({ subject, details }) => [subject, details.format, details.rows]),
    [
      ['safeguarding', 'csv', 46],
      ['safeguarded-funds', 'xlsx', 5],
      ['safeguarded-funds', 'csv', 5],
    ],
  )
})

test('recorded in the console, approved by another; who may not is refused', async () => {
  const fund = {
    institution: '한빛은행',
    method: 'trust',
    asOf: `${Y2}-02-15`,
    won: 9_000_000,
    reference: 'C-1',
    reason: '잔고증명서',
  }
  const support = await service.consoleAs('support')
  assert.equal((await support.post('/safeguarded-funds', fund)).status, 403)
  const finance = await service.consoleAs('finance')
  const bad = await finance.post('/safeguarded-funds', { ...fund, asOf: `${Y2}-02-31` })
  assert.deepEqual([bad.status, bad.body.errors[0].pointer], [400, '#/asOf'])
  const ahead = await finance.post('/safeguarded-funds', { ...fund, asOf: `${Y2}-02-16` })
  assert.deepEqual([ahead.status, ahead.body.errors[0].detail], [409, 'fund_day_not_over'])
  const { waiting, requestId } = (await finance.post('/safeguarded-funds', fund)).body
  assert.equal(waiting, true)
  const own = await finance.post(`/approvals/${requestId}/approve`, { note: '' })
  assert.equal(own.status, 409)
  const second = await service.consoleAs('admin')
  const approved = await second.post(`/approvals/${requestId}/approve`, { note: '' })
  assert.equal(approved.status, 200, approved.text)
  const { figures } = await show('safeguarding', `${Y2}-02-15`, `${Y2}-02-15`)
  assert.equal(figures.held, 9_000_000 + (await outstandingOn(`${Y2}-01-05`)) - 400_000)
})
