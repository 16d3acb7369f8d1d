import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { statementMatch } from '#app/commands/bank-file.ts'
import { booksClose } from '#app/commands/books.ts'
import { partnerApprovals, partnerSet } from '#app/commands/partner.ts'
import { partnerPay, partnerReversePayment } from '#app/commands/payment.ts'
import {
  partnerBilling,
  statementClose,
  statementDraft,
  statementList,
  statementSend,
  statementShow,
} from '#app/commands/statement.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { statementPage } from '#flows/settlement/print-statement.ts'
import { statementCsv, statementXlsx } from '#flows/settlement/render-statement.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { fromText, monthPeriod, toText } from '#modules/settlement/rules.ts'
import { findStatement, readStatementData } from '#modules/settlement/store.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addHolder, testMetrics } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { temporaryFolder } from '#test/process.ts'
import { assertBooks, PHONE, startService } from '#test/service.ts'

// Three months of one partner: statements against the usage API, frozen bytes, payments that name statements.
const service = await startService()
const { database } = service
const partner = await service.addPartner({ creditLimit: 1_000_000n })
const other = await service.addPartner()
const { code } = partner.partner
const { run, done } = await commandsOn(service)
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const redeem = createRedeemGiftCard({ database, keys, metrics: testMetrics() })
const folder = temporaryFolder()
const holder = await addHolder(service, other, '홍길동', {})
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
const today = async () => (await rows('select seoul_date(service_now())::text as day'))[0].day as string

async function goTo(day: string): Promise<void> {
  const [{ seconds }] = await rows(
    `select ceil(extract(epoch from ($1 || 'T12:00:00+09:00')::timestamptz - service_now()))::int as seconds`,
    day,
  )
  await advanceClock(database, { seconds, actor: 'test' })
}
const start = Temporal.PlainDate.from(await today()).with({ day: 1 })
const month = (n: number) => start.add({ months: n }).toString().slice(0, 7)
const [M1, M2, M3] = [month(1), month(2), month(3)] as [string, string, string]
const buy = async (amount: number) =>
  (await partner.buy({ phoneNumber: PHONE, amount })).body.data.giftId as string
const voided = (uuid: string) =>
  voidCard(database, {
    card: { kind: 'uuid', uuid },
    approvalFrom: 10n ** 12n,
    actor: 'test',
    reason: 'test',
  })
async function use(giftId: string): Promise<void> {
  const [{ pin }] = await rows('select pin from gift_card where id = $1', giftId)
  const open = keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, pin)
  assert.equal((await redeem({ pin: parsePin(open)!, holderId: holder.holderId })).kind, 'redeemed')
}
const pay = (won: number, reference: string, ...more: string[]) =>
  run(partnerPay, code, String(won), '--reference', reference, '--as', 'second', ...more)
async function usageOf(name: string) {
  const { from, to } = monthPeriod(name)
  const endDate = Temporal.PlainDate.from(to).subtract({ days: 1 }).toString()
  const { body } = await partner.get(`/v2/partner/usage?startDate=${from}&endDate=${endDate}`)
  return { issued: body.totalIssued as number, used: body.totalUsed as number }
}
const dataOf = async (number: string) =>
  fromText(await readStatementData(database.db, (await findStatement(database.db, number))!.id))
async function bytesOf(number: string): Promise<string[]> {
  const statement = (await findStatement(database.db, number))!
  const data = await dataOf(number)
  const files = [
    statementCsv(data),
    await statementXlsx(data),
    statementPage(data, statement.hash.toString('hex')),
  ]
  return files.map((file) => Buffer.from(file).toString('base64'))
}

let spare = ''

test('a period is refused by name until it is over and closed', async () => {
  await goTo(`${M1}-05`)
  await done(partnerBilling, code, '--legal-name', '주식회사 가나', '--business-number', '123-45-67890')
  const rate = ['--commission', '150', '--of', 'issued', '--from', `${M1}-01`]
  const { waiting } = await done(partnerBilling, code, ...rate)
  assert.deepEqual(await rows('select * from commission_rate'), [], 'one person sets no commission')
  assert.match((await run(partnerApprovals.approve, waiting.id)).text, /another person/)
  const { rates } = await done(partnerBilling, code, ...rate, '--as', 'second')
  assert.deepEqual(rates, [{ effectiveFrom: `${M1}-01`, bps: 150, base: 'issued' }])
  // The first one finds its day taken, and goes on waiting.
  assert.match((await run(partnerApprovals.approve, waiting.id, '--as', 'second')).text, /already/)
  assert.equal((await run(partnerApprovals.refuse, waiting.id)).code, 0)
  const used = await buy(100_000)
  spare = await buy(100_000)
  await use(used)
  await voided(await buy(33_333))
  assert.equal((await pay(50_000, 'BANK-1')).code, 0)
  const refusals: [argv: string[], code: number, words: RegExp][] = [
    [[code, '--month', M1], 1, /not over/],
    [['nobody', '--month', M1], 1, /no partner/],
    [[code, '--month', '2026-13'], 2, /2026-11/],
    [[code, '--month', M1, '--from', `${M1}-01`], 2, /a period is/],
    [[code, '--from', `${M1}-02`, '--to', `${M1}-02`], 1, /no day/],
    [[code, '--from', '2019-01-01', '--to', '2021-01-01'], 1, /a year/],
  ]
  for (const [argv, exit, words] of refusals)
    for (const command of [statementDraft, statementClose]) {
      const ran = await run(command, ...argv)
      assert.deepEqual([ran.code, words.test(ran.text)], [exit, true], ran.text)
    }
  await goTo(`${M2}-02`)
  assert.match((await run(statementClose, code, '--month', M1)).text, /not closed .*books close/)
  assert.deepEqual(await rows('select * from partner_statement'), [])
})

