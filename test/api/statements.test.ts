import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import type { createVault } from '#base/crypto/vault.ts'
import { newId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { rekeyStatements } from '#modules/statements/store.ts'
import { assertHides } from '#test/hidden.ts'
import { addMember, BEHIND_PROXY, Browser, logIn, verify } from '#test/member.ts'
import { advanceClock, grantAssets } from '#test/operator.ts'
import { addHoldingMember } from '#test/pages.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'
import { watchTransactions } from '#test/transactions.ts'

// Statements that are issued: what they say stays, and whoever has the paper can check it.
const service = await startService({ ...BEHIND_PROXY, logLevel: 'trace' })
const { database, url } = service
const partner = await service.addPartner()
const member = await addHoldingMember(service, partner, { KRW: 100_000n })
const { browser } = member
const stranger = new Browser(url)

const { rows } = await database.pool.query('select seoul_date(service_now())::text as today')
const today: string = rows[0].today
const period = { from: today, to: today }
const check = (number: string, code: string, by = stranger) => by.post('/statements/check', { number, code })
const grant = (won: bigint) =>
  grantAssets(database, {
    partner: partner.partner.code,
    partnerKey: member.userKey,
    amounts: { KRW: won },
    actor: 'test',
  })

let first: { number: string; code: string }

test('an issued statement says what it said, whatever moves later', async () => {
  await feedPrice(database, 'XAU', 198_500n)
  const { quoteId } = (await browser.post('/quotes', { side: 'buy', metal: 'gold', won: 20_000 })).body
  assert.equal((await browser.post('/orders', { quoteId })).status, 200)
  const wish = { requestId: newId(), ...period, fullName: false }
  const issued = await browser.post('/statements', wish)
  assert.equal(issued.status, 200, issued.text)
  first = issued.body
  assert.match(first.number, /^\d{12}$/)
  assert.match(first.code, /^[0-9A-HJKMNP-TV-Z]{20}$/)
  assert.deepEqual([issued.body.name, issued.body.isFullName], ['김*나', false])
  const plain = await browser.get(`/statement?from=${today}&to=${today}`)
  for (const part of ['opening', 'closing', 'movements', 'orders', 'sums']) {
    assert.deepEqual(issued.body[part], plain.body[part], part)
  }
  assert.equal(
    issued.body.orders[0].value + issued.body.orders[0].rounding + issued.body.orders[0].fee,
    19_990,
  )

  await grant(5_000n)
  assert.notDeepEqual(
    (await browser.get(`/statement?from=${today}&to=${today}`)).body.closing,
    issued.body.closing,
  )
  assert.deepEqual((await browser.get(`/statements/${first.number}`)).body, issued.body)
  // A lost answer: the same request is the same statement. It writes too, so that it waits for replication.
  const wrote = await watchTransactions(database, async () =>
    assert.deepEqual((await browser.post('/statements', wish)).body, issued.body),
  )
  assert.ok(wrote.length > 0 && wrote.every(Boolean))
  assert.equal((await browser.post('/statements', { ...wish, fullName: true })).body.code, 'conflict')
  const other = await addMember(service)
  assert.equal((await other.browser.get(`/statements/${first.number}`)).status, 404)
  assert.equal((await stranger.get(`/statements/${first.number}`)).status, 401)

  const checked = await check(first.number, first.code)
  assert.deepEqual(checked.body, {
    number: first.number,
    issuedAt: issued.body.issuedAt,
    ...period,
    name: '김*나',
    closing: issued.body.closing,
  })
})

test('typed from paper: blanks, hyphens, small letters and look-alikes are read; anything else is not genuine', async () => {
  const groups = (text: string, size: number, between: string) =>
    text.match(new RegExp(`.{${size}}`, 'g'))!.join(between)
  const { number, code } = first
  const changed = (code.startsWith('7') ? '8' : '7') + code.slice(1)
  const other = String((BigInt(number) + 1n) % 1_000_000_000_000n).padStart(12, '0')
  const cases: [what: string, number: string, code: string, status: number][] = [
    ['in groups', groups(number, 4, '-'), groups(code, 5, ' '), 200],
    ['small letters', ` ${number} `, code.toLowerCase(), 200],
    ['look-alikes', number, code.replaceAll('0', 'o').replaceAll('1', 'l'), 200],
    ['a forged code', number, changed, 404],
    ['another number', other, code, 404],
    ['a part of the code', number, code.slice(0, 16), 404],
    ['a letter that is none', number, `U${code.slice(1)}`, 404],
    ['no digits', 'abcdefghijkl', code, 404],
    ['nothing', '', '', 400],
    ['far too long', '1'.repeat(41), code, 400],
  ]
  for (const [what, typedNumber, typedCode, status] of cases) {
    assert.equal((await check(typedNumber, typedCode)).status, status, what)
  }
  const bodyOf = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
  const forged = await check(number, changed)
  assert.deepEqual(bodyOf(forged.body), bodyOf((await check(other, code)).body), 'nothing tells them apart')
})

test('the whole name only for who has just proven who they are; everybody else sees it masked', async () => {
  const again = new Browser(url)
  assert.equal((await logIn(again, member.loginId)).status, 200)
  const wish = () => ({ requestId: newId(), ...period, fullName: true })
  assert.equal((await again.post('/statements', wish())).body.code, 'step_up_required')
  await verify(again, 'step_up', member.person)
  const issued = await again.post('/statements', wish())
  assert.deepEqual([issued.status, issued.body.name], [200, member.person.name])
  assert.equal((await again.get(`/statements/${issued.body.number}`)).body.name, member.person.name)
  assert.equal((await check(issued.body.number, issued.body.code)).body.name, '김*나')
  await database.pool.query(`update web_session set verified_at = verified_at - interval '11 minutes'`)
  assert.equal((await again.get(`/statements/${issued.body.number}`)).body.code, 'step_up_required')
  assert.equal((await again.get(`/statements/${first.number}`)).status, 200)

  const { rows: entries } = await database.pool.query(
    `select actor, details from audit_entry where action = 'statement.issue' order by id`,
  )
  assert.deepEqual(
    entries.map(({ actor, details }) => [actor, details.number, details.fullName]),
    [
      ['member', first.number, false],
      ['member', issued.body.number, true],
    ],
  )
  const { rows: kept } = await database.pool.query(
    `select encode(document, 'escape') as text from issued_statement`,
  )
  for (const { text } of kept) assertHides(text, [member.person.name, first.code])
  const log = service.log.join('')
  assertHides(log, [first.code, issued.body.code, member.person.name], 'the log')
})

test('bad periods issue nothing', async () => {
  for (const bad of [
    { from: today, to: '2020-01-01' },
    { from: '2024-01-01', to: '2026-01-01' },
    { from: '2090-01-01', to: '2090-01-01' },
    { from: 'yesterday', to: today },
  ]) {
    const answer = await browser.post('/statements', { requestId: newId(), ...bad, fullName: false })
    assert.equal(answer.status, 400, JSON.stringify(bad))
  }
})

test('guessed codes are counted by address, and stop nobody else', async () => {
  const guesser = new Browser(url)
  let limited = 0
  for (let i = 0; i < 101; i += 1) {
    const { status } = await check(first.number, `${'0'.repeat(17)}${String(i).padStart(3, '0')}`, guesser)
    assert.ok(status === 404 || status === 429)
    if (status === 429) limited += 1
  }
  assert.equal(limited, 1)
  assert.equal((await check(first.number, first.code, guesser)).status, 429, 'also a right one')
  assert.equal((await check(first.number, first.code)).status, 200)
})

test('twenty a day', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 19; i += 1) {
    statuses.push(
      (await browser.post('/statements', { requestId: newId(), ...period, fullName: false })).status,
    )
  }
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [18, 429])
})

