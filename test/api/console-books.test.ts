import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeDays } from '#flows/books/close/close-days.ts'
import { closeStatement } from '#flows/settlement/close-statement.ts'
import { monthPeriod } from '#modules/settlement/rules.ts'
import { addHolder } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { PHONE, startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

// The books in the console: from a figure to its rows, bullion by two people, a bank's file.
const service = await startService({ environment: { SINGLE_PERSON: 'off' } })
const { database } = service
const partner = await service.addPartner({ creditLimit: 1_000_000n })
const { code } = partner.partner
await addHolder(service, await service.addPartner(), '홍길동', { XAU: 25_000n, KRW: 7_000n })
await feedPrice(database, 'XAU', 200_000n)
const buy = async (amount: number) =>
  assert.equal((await partner.buy({ phoneNumber: PHONE, amount })).status, 200)
await buy(50_000)
await buy(20_000)
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
const [{ month }] = await rows(`select to_char(service_now() at time zone 'Asia/Seoul', 'YYYY-MM') as month`)
await advanceClock(database, { seconds: 32 * 86_400, actor: 'test' })
assert.equal((await closeDays(database, { actor: 'test', rest: 0 })).kind, 'done')
await closeStatement(database, { code, period: monthPeriod(month), actor: 'test' })
// Not closed yet.
await buy(1_000)
const mina = await service.consoleAs('finance')
const juno = await service.consoleAs('finance')
const viewer = await service.consoleAs('viewer')

interface Line {
  day: string
  belongsTo: string
  isClosed: boolean
  kind: string
  debit: string
  credit: string
}

test('a trial balance is even, and each account leads to lines and rows that make it', async () => {
  const { body } = await viewer.get('/books/trial-balance')
  assert.ok(body.assets.every(({ isEven }: { isEven: boolean }) => isEven))
  for (const { asset, accounts } of body.assets)
    for (const { account, partner: of, debit, credit } of accounts) {
      const query = new URLSearchParams({ account, asset, at: body.at, ...(of && { partner: of }) })
      const found = (await viewer.get(`/books/account?${query}`)).body
      const units = (text: string) => BigInt(text.replace('.', ''))
      assert.equal(units(found.closing), units(credit) - units(debit), `${account} ${asset}`)
      for (const line of found.lines as Line[]) {
        const where: Record<string, string> = line.isClosed ? { day: line.day } : { at: body.at }
        const question = {
          account,
          asset,
          kind: line.kind,
          belongsTo: line.belongsTo,
          ...(of && { partner: of }),
        }
        const listed = (await viewer.get(`/books/rows?${new URLSearchParams({ ...where, ...question })}`))
          .body
        const sum = (side: 'debit' | 'credit') =>
          listed.rows
            .filter((row: Record<string, string>) => row[side] === account)
            .reduce((total: bigint, row: { amount: string }) => total + units(row.amount), 0n)
        assert.deepEqual([sum('debit'), sum('credit')], [units(line.debit), units(line.credit)])
      }
    }
  const lines = (
    await viewer.get(`/books/account?account=partner_receivable&asset=KRW_POINT&partner=${code}`)
  ).body
  assert.deepEqual([lines.closing, lines.lines.at(-1).isClosed], ['-71000', false])
})

test('closed days and their figures; what is not there is refused by name', async () => {
  const { days } = (await viewer.get('/books/days')).body
  const moved = days.find(({ movements }: { movements: number }) => movements > 2)
  const day = (await viewer.get(`/books/days/${moved.day}`)).body
  assert.deepEqual([day.cards[0].issued, day.cards[0].closing], ['70000', '70000'])
  const refusals: [path: string, status: number, detail: RegExp][] = [
    ['/books/days/2030-02-01', 409, /not_closed/],
    ['/books/days/2026-02-30', 400, /real date/],
    ['/books/trial-balance?at=2999-01-01T00:00:00Z', 409, /moment_ahead/],
    ['/books/trial-balance?at=yesterday', 400, /moment/],
    ['/books/account?account=bank&asset=KRW&partner=nobody', 404, /./],
    ['/books/account?account=bank&asset=USD', 400, /./],
    ['/books/rows?account=bank', 400, /a day or a moment/],
    [`/books/rows?day=${moved.day}&at=${moved.closedAt}`, 400, /a day or a moment/],
  ]
  for (const [path, status, detail] of refusals) {
    const answer = await viewer.get(path)
    assert.deepEqual([answer.status, detail.test(JSON.stringify(answer.body))], [status, true], path)
  }
})

test('bullion is asked for by one and booked by another; the gap is in grams and won', async () => {
  const wish = { side: 'buy', metal: 'XAU', grams: '1.5', won: 290_000, reference: 'INV-1', reason: 'test' }
  assert.equal((await viewer.post('/bullion', wish)).status, 403)
  const detail = async (change: object) => {
    const { status, body } = await mina.post('/bullion', { ...wish, ...change })
    return [status, body.errors?.[0]?.detail]
  }
  assert.deepEqual(await detail({ grams: '1.23456' }), [400, 'grams with up to four places'])
  assert.deepEqual(await detail({ side: 'sell', reference: 'INV-0' }), [409, 'more_than_held'])
  const asked = await mina.post('/bullion', wish)
  assert.equal(asked.body.waiting, true)
  assert.deepEqual(await detail({ won: 1 }), [409, 'bullion_reference_used'])
  const gap = async () => {
    const { hedges, waiting } = (await viewer.get('/bullion')).body
    const gold = hedges.find(({ metal }: { metal: string }) => metal === 'XAU')
    return [gold.members, gold.house, gold.gap, gold.gapWon, waiting.length]
  }
  assert.deepEqual(await gap(), ['2.5000', '0.0000', '2.5000', 500_000, 1])
  const path = `/approvals/${asked.body.requestId}/approve`
  assert.equal((await mina.post(path, {})).status === 200, false, 'not by the same person')
  assert.equal((await juno.post(path, {})).status, 200)
  assert.deepEqual(await gap(), ['2.5000', '1.5000', '1.0000', 200_000, 0])
})

const CSV = `거래내역조회\n거래일시,입금액,적요\n2026-12-03 10:00:00,"70,000",${code}\n2026-12-04 10:00:00,123,모르는 사람\n`
// The two syllables of a name in CP949.
const CP949 = Buffer.concat([
  Buffer.from('date,deposit,payer\n2026-12-03,70000,', 'latin1'),
  Buffer.from([0xb0, 0xa1, 0xb3, 0xaa]),
  Buffer.from(` ${code}\n`, 'latin1'),
])

test('a bank’s file is matched in each encoding, and refused by name and line', async () => {
  const match = (bytes: Uint8Array) =>
    mina.post('/bank-file', { file: Buffer.from(bytes).toString('base64') })
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(CSV, 'utf16le')])
  for (const [bytes, encoding] of [
    [Buffer.from(CSV), 'utf-8'],
    [CP949, 'euc-kr'],
    [wide, 'utf-16le'],
  ] as const) {
    const { status, body } = await match(bytes)
    assert.deepEqual([status, body.encoding, body.rows[0].sure], [200, encoding, 'certain'])
    assert.deepEqual(body.rows[0].statements, [`${code}-${month}`])
  }
  assert.equal((await match(CP949)).body.rows[0].payer, `가나 ${code}`)
  const refusals: [text: string, pointer: string, detail: string][] = [
    ['x,y\n1,2\n', '#', 'columns_missing'],
    ['date,deposit,payer\n2026-12-03,1.5,x\n', '#/line/2', 'amount_unreadable'],
    ['date,deposit,payer\n2026-12-03,$5,x\n', '#/line/2', 'other_currency'],
    ['date,deposit,payer\n2026-12-03,5,x\n합계,6,\n', '#/line/3', 'totals_differ'],
  ]
  for (const [text, pointer, detail] of refusals) {
    const { status, body } = await match(Buffer.from(text))
    assert.deepEqual([status, body.errors], [409, [{ pointer, detail }]])
  }
  assert.equal((await mina.post('/bank-file', { file: 'no base64!' })).status, 400)
  assert.equal((await mina.post('/bank-file', { file: 'A'.repeat(2_000_000) })).status, 413)
  assert.equal((await viewer.post('/bank-file', { file: '' })).status, 403)
})