test('closed, it says what the usage API says, to the won; commission and VAT apart', async () => {
  await done(booksClose)
  const draft = await done(statementDraft, code, '--month', M1)
  assert.equal(draft.status, 'draft')
  // Two at once close it once.
  const both = await Promise.all([1, 2].map(() => run(statementClose, code, '--month', M1)))
  assert.deepEqual(
    both.map(({ code: exit }) => exit),
    [0, 0],
  )
  const number = `${code}-${M1}`
  const { cards, commission, usage, due, partner: shown } = await dataOf(number)
  const net = Number(cards.issued.amount - cards.voided.amount)
  assert.deepEqual({ issued: net, used: Number(cards.used.amount) }, await usageOf(M1))
  assert.deepEqual(
    [cards.issued, cards.voided],
    [
      { amount: 233_333n, count: 3n },
      { amount: 33_333n, count: 1n },
    ],
  )
  assert.deepEqual([usage.issuedLater, usage.usedLater], [0n, 0n])
  assert.deepEqual([cards.opening, cards.paid, cards.closing, cards.due], [0n, 50_000n, 150_000n, 150_000n])
  assert.deepEqual([commission.supply, commission.vat, commission.due, due], [3_000n, 300n, 3_300n, 153_300n])
  assert.deepEqual([shown.legalName, shown.businessNumber], ['주식회사 가나', '123-45-67890'])
  // Its commission is in the ledger, revenue and tax apart.
  const balances = await rows(
    `select kind, balance::int from account where kind like 'commission%' order by kind collate "C"`,
  )
  assert.deepEqual(balances, [
    { kind: 'commission_vat', balance: 300 },
    { kind: 'commissions', balance: 3_000 },
    { kind: 'commissions_owed', balance: -3_300 },
  ])
  assert.match((await run(statementClose, code, '--month', M1)).text, /nothing was done/)
  assert.match((await run(statementClose, code, '--from', `${M1}-20`, '--to', `${M2}-01`)).text, /begins on/)
  assert.match((await run(statementDraft, code, '--from', `${M2}-02`, '--to', `${M2}-02`)).text, /no day/)
  assert.match((await run(statementDraft, other.partner.code, '--month', '2020-01')).text, /the books begin/)
  await assert.rejects(rows(`update partner_statement set due = 0`), { code: '23001' })
})

test('frozen: the same bytes after voids, renames and rate changes; voids name the period they correct', async () => {
  const number = `${code}-${M1}`
  const before = await bytesOf(number)
  await voided(spare)
  await done(partnerSet, code, '--name', 'Renamed')
  await done(partnerBilling, code, '--legal-name', '주식회사 다라')
  assert.match(
    (await run(partnerBilling, code, '--commission', '1', '--of', 'used', '--from', `${M1}-15`)).text,
    /statements are closed/,
  )
  const rate = ['--commission', '200', '--of', 'used', '--from', `${M2}-01`]
  await done(partnerBilling, code, ...rate, '--as', 'second')
  assert.deepEqual(await bytesOf(number), before)
  const csv = Buffer.from(before[0]!, 'base64').toString()
  assert.ok(csv.includes('주식회사 가나') && csv.includes('부가세 10%,,300,'), csv)
  assert.equal(
    toText(await dataOf(number)),
    await readStatementData(database.db, (await findStatement(database.db, number))!.id),
  )
})

