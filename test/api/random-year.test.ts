import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partnerSet } from '#app/commands/partner.ts'
import { partnerBilling, statementClose, statementDraft } from '#app/commands/statement.ts'
import { closeDays } from '#flows/books/close/close-days.ts'
import { readClosedDay } from '#flows/books/read-day.ts'
import { readTrialBalance } from '#flows/books/read-trial-balance.ts'
import { statementPage } from '#flows/settlement/print-statement.ts'
import { statementCsv, statementXlsx } from '#flows/settlement/render-statement.ts'
import { fromText, lastDayOf, statementNumber } from '#modules/settlement/rules.ts'
import { findStatement, readStatementData } from '#modules/settlement/store.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { advanceClock } from '#test/operator.ts'
import { Random } from '#test/random.ts'
import { assertBooks, startService, type TestPartner } from '#test/service.ts'
import { yearActs } from '#test/year-acts.ts'
import { type Base, nextDay, Year } from '#test/year-model.ts'

// A longer year: YEAR_ACTS=5000 YEAR_SEED=2 node tools/test.ts test/api/random-year.test.ts
const { YEAR_ACTS = '120', YEAR_SEED = '17' } = process.env
const [ACTS, SEED] = [Number(YEAR_ACTS), Number(YEAR_SEED)]
// Cards expire after a year, and are refunded after that.
const DAYS = 550

const service = await startService()
const { database } = service
const random = new Random(SEED)
const year = new Year()
// One on credit, one that often reaches its limit, one that prepays.
const limits = [10_000_000n, 150_000n, 0n]
const partners: TestPartner[] = []
for (const creditLimit of limits) partners.push(await service.addPartner({ creditLimit }))
for (const [i, { partner }] of partners.entries()) year.addPartner(partner.code, limits[i]!)
const { run, done } = await commandsOn(service)
const frozen = new Map<string, string[]>()

async function travelTo(moment: Temporal.ZonedDateTime, now: Temporal.ZonedDateTime): Promise<void> {
  const seconds = Math.ceil(now.until(moment).total('seconds'))
  if (seconds > 0) await advanceClock(database, { seconds, actor: 'test' })
}

const now = async () =>
  (await database.pool.query('select service_now() as now')).rows[0].now.toZonedDateTimeISO(
    'Asia/Seoul',
  ) as Temporal.ZonedDateTime
// The year ends after some weeks.
const start = await now()
const november = Temporal.PlainDate.from({ year: start.year, month: 11, day: 10 })
const begin = november.toString() > start.toPlainDate().toString() ? november : november.add({ years: 1 })
await travelTo(begin.toZonedDateTime({ timeZone: 'Asia/Seoul', plainTime: '23:50' }), start)
const acts = await yearActs({ service, partners, year, random })
const { today, rows } = acts

// Within a day, to its last minutes, over midnight, or further.
async function travel(days: number): Promise<void> {
  const at = await now()
  const there = at.add({ seconds: Math.round(days * 86_400) })
  const place = random.int(4)
  const midnight = there.startOfDay().add({ days: 1 })
  if (place === 0) await travelTo(midnight.subtract({ minutes: 10 }), at)
  else if (place === 1) await travelTo(midnight.add({ minutes: 10 }), at)
  // The end of the month, if it is near.
  else if (place === 2 && there.daysInMonth - there.day < days * 2) {
    const end = there.with({ day: there.daysInMonth }).startOfDay().add({ days: 1 })
    await travelTo(end.subtract({ minutes: 10 }), at)
  } else await travelTo(there, at)
}

async function closeBooks(): Promise<void> {
  const last = Temporal.PlainDate.from(await today())
    .subtract({ days: 1 })
    .toString()
  const outcome = await closeDays(database, { actor: 'test', chunk: 50, everyMs: 0, rest: 0 })
  assert.ok(
    outcome.kind === 'done' && !outcome.open,
    JSON.stringify(outcome, (_, v) => `${v}`),
  )
  year.close(last)
}

