import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { walkSeals } from '#flows/books/seals/walk-seals.ts'
import { PERSONAL_TABLES } from '#flows/members/personal-tables.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { RETENTION } from '#modules/retention/rules.ts'
import { assertHides } from '#test/hidden.ts'
import {
  addMember,
  Browser,
  ciOfPerson,
  logIn,
  newPerson,
  PASSWORD,
  userInfoOf,
  verify,
} from '#test/member.ts'
import { advanceClock, freezeMember, grantAssets } from '#test/operator.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { assertBooks, PHONE, startService } from '#test/service.ts'

const service = await startService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
const { database } = service
const partner = await service.addPartner({ name: '한빛페이' })
const query = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
const log = { debug() {}, info() {}, warn() {}, error() {} }

async function link(person: ReturnType<typeof newPerson>, amounts: Record<string, bigint> = {}) {
  const { code } = partner.partner
  const { userKey } = (await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))).body
  if (Object.keys(amounts).length > 0)
    await grantAssets(database, { partner: code, partnerKey: userKey, amounts, actor: 'test' })
}

interface Section {
  name: string
  title: { ko: string; en: string }
  rows: Record<string, unknown>[]
  withheld: Record<string, string>
}
const sectionsOf = (content: string) =>
  Object.fromEntries(
    (JSON.parse(content) as { sections: Section[] }).sections.map((section) => [section.name, section]),
  ) as Record<string, Section>

const mina = await addMember(service, newPerson({ name: '박미나' }))
const other = await addMember(service, newPerson({ name: '최다른' }))
await link(mina.person, { KRW: 60_000n })
await link(other.person, { KRW: 7_000_123n })
const seal = createSealTransfers(database, { most: 1_000, seconds: 0, rest: 0 })
const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 12_345 })).body.data
const [{ pin: sealedPin }] = await query('select pin from gift_card where id = $1', giftId)
const pin = TEST_VAULT.open({ table: 'gift_card', column: 'pin', row: giftId }, sealedPin)
assert.equal((await mina.browser.post('/cards/redeem', { pin })).status, 200)
const wish = { requestId: randomUUID(), amount: 20_000, bank: '088', account: '110-123-456789' }
assert.equal((await mina.browser.post('/withdrawals', wish)).status, 200)

test('a member takes everything along: whole, of nobody else, and without a way in', async () => {
  const answer = await mina.browser.post('/data-export')
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/)
  const { fileName, content } = answer.body
  assert.match(fileName, /^ingot-data-\d{4}-\d\d-\d\d\.json$/)
  const sections = sectionsOf(content)
  assert.deepEqual(Object.keys(sections), Object.keys(PERSONAL_TABLES))
  const { name, mdn, birthday, gender } = mina.person
  assert.deepEqual(sections.member_account!.rows[0]!.details, {
    name,
    birthday,
    gender,
    mdn,
    nationality: 'K',
  })
  assert.equal(sections.partner_user!.rows[0]!.partner, partner.partner.code)
  assert.equal((sections.partner_user!.rows[0]!.details as { mdn: string }).mdn, mdn)
  assert.match(JSON.stringify(sections.withdrawal!.rows[0]!.destination), /110123456789/)
  assert.deepEqual(
    sections.gift_card!.rows.map((card) => [card.id, card.amount, card.partner]),
    [[giftId, 12_345, partner.partner.code]],
  )
  const kinds = sections.transfer!.rows.map(({ kind }) => kind)
  for (const kind of ['grant', 'redeem', 'withdraw']) assert.ok(kinds.includes(kind), kind)
  for (const table of [
    'member',
    'member_consent',
    'account',
    'signup_trace',
    'web_session',
    'device',
    'notice',
  ])
    assert.ok(sections[table]!.rows.length > 0, `${table} is empty`)
  // What lets somebody in, what connects companies, and other people.
  const secrets = [ciOfPerson(mina.person), '$argon2id$', pin.replaceAll('-', ''), pin, PHONE]
  const others = [other.person.name, other.person.mdn, other.loginId, '7000123']
  assertHides(content, [...secrets, ...others])
  assert.match(sections.member!.withheld.ci!, /Korea/)
  const [entry] = await query(`select actor, subject from audit_entry where action = 'member.export'`)
  assert.equal(entry.actor, 'member')
})

