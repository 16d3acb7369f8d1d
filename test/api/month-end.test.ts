import assert from 'node:assert/strict'
import { test } from 'node:test'
import { booksClose } from '#app/commands/books.ts'
import { booksCloseMonth, booksMonth, booksMonths } from '#app/commands/books-month.ts'
import { verify } from '#app/commands/installation.ts'
import { statementClose, statementDraft, statementSend } from '#app/commands/statement.ts'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { requestBullion } from '#flows/books/trade-bullion.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { monthPeriod } from '#modules/settlement/rules.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addHolder } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'

// A month from open to closed, in the console and on the command line.
const service = await startService()
const { database } = service
const partner = await service.addPartner({ creditLimit: 1_000_000n })
const { code } = partner.partner
await addHolder(service, await service.addPartner(), '홍길동', { XAU: 12_345n })
const { run, done } = await commandsOn(service)
let mina = await service.consoleAs('finance')
const seal = createSealTransfers(database, { most: 1_000, seconds: 0, rest: 0 })
const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows

async function goTo(day: string): Promise<void> {
  const [{ seconds }] = await rows(
    `select ceil(extract(epoch from ($1 || 'T12:00:00+09:00')::timestamptz - service_now()))::int as seconds`,
    day,
  )
  await advanceClock(database, { seconds, actor: 'test' })
  // Sessions end by the service's clock.
  mina = await service.consoleAs('finance')
}
const buy = (amount: number) => partner.buy({ phoneNumber: PHONE, amount })
const [{ day }] = await rows('select seoul_date(service_now())::text as day')
const month = (n: number) => Temporal.PlainYearMonth.from(day.slice(0, 7)).add({ months: n }).toString()
const [M0, M1, M2, M3] = [0, 1, 2, 3].map(month) as [string, string, string, string]
const look = async (name: string) => (await mina.get(`/month-end?month=${name}`)).body
const blocking = async (name: string): Promise<string[]> => {
  const { items } = await look(name)
  return items
    .filter((item: { state: string }) => item.state === 'blocks')
    .map((item: { kind: string }) => item.kind)
}
const itemOf = async (name: string, kind: string) =>
  (await look(name)).items.find((item: { kind: string }) => item.kind === kind)
const close = async (name: string) => {
  const { status, body } = await mina.post('/month-end', { month: name })
  return status === 200 ? body.month : body.errors?.[0]?.detail
}

test('a month that is not over, not there or out of order is refused by name', async () => {
  assert.equal((await buy(50_000)).status, 200)
  const refusals: [name: string, exit: number, words: RegExp, reason: string | undefined][] = [
    [M0, 1, /not over/, 'month_not_over'],
    [M3, 1, /not over/, 'month_not_over'],
    [month(-1), 1, new RegExp(`begin in ${M0}`), 'month_before_first'],
    ['2026-13', 2, /2026-11/, undefined],
  ]
  for (const [name, exit, words, reason] of refusals) {
    const ran = await run(booksCloseMonth, name)
    assert.deepEqual([ran.code, words.test(ran.text)], [exit, true], ran.text)
    if (reason) assert.equal(await close(name), reason)
  }
  assert.equal((await mina.post('/month-end', { month: '2026-13' })).status, 400)
  await goTo(`${M2}-02`)
  assert.match((await run(booksCloseMonth, M1)).text, new RegExp(`${M0} comes before ${M1}`))
  assert.equal(await close(M1), 'month_out_of_order')
  assert.equal((await look(M1)).next, M0)
})

test('days that are not closed block it, and the page says why', async () => {
  assert.deepEqual(await blocking(M0), ['days_closed', 'books_verified'])
  assert.equal(await close(M0), 'month_blocked')
  await rows(`update account set balance = balance + 1 where kind = 'bank'`)
  assert.equal((await run(booksClose)).code, 1)
  const { differences, attemptedAt } = await look(M0)
  assert.deepEqual(
    differences.map(({ row, byTransfers }: { row: string; byTransfers: string }) => [row, byTransfers]),
    [['account', '0']],
  )
  assert.ok(attemptedAt)
  await rows(`update account set balance = balance - 1 where kind = 'bank'`)
  await done(booksClose)
  assert.deepEqual((await look(M0)).differences, [])
  assert.deepEqual(await blocking(M0), ['books_verified', 'statements_closed'])
})