async function setRate(code: string): Promise<void> {
  const { rates, statements } = year.partners.get(code)!
  const base: Base = random.pick(['issued', 'used'])
  const bps = random.pick([0, 1, 37, 150, 333, 1_111])
  const day = Temporal.PlainDate.from(await today())
    .add({ days: random.int(20) - 5 })
    .toString()
  const isLate = statements.length > 0 && day < statements.at(-1)!.to
  const rate = ['--commission', String(bps), '--of', base, '--from', day]
  const ran = await run(partnerBilling, code, ...rate, '--as', 'second')
  assert.equal(ran.code, isLate || rates.some(({ from }) => from === day) ? 1 : 0, ran.text)
  if (ran.code !== 0) return
  rates.push({ from: day, bps: BigInt(bps), base })
  rates.sort((one, other) => (one.from < other.from ? -1 : 1))
}

async function bytesOf(number: string): Promise<string[]> {
  const { id, hash } = (await findStatement(database.db, number))!
  const data = fromText(await readStatementData(database.db, id))
  const files = [statementCsv(data), await statementXlsx(data), statementPage(data, hash.toString('hex'))]
  return files.map((file) => Buffer.from(file).toString('base64'))
}

// By the month, by odd periods, and by months that begin later than the partner did.
function nextPeriod(code: string): { from: string; to: string } {
  const i = partners.findIndex(({ partner }) => partner.code === code)
  const start = begin.with({ day: 1 })
  const from = Temporal.PlainDate.from(
    year.partners.get(code)!.statements.at(-1)?.to ?? start.add({ months: i === 2 ? 2 : 0 }),
  )
  const to = i === 1 ? from.add({ days: 12 + ((from.dayOfYear * 7) % 23) }) : from.add({ months: 1 })
  return { from: from.toString(), to: to.toString() }
}

async function closeStatements(): Promise<void> {
  for (const code of year.partners.keys()) {
    if (random.chance(0.3)) continue // late: it will be closed with more that came after its period
    for (;;) {
      const { from, to } = nextPeriod(code)
      if (to > year.firstOpen) break
      const expected = year.statement(code, from, to)
      const period = [code, '--from', from, '--to', to, '--leave-earlier']
      if (random.chance(0.2)) await done(statementDraft, ...period)
      const day = await today()
      await done(statementClose, ...period)
      const number = statementNumber(code, { from, to })
      const { id } = (await findStatement(database.db, number))!
      const data = fromText(await readStatementData(database.db, id))
      const { corrections, issued, used, voided, ...cards } = data.cards
      const { lines: _, ...commission } = data.commission
      const amounts = { issued: issued.amount, used: used.amount, voided: voided.amount }
      assert.deepEqual({ ...cards, ...amounts }, expected.cards, number)
      assert.deepEqual(commission, expected.commission, number)
      assert.equal(data.due, cards.due + commission.due)
      const named = Map.groupBy(
        corrections.filter(({ statement }) => statement !== null),
        ({ figure, statement }) => `${statement} ${figure}`,
      )
      assert.deepEqual(
        [...named].map(([name, of]) => [name, of.reduce((sum, { amount }) => sum + amount, 0n)]).sort(),
        expected.corrections
          .map(({ figure, statement, amount }) => [`${statement} ${figure}`, amount])
          .sort(),
        number,
      )
      year.closeStatement(day, code, number, from, to)
      frozen.set(number, await bytesOf(number))
    }
  }
}

test(`a random year of ${ACTS} acts, seed ${SEED}: every close and statement is what a model says`, async () => {
  for (const code of year.partners.keys()) await setRate(code)
  while (year.cards.length < 3) await acts.buy()
  await acts.withdraw()
  for (let i = 0; i < ACTS; i += 1) {
    await acts.actAtRandom()
    if (random.chance(0.6)) await travel((random.int(1_000) / 500) * (DAYS / ACTS / 0.6))
    if (random.chance(0.12)) {
      await closeBooks()
      await closeStatements()
    }
    if (random.chance(0.05)) await setRate(random.pick([...year.partners.keys()]))
    if (random.chance(0.03)) {
      const { code } = random.pick(partners).partner
      await done(partnerSet, code, '--name', `Name ${i}`)
      await done(partnerBilling, code, '--legal-name', `주식회사 ${i}`)
    }
  }
  await acts.expire()
  for (let i = 0; i < 3; i += 1) await acts.refund()
  await travel(40)
  await closeBooks()
  await closeStatements()
  const kinds = new Set(year.moves.map(({ kind }) => kind))
  const seen = [
    'issue',
    'redeem',
    'void',
    'expire',
    'refund',
    'buy',
    'withdraw',
    'partner_payment',
    'commission',
  ]
  assert.deepEqual(
    seen.filter((kind) => !kinds.has(kind)),
    [],
  )
})