test('what is kept is sealed anew with new keys, changed by nobody, and gone after five years', async () => {
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const vault = keys.vault()
  const moved = { ...vault, sealKeyId: 'another' } as ReturnType<typeof createVault>
  const chunk = await database.withTransaction((tx) =>
    rekeyStatements(tx, moved, { after: '00000000-0000-0000-0000-000000000000', limit: 5 }),
  )
  assert.equal(chunk?.count, 5)
  assert.equal((await check(first.number, first.code)).status, 200)
  for (const change of [
    `update issued_statement set number = '000000000000'`,
    `update issued_statement set code_hash = sha256('x')`,
    'delete from issued_statement',
    'truncate issued_statement',
  ]) {
    await assert.rejects(database.pool.query(change), /not allowed/, change)
  }
  // A figure that somebody with the database but without the keys puts in is no statement of ours.
  await database.pool.query(
    `update issued_statement a set document = b.document from issued_statement b where a.number = $1 and b.number <> $1`,
    [first.number],
  )
  assert.equal((await check(first.number, first.code)).status, 500)

  const forget = () => forgetOldRecords({ database, log: createLog('silent') })
  const count = async () =>
    (await database.pool.query('select count(*)::int as n from issued_statement')).rows[0].n
  const before = await count()
  await forget()
  assert.equal(await count(), before)
  await advanceClock(database, { seconds: 5 * 366 * 86_400, actor: 'test' })
  await forget()
  assert.equal(await count(), 0)
})