test('fresh proof is wanted, and a web view has none of it', async () => {
  await advanceClock(database, { seconds: 3_600, actor: 'test' })
  const stale = await mina.browser.post('/data-export')
  assert.ok([401, 403].includes(stale.status), stale.text)
  await logIn(mina.browser, mina.loginId)
  await advanceClock(database, { seconds: 1_200, actor: 'test' })
  assert.equal((await mina.browser.post('/data-export')).body.code, 'step_up_required')
  await verify(mina.browser, 'step_up', mina.person)
  assert.equal((await mina.browser.post('/data-export')).status, 200)
  const view = new Browser(service.url, '/webview/member')
  assert.deepEqual(
    [(await view.post('/data-export')).status, (await view.get('/erasure')).status],
    [404, 404],
  )
})

test('support hands it over, with a reason that is in the audit log; a viewer cannot', async () => {
  const support = await service.consoleAs('support')
  const [{ id }] = await query('select id from member_account where login_id = $1', mina.loginId)
  const asked = await support.post(`/members/${id}/export`, { reason: 'asked in writing' })
  assert.equal(asked.status, 200, asked.text)
  assert.match(asked.body.content, /박미나/)
  const entries = await query(
    `select actor from audit_entry where action = 'member.export' and subject = $1 and actor like 'staff:%'`,
    id,
  )
  assert.equal(entries.length, 1)
  const viewer = await service.consoleAs('viewer')
  assert.equal((await viewer.post(`/members/${id}/export`, { reason: 'x' })).body.code, 'forbidden')
  assert.equal((await support.post(`/members/${randomUUID()}/export`, { reason: 'x' })).status, 404)
  const { kinds } = (await viewer.get('/retention')).body
  assert.ok(
    kinds.some(({ kind, job }: Record<string, string>) => kind === 'person' && job === 'forget_old_logins'),
  )
})

const detailsOf = async (loginId: string) =>
  (await query('select details from member_account where login_id = $1', loginId))[0].details
const today = async () => (await query('select seoul_date(service_now())::text as day'))[0].day as string
const plus5 = (day: string) => Temporal.PlainDate.from(day).add({ years: 5 }).toString()

test('closed with erasure and without a transaction: nobody knows at once who it was', async () => {
  const { browser, loginId } = await addMember(service)
  const { lines } = (await browser.get('/erasure')).body
  const outcomes = Object.fromEntries(lines.map((line: Record<string, string>) => [line.kind, line.outcome]))
  assert.deepEqual(
    [outcomes.person, outcomes.messages, outcomes.access, outcomes.transactions, outcomes.consents],
    ['erased', 'erased', 'erased', 'kept', 'kept'],
  )
  assert.ok(lines.every((line: { why: { ko: string; en: string } }) => line.why.ko && line.why.en))
  assert.equal((await browser.post('/close', { password: PASSWORD, waive: false, erase: true })).status, 204)
  assert.equal(await detailsOf(loginId), null)
})