test('a bank file: suggestions, and requests for what is certain; a wrong file writes nothing', async () => {
  const file = join(folder.path, 'bank.csv')
  const match = async (text: string, ...more: string[]) => {
    await writeFile(file, text)
    return run(statementMatch, file, ...more)
  }
  const head = 'date,deposit,payer,currency\n'
  const good = `${head}2027-01-02,"153,300",(주)다라,KRW\n2027-01-02,7,somebody,\n`
  const requests = async () => (await rows(`select id from change_request where kind = 'payment'`)).length
  const before = await requests()
  assert.deepEqual(
    (await match(good)).json.rows.map((row: { sure: string; statements: string[] }) => [
      row.sure,
      row.statements,
    ]),
    [
      ['certain', [`${code}-${M1}`]],
      ['none', []],
    ],
  )
  for (const [bad, words] of [
    [`${head}2027-01-02,9,x,USD\n`, /another currency \(line 2|another currency.*line 2/],
    [`${head}2027-01-02,1.5,x,\n`, /whole number of won/],
    [`${head}2027-01-02,9,x,\n합계,10,,\n`, /total is not the sum/],
    ['day,money\n1,2\n', /no line with the names/],
  ] as const) {
    const ran = await match(bad, '--request')
    assert.deepEqual([ran.code, words.test(ran.text)], [1, true], ran.text)
  }
  assert.equal(await requests(), before)
  const [first] = (await match(good, '--request')).json.rows
  const [again] = (await match(good, '--request')).json.rows
  assert.equal(first.request, again.request)
  assert.equal(await requests(), before + 1)
})

test('payments name the statements they pay; what is too little or too much stays visible', async () => {
  const number = `${code}-${M1}`
  const shown = async () => {
    const { status, paid, open } = await done(statementShow, number)
    return [status, paid, open]
  }
  assert.deepEqual(await shown(), ['closed', 0, 153_300])
  assert.equal((await run(statementSend, number)).code, 1)
  await done(statementSend, number, '--way', 'mail')
  assert.match((await run(statementSend, number, '--way', 'fax')).text, /nothing was done/)
  const refusals: [won: number, named: string[], words: RegExp][] = [
    [1, [`${code}-1999-01`], /no closed statement/],
    [1, [number, number], /twice/],
    [160_000, [number], /owes ₩153,300: to book more than that as prepaid, say --prepay/],
  ]
  for (const [won, named, words] of refusals)
    assert.match((await pay(won, 'BAD', ...named.flatMap((one) => ['--statement', one]))).text, words)
  assert.equal((await pay(100_000, 'BANK-2', '--statement', number)).code, 0)
  assert.deepEqual(await shown(), ['sent', 100_000, 53_300])
  assert.equal((await pay(60_000, 'BANK-3', '--statement', number, '--prepay')).code, 0)
  assert.deepEqual(await shown(), ['paid', 153_300, 0])
  assert.match((await pay(1, 'BANK-4', '--statement', number)).text, /is paid/)
  // Reversed, it is open again: cards and commission alike.
  await done(partnerReversePayment, code, 'BANK-3', '--reason', 'bounced', '--as', 'second')
  assert.deepEqual(await shown(), ['sent', 100_000, 53_300])
  assert.equal((await pay(60_000, 'BANK-5', '--statement', number, '--prepay')).code, 0)
  assert.deepEqual(await shown(), ['paid', 153_300, 0])
})

test('the next month: corrections name what they correct, the deposit is carried on', async () => {
  await use(await buy(10_000))
  await goTo(`${M3}-01`)
  await done(booksClose)
  assert.match((await run(statementClose, code, '--from', `${M2}-05`, '--to', `${M3}-01`)).text, /left out/)
  await done(statementClose, code, '--month', M2)
  const first = await dataOf(`${code}-${M1}`)
  const { cards, commission, due, payments } = await dataOf(`${code}-${M2}`)
  assert.deepEqual(
    cards.corrections.map(({ figure, statement, amount, supply }) => [figure, statement, amount, supply]),
    [['voided', `${code}-${M1}`, 100_000n, -1_500n]],
  )
  // Afterwards usage is the statement and the corrections that name its period.
  const { issued } = await usageOf(M1)
  const corrected = cards.corrections.reduce((sum, { amount }) => sum - amount, 0n)
  assert.equal(issued, Number(first.cards.issued.amount - first.cards.voided.amount + corrected))
  assert.deepEqual(await usageOf(M2), { issued: 10_000, used: 10_000 })
  assert.deepEqual([cards.opening, cards.charged, cards.paid], [150_000n, -90_000n, 156_700n])
  assert.deepEqual([cards.closing, cards.deposit, cards.depositLeft], [-96_700n, 6_700n, 96_700n])
  assert.deepEqual(
    [commission.supply, commission.vat, commission.creditLeft, due],
    [-1_300n, -130n, 1_430n, 0n],
  )
  assert.deepEqual([commission.opening, commission.paid, commission.closing], [3_300n, 3_300n, -1_430n])
  assert.deepEqual(
    payments.map(({ reference, amount }) => [reference, amount]),
    [
      ['BANK-2', 100_000n],
      ['BANK-3', 60_000n],
      ['BANK-3', -60_000n],
      ['BANK-5', 60_000n],
    ],
  )
  const listed = await done(statementList, '--partner', code)
  assert.deepEqual(
    listed.map((one: { number: string; status: string }) => [one.number, one.status]),
    [
      [`${code}-${M2}`, 'closed'],
      [`${code}-${M1}`, 'paid'],
    ],
  )
  await assertBooks(database)
})