test('every closed day: movements and balances of every account, and the equation of cards', async () => {
  const days = await rows('select day::text as day from closed_day order by day')
  assert.equal(nextDay(days.at(-1).day), year.firstOpen)
  for (const { day } of days) {
    const expected = year.accountsOf(day)
    const moved = [...expected].filter(([, { debit, credit }]) => debit + credit > 0n)
    if (moved.length === 0 && !day.endsWith('-01')) continue
    const shown = await readClosedDay(database, day)
    assert.ok(shown.kind === 'closed')
    const accounts = shown.accounts.map(({ account, partner, asset, debit, credit, closing }) => [
      [account, partner, asset].filter((part) => part !== null).join(' '),
      { debit, credit, closing },
    ])
    assert.deepEqual(accounts.sort(), [...expected].sort(), day)
    for (const { partner, other, opening, issued, used, voided, refunded, expired, closing } of shown.cards) {
      assert.equal(other, 0n)
      assert.equal(opening + issued - used - voided - refunded - expired, closing)
      const outstanding = partner && expected.get(`outstanding_cards ${partner} KRW_POINT`)!.closing
      if (partner) assert.equal(closing, outstanding, `${partner} ${day}`)
    }
  }
})

test('a trial balance at midnight is the model by the days of the movements', async () => {
  const over = await today()
  const days = [...new Set(year.moves.map(({ day }) => day))].filter((day) => day < over).sort()
  for (const day of [days[Math.floor(days.length / 2)]!, days.at(-1)!]) {
    const at = Temporal.ZonedDateTime.from(`${nextDay(day)}T00:00[Asia/Seoul]`).toInstant()
    const trial = await readTrialBalance(database, at)
    assert.ok(trial.kind === 'balance')
    const shown = new Map(
      trial.accounts.map(({ account, partner, asset, debit, credit }) => [
        [account, partner, asset].filter((part) => part !== null).join(' '),
        credit - debit,
      ]),
    )
    const expected = new Map<string, bigint>()
    for (const move of year.moves.filter((one) => one.day <= day))
      for (const [name, net] of [
        [move.from, -move.amount],
        [move.to, move.amount],
      ] as const)
        expected.set(`${name} ${move.asset}`, (expected.get(`${name} ${move.asset}`) ?? 0n) + net)
    const real = (sums: Map<string, bigint>) => [...sums].filter(([, won]) => won !== 0n).sort()
    assert.deepEqual(real(shown), real(expected), day)
  }
})

test('usage of a period is its statement and the corrections that name it; closed bytes never change', async () => {
  assert.ok(frozen.size > 10)
  const corrected = new Map<string, { issued: bigint; used: bigint }>()
  const statements = []
  for (const number of frozen.keys()) {
    assert.deepEqual(await bytesOf(number), frozen.get(number), number)
    const { id } = (await findStatement(database.db, number))!
    const data = fromText(await readStatementData(database.db, id))
    statements.push(data)
    for (const { figure, statement, amount } of data.cards.corrections) {
      const sums = corrected.get(statement ?? '') ?? { issued: 0n, used: 0n }
      if (figure === 'used') sums.used += amount
      else sums.issued += figure === 'voided' ? -amount : amount
      corrected.set(statement ?? '', sums)
    }
  }
  assert.ok(corrected.size > 0)
  for (const { number, partner: shown, cards, ...period } of statements) {
    const partner = partners.find((one) => one.partner.code === shown.code)!
    const { body } = await partner.get(
      `/v2/partner/usage?startDate=${period.from}&endDate=${lastDayOf(period)}`,
    )
    const usage = { issued: BigInt(body.totalIssued), used: BigInt(body.totalUsed) }
    assert.deepEqual(usage, year.usage(shown.code, period), number)
    // What happened since the last close is in no statement yet.
    const last = year.partners.get(shown.code)!.statements.at(-1)!.to
    const open = (figure: 'issued' | 'used' | 'voided') =>
      year.figure(shown.code, figure, period, ({ closedOn }) => closedOn === undefined || closedOn >= last)
    const { issued = 0n, used = 0n } = corrected.get(number) ?? {}
    assert.deepEqual(usage, {
      issued: cards.issued.amount - cards.voided.amount + issued + open('issued') - open('voided'),
      used: cards.used.amount + used + open('used'),
    })
  }
  await assertBooks(database)
})