test('it is closed once nothing blocks it; what warns is kept with it', async () => {
  await seal()
  await done(verify)
  assert.deepEqual(await blocking(M0), ['statements_closed'])
  assert.deepEqual((await itemOf(M0, 'statements_closed')).names, [code])
  // The earliest month comes first: closed out of order, it could get no statement any more.
  const periodOf = (month: string) => ({ partner: code, ...monthPeriod(month) })
  assert.deepEqual((await mina.get('/statements')).body.due, [periodOf(M0)])
  assert.match((await run(statementClose, code, '--month', M1)).text, new RegExp(`begin with --month ${M0}`))
  const early = await mina.post('/statements', periodOf(M1))
  assert.deepEqual([early.status, early.body.errors[0].detail], [409, 'period_leaves_days'])
  // Days that were billed elsewhere may be left out on purpose.
  await done(statementDraft, code, '--month', M1, '--leave-earlier')
  await done(statementClose, code, '--month', M0)
  assert.deepEqual((await mina.get('/statements')).body.due, [periodOf(M1)])
  assert.equal((await run(booksMonth, M0)).code, 0, 'nothing blocks any more')
  const { gaps } = await look(M0)
  assert.deepEqual(
    gaps.map(({ metal, grams }: { metal: string; grams: string }) => [metal, grams]),
    [['XAU', '1.2345']],
  )
  assert.deepEqual(
    [(await itemOf(M0, 'statements_sent')).names, (await itemOf(M0, 'statements_paid')).won],
    [[`${code}-${M0}`], 50_000],
  )
  // The command line and the console at once: one of them closes it, and both are told.
  const [ours, theirs] = await Promise.all([close(M0), run(booksCloseMonth, M0)])
  assert.deepEqual([ours, theirs.code, theirs.json.month], [M0, 0, M0])
  const stored = await rows('select to_char(month, $1) as month, closed_by from closed_month', 'YYYY-MM')
  assert.equal(stored.length, 1)
  const entries = await rows(`select actor, details from audit_entry where action = 'books.close_month'`)
  assert.deepEqual(
    entries.map(({ actor, details }) => [actor, details.hash]),
    [[stored[0].closed_by, theirs.json.hash]],
  )
  const { closed, place, next } = await look(M0)
  assert.deepEqual([place, next, closed.statements], ['closed', M1, [`${code}-${M0}`]])
  assert.deepEqual(
    closed.warnings.map(({ kind }: { kind: string }) => kind),
    ['statements_sent', 'statements_paid', 'metal_covered'],
  )
  assert.equal((await run(booksCloseMonth, M0)).code, 0, 'again: nothing is done')
})

test('who may only look, and whose proof is old, cannot close it', async () => {
  const viewer = await service.consoleAs('viewer')
  assert.equal((await viewer.get('/month-end')).body.month, M1)
  assert.equal((await viewer.post('/month-end', { month: M1 })).status, 403)
  const stale = await service.consoleAs('finance', { fresh: false })
  assert.equal((await stale.post('/month-end', { month: M1 })).body.code, 'proof_required')
  const support = await service.consoleAs('support')
  assert.equal((await support.get('/month-end')).status, 403)
})

test('months follow one another, and a rewritten one is found', async () => {
  await done(statementSend, `${code}-${M0}`, '--way', 'by mail')
  assert.equal(await close(M2), 'month_not_over')
  // A month without movements needs no statement.
  assert.deepEqual(await blocking(M1), [])
  await requestBullion(database, {
    side: 'buy',
    metal: 'XAU',
    units: 1n,
    won: 1n,
    reference: 'INV-1',
    reason: 'test',
    actor: 'cli:test',
  })
  // Asked for after the month was over: nothing of it.
  assert.equal((await itemOf(M1, 'requests_decided')).state, 'done')
  assert.equal(await close(M1), M1)
  assert.deepEqual(
    (await done(booksMonths)).map((one: { month: string }) => one.month),
    [M1, M0],
  )
  await assert.rejects(rows(`update closed_month set closed_by = 'x'`), { code: '23001' })
  await assert.rejects(rows('delete from closed_month'), { code: '23001' })
  await assert.rejects(
    database.withTransaction(async (tx) => {
      const client = { ...database, withSnapshot: (work: (db: typeof tx) => unknown) => work(tx) }
      const { sql } = await import('kysely')
      await sql`alter table closed_month disable trigger closed_month_is_final`.execute(tx)
      // Hash and data agree, but not with the entry, nor with the month after.
      await sql
        .raw(`update closed_month set data = replace(data, '"warnings":[', '"warnings": ['),
        hash = sha256(convert_to(replace(data, '"warnings":[', '"warnings": ['), 'UTF8')) where month = '${M0}-01'`)
        .execute(tx)
      const results = await verifyBooks(client as never, TEST_VAULT, { skipSealed: true })
      const broken = results
        .filter((one) => one.broken > 0)
        .map(({ check, examples }) => [check, ...examples])
      assert.deepEqual(
        broken.filter(([check]) => check!.startsWith('closed_month')),
        [
          ['closed_month_has_its_hash', M1],
          ['closed_month_is_as_it_was_noted', M0],
        ],
      )
      throw new Error('undo')
    }),
    /undo/,
  )
})