test('after a transaction the details stay for five years from it, and then the job erases them', async () => {
  const { browser, loginId, person } = await addMember(service)
  await link(person, { KRW_POINT: 10n })
  assert.ok((await seal()) > 0)
  const kept = await today()
  await advanceClock(database, { seconds: 400 * 86_400, actor: 'test' })
  await logIn(browser, loginId)
  await verify(browser, 'step_up', person)
  const line = (await browser.get('/erasure')).body.lines.find(
    ({ kind }: { kind: string }) => kind === 'person',
  )
  assert.deepEqual([line.outcome, line.until], ['kept', plus5(kept)])
  // What is left is waived, which is a transaction of this day.
  assert.equal((await browser.post('/close', { password: PASSWORD, waive: true, erase: true })).status, 204)
  const [{ until, account }] = await query(
    'select details_until::text as until, account_id as account from member_erasure order by requested_at desc limit 1',
  )
  assert.equal(until, plus5(await today()))
  assert.notEqual(await detailsOf(loginId), null)
  const notices = await query(
    'select content from notice where account_id = $1 and settled_at is not null',
    account,
  )
  assert.ok(notices.every(({ content }) => content === null))
  // As if the account had been open for longer: the request alone erases.
  await query(`update member_account set closed_at = closed_at + interval '1 year' where id = $1`, account)
  await travelTo(until)
  await forgetOldLogins({ database, log })
  assert.notEqual(await detailsOf(loginId), null, 'on its last day')
  await advanceClock(database, { seconds: 86_400, actor: 'test' })
  await forgetOldLogins({ database, log })
  assert.equal(await detailsOf(loginId), null)
  const [done] = await query('select details_erased_at from member_erasure where account_id = $1', account)
  assert.ok(done.details_erased_at)
  // What the chain of transfers and cards holds of the person is no personal data: it stays whole.
  await seal()
  const { findings } = await database.withSnapshot((tx) => walkSeals(tx))
  assert.deepEqual(findings, [])
})

test('support erases for a person who closed the account before; not an open or a frozen one', async () => {
  const support = await service.consoleAs('support')
  const { browser, loginId } = await addMember(service)
  const erase = (id: string) => support.post(`/members/${id}/erase`, { reason: 'asked by letter' })
  const open = await erase(loginId)
  assert.deepEqual([open.status, open.body.errors?.[0]?.detail], [409, 'account_open'])
  assert.equal((await browser.post('/close', { password: PASSWORD, waive: false })).status, 204)
  assert.notEqual(await detailsOf(loginId), null, 'nobody asked for erasure')
  const erased = await erase(loginId)
  assert.equal(erased.status, 200, erased.text)
  assert.equal(erased.body.lines.find(({ kind }: { kind: string }) => kind === 'person').outcome, 'erased')
  assert.equal(await detailsOf(loginId), null)
  assert.equal((await erase(loginId)).status, 200, 'asked for twice')
  const [entry] = await query(`select details from audit_entry where action = 'member.erase' limit 1`)
  assert.ok(entry)

  const held = await addMember(service)
  assert.equal((await held.browser.post('/close', { password: PASSWORD, waive: false })).status, 204)
  const [{ member_id: memberId }] = await query(
    'select member_id from member_account where login_id = $1',
    held.loginId,
  )
  await freezeMember(database, { member: memberId, reason: 'x', actor: 'test' })
  assert.equal((await erase(held.loginId)).body.errors?.[0]?.detail, 'member_frozen')
  assert.notEqual(await detailsOf(held.loginId), null)
  await assertBooks(database)
})

async function travelTo(day: string): Promise<void> {
  const days = Temporal.PlainDate.from(await today()).until(day).days
  await advanceClock(database, { seconds: days * 86_400, actor: 'test' })
}

test('docs/members-data.md has the periods of the code, and the jobs exist', async () => {
  const page = await readFile(new URL('../../docs/members-data.md', import.meta.url), 'utf8')
  for (const { what, kept, why, job } of RETENTION)
    assert.ok(
      page.includes(`| ${what.en} | ${kept.en} | ${why.en} | ${job ? `\`${job}\`` : '–'} |\n`),
      what.en,
    )
  const worker = await readFile(new URL('../../src/app/server/worker.ts', import.meta.url), 'utf8')
  for (const { job } of RETENTION) assert.ok(job === null || worker.includes(job), String(job))
})