test('payments of a file are asked for each by itself, booked by another, and never twice', async () => {
  const file = Buffer.from(CSV).toString('base64')
  const known = async () => (await mina.post('/bank-file', { file })).body.rows[0].known
  const { partner: of, reference, won, statements } = (await mina.post('/bank-file', { file })).body.rows[0]
  const payment = { partner: of, reference, won, statements }
  const ask = () =>
    mina.post('/bank-file/payments', {
      payments: [payment, { ...payment, reference: 'another', statements: ['none-2026-01'] }],
      prepay: false,
      reason: 'bank file',
    })
  const [first, second] = (await ask()).body.payments
  assert.deepEqual([first.state, second.state, second.refusal], ['waiting', 'refused', 'statement_not_found'])
  assert.equal(await known(), 'waiting')
  assert.equal((await ask()).body.payments[0].requestId, first.requestId, 'the same request')
  const stale = await service.consoleAs('finance', { fresh: false })
  const unproven = { payments: [payment], prepay: false, reason: 'x' }
  assert.equal((await stale.post('/bank-file/payments', unproven)).body.code, 'proof_required')
  assert.equal((await juno.post(`/approvals/${first.requestId}/approve`, {})).status, 200)
  assert.equal(await known(), 'booked')
  assert.equal((await mina.get(`/statements/${code}-${month}`)).body.statement.status, 'paid')
})
