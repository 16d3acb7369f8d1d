import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { writePhoneNotice } from '#flows/deliveries/write-notices.ts'
import { withVault } from '#flows/kit/with-vault.ts'
import { alertCredit } from '#flows/partners/alert-credit.ts'
import { settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { findAccountByLogin } from '#modules/accounts/store.ts'
import { eraseOldNotices } from '#modules/deliveries/notices/store.ts'
import { listUntold } from '#modules/partners/credit-alerts.ts'
import { assertHides } from '#test/hidden.ts'
import { endWait } from '#test/holders.ts'
import { BEHIND_PROXY, Browser, logIn, PASSWORD, type TestMember, verify } from '#test/member.ts'
import { startMessaged } from '#test/messaged-service.ts'
import { addRichMember, noticesTo, stopCodeIn, waitForNotices } from '#test/notices.ts'
import { advanceClock } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { call } from '#test/service.ts'

// The messages reach phones of a provider's stand-in, as in live.
const PUBLIC_URL = 'http://ingot.example'
const { service, solapi } = await startMessaged({
  nhn: false,
  service: { logLevel: 'trace', environment: { ...BEHIND_PROXY.environment, PUBLIC_URL } },
})
const { database, url } = service
const partner = await service.addPartner()
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const PHONE_BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
}
const NEXT = 'another horse battery'

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values)

async function withdraw({ browser }: TestMember, account = '110-123-456789', amount = 100_000) {
  const answer = await browser.post(
    '/withdrawals',
    { requestId: newId(), amount, bank: '088', account },
    PHONE_BROWSER,
  )
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function settle(id: string, act: 'approve' | 'pay', actor: string): Promise<string> {
  const outcome = await settleWithdrawal(database, { id, act, actor, reason: 'test' })
  return outcome.kind === 'done' ? outcome.withdrawal.status : outcome.reason
}

async function depositOf({ browser }: TestMember): Promise<number> {
  return (await browser.get('/assets')).body.deposit
}

test('a log-in from a new browser is told, one from a known browser is not', async () => {
  const { browser, person, loginId } = await addRichMember(service, partner)
  assert.equal((await logIn(browser, loginId)).status, 200)
  assert.equal((await logIn(new Browser(url, '/member', PHONE_BROWSER), loginId, 'wrong')).status, 401)
  assert.equal((await logIn(new Browser(url, '/member', PHONE_BROWSER), loginId)).status, 200)
  const notices = await waitForNotices(service, person.mdn, 1)
  assert.equal(notices.length, 1)
  assert.deepEqual(Object.keys(notices[0]!), ['channel', 'to', 'body', 'giftId', 'sentAt', 'status'])
  assert.deepEqual([notices[0]!.channel, notices[0]!.giftId], ['text', null])
  for (const said of [
    /^\[Ingot\] 새 기기에서 로그인했어요/,
    /기기: Chrome · Android/,
    /\/recover\n/,
    /문의: \S/,
  ])
    assert.match(notices[0]!.body, said)
  // It is on the phone, by the way that cards' messages go, with an end that the provider reported.
  await until(async () => (await noticesTo(service, person.mdn))[0]!.status === 'delivered')
  assert.equal(solapi.phones.all.filter(({ text }) => text.includes('새 기기에서')).length, 1)
})

test('a thief with the password rings the phone five times an hour, and the first is always told', async () => {
  const { person, loginId } = await addRichMember(service, partner)
  for (let i = 0; i < 8; i += 1) assert.equal((await logIn(new Browser(url), loginId)).status, 200)
  await waitForNotices(service, person.mdn, 5)
  const { rows } = await query(
    `select count(*)::int as n from notice n join member_account a on a.id = n.account_id where login_id = $1`,
    [loginId],
  )
  assert.equal(rows[0].n, 5)
  const { text } = await call(`${url}/metrics`)
  assert.match(text, /^ingot_notices_left_out_total [3-9]/m)
})

test('a new password is told, whichever way it was set', async () => {
  const { browser, person, loginId } = await addRichMember(service, partner)
  const change = { current: PASSWORD, next: NEXT }
  assert.equal((await browser.post('/password', change, PHONE_BROWSER)).status, 204)
  const other = new Browser(url)
  const recovery = { verificationId: await verify(other, 'recover', person), password: 'third horse battery' }
  assert.equal((await other.post('/recover', recovery)).status, 200)
  const notices = await waitForNotices(service, person.mdn, 2)
  for (const { body } of notices) assert.match(body, /^\[Ingot\] 비밀번호가 바뀌었어요/)
  // Both are sent at once, so either may come first.
  assert.equal(notices.filter(({ body }) => /기기: Chrome · Android/.test(body)).length, 1)
  assert.ok(loginId)
})

test('passwords are changed five times an hour at most: each rings the phone', async () => {
  const { browser } = await addRichMember(service, partner)
  const passwords = [PASSWORD, ...Array.from({ length: 6 }, (_, i) => `${NEXT} number ${i}`)]
  const statuses: number[] = []
  for (let i = 0; i < 6; i += 1) {
    const change = { current: passwords[i], next: passwords[i + 1] }
    statuses.push((await browser.post('/password', change)).status)
  }
  assert.deepEqual(statuses, [204, 204, 204, 204, 204, 429])
})

test('after a change of the phone two numbers are told of each act, and the limits count acts', async () => {
  const member = await addRichMember(service, partner)
  const account = (await findAccountByLogin(database.db, member.loginId))!
  await withVault({ database, keys }, (tx, vault) =>
    writePhoneNotice(tx, vault, account, { before: '01055558888', device: '' }),
  )
  const passwords = [PASSWORD, ...Array.from({ length: 6 }, (_, i) => `${NEXT} number ${i}`)]
  const statuses: number[] = []
  for (let i = 0; i < 6; i += 1) {
    const change = { current: passwords[i], next: passwords[i + 1] }
    statuses.push((await member.browser.post('/password', change)).status)
  }
  assert.deepEqual(statuses, [204, 204, 204, 204, 204, 429])
  for (let i = 0; i < 6; i += 1)
    assert.equal((await logIn(new Browser(url), member.loginId, passwords[5])).status, 200)
  const { rows } = await query(
    `select purpose, count(*)::int as n from notice where account_id = $1 group by purpose order by purpose`,
    [account.id],
  )
  const told = rows.map(({ purpose, n }) => [purpose, n])
  assert.deepEqual(told, [
    ['new_device', 10],
    ['password', 10],
    ['phone', 2],
  ])
})

test('a withdrawal is told, masked, with a link; a first payout to an account waits a day', async () => {
  const member = await addRichMember(service, partner)
  const asked = await withdraw(member)
  const waitMs = Date.parse(asked.waitsUntil) - Date.parse(asked.requestedAt)
  assert.equal(waitMs, 24 * 3_600_000)
  const [notice] = await waitForNotices(service, member.person.mdn, 1)
  const told = [
    /^\[Ingot\] 처음 쓰는 계좌로 출금 신청을 받았어요/,
    /금액: 100,000원/,
    /계좌: 신한은행 ·+6789\n/,
    /지급: \d{4}년 \d+월 \d+일 \d\d:\d\d 이후/,
    /\nhttp:\/\/ingot\.example\/stop#[0-9a-fu]{35}\n/,
  ]
  for (const said of told) assert.match(notice!.body, said)
  assert.doesNotMatch(notice!.body, /110-?123/)

  assert.equal(await settle(asked.id, 'approve', 'first'), 'approved')
  assert.equal(await settle(asked.id, 'pay', 'second'), 'waits')
  // Behind the service's back, too.
  const paid = `update withdrawal set status = 'paid', settled_by = 'second', settled_at = service_now() where id = $1`
  await assert.rejects(query(paid, [asked.id]), { code: '23514', constraint: 'withdrawal_paid_check' })
  const sooner = `update withdrawal set payable_after = requested_at where id = $1`
  await assert.rejects(query(sooner, [asked.id]), /keeps its wait/)
  await endWait(database, asked.id)
  assert.equal(await settle(asked.id, 'pay', 'second'), 'paid')

  // The account that was paid before does not wait, but for a day after the password was changed; another one does.
  await query(
    `update member_account set password_changed_at = service_now() - interval '2 days' where login_id = $1`,
    [member.loginId],
  )
  assert.equal((await withdraw(member)).waitsUntil, null)
  assert.notEqual((await withdraw(member, '110123456780')).waitsUntil, null)
  const change = { current: PASSWORD, next: NEXT }
  assert.equal((await member.browser.post('/password', change)).status, 204)
  assert.notEqual((await withdraw(member)).waitsUntil, null)
})

test('a member stops a withdrawal from the notice, without logging in', async () => {
  const member = await addRichMember(service, partner)
  const first = await withdraw(member, '110123456789', 300_000)
  const second = await withdraw(member, '3333012345678', 200_000)
  await settle(first.id, 'approve', 'first')
  const notices = await waitForNotices(service, member.person.mdn, 2)
  const code = stopCodeIn(notices.find(({ body }) => body.includes('300,000'))!)
  const stranger = new Browser(url)
  // The thief's own way in, or the member's: nobody can tell.
  await query(
    `insert into passkey (id, account_id, credential_id, public_key, counter, transports, backup_eligible, backed_up,
                          name, created_at)
     select gen_random_uuid(), id, '\\x01', '\\x01', 0, '{}', true, true, details, service_now() from member_account
      where login_id = $1`,
    [member.loginId],
  )

  // A look, as a messenger's preview takes one, changes nothing.
  assert.equal((await call(`${url}/stop`)).status, 200)
  assert.equal((await stranger.get('/stop')).status, 405)
  const looked = await stranger.post('/stop/check', { code })
  assert.deepEqual([looked.status, looked.body.state, looked.body.stopAsked], [200, 'open', false])
  assert.deepEqual([looked.body.withdrawal.amount, looked.body.withdrawal.account], [300_000, '········6789'])
  assert.equal(await depositOf(member), 500_000)

  const stopped = await stranger.post('/stop', { code })
  assert.deepEqual([stopped.status, stopped.body.state, stopped.body.stopAsked], [200, 'stopped', true])
  assert.deepEqual(await stranger.post('/stop', { code }).then(({ body }) => body), stopped.body)
  assert.equal((await member.browser.get('/assets')).status, 401, 'every session has ended')
  assert.equal(
    (
      await query('select from device d join member_account a on a.id = d.owner_id where login_id = $1', [
        member.loginId,
      ])
    ).rowCount,
    0,
  )
  assert.equal(await settle(first.id, 'pay', 'second'), 'cancelled')
  assert.equal(await settle(second.id, 'approve', 'first'), 'cancelled', 'what else the thief asked for')

  const said = await waitForNotices(service, member.person.mdn, 3)
  assert.match(said[0]!.body, /^\[Ingot\] 출금 중지 요청을 받아 모든 기기에서 로그아웃했어요/)
  assert.match(said[0]!.body, /- 삭제한 패스키: 1개\n/)
  assert.equal((await query('select from passkey')).rowCount, 0, 'no passkey opens the account')
  assert.equal(said.length, 3, 'once')
  assert.ok(service.log.some((line) => line.includes('a member stopped a withdrawal')))
  const { rows } = await query(`select action from audit_entry where subject = $1 order by id`, [first.id])
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['withdrawal.approve', 'withdrawal.stop'],
  )

  // The password alone is not enough to go on: the thief has it.
  const again = { requestId: newId(), amount: 1_000, bank: '088', account: '110123456789' }
  await logIn(stranger, member.loginId)
  await verify(stranger, 'step_up', member.person)
  const refused = await stranger.post('/withdrawals', again)
  assert.deepEqual([refused.status, refused.body.code], [403, 'withdrawals_stopped'])
  const recovery = { verificationId: await verify(stranger, 'recover', member.person), password: NEXT }
  assert.equal((await stranger.post('/recover', recovery)).status, 200)
  assert.equal(await depositOf({ ...member, browser: stranger }), 1_000_000)
  assert.equal((await stranger.post('/withdrawals', again)).status, 200)
})

// As one who signed up by phone alone.
const forgetPassword = (loginId: string) =>
  query(
    'update member_account set login_id = null, password = null, password_changed_at = null where login_id = $1',
    [loginId],
  )

test('after a stop a member without a password goes on by recovering, and sets none', async () => {
  const member = await addRichMember(service, partner)
  await forgetPassword(member.loginId)
  await withdraw(member)
  const code = stopCodeIn((await waitForNotices(service, member.person.mdn, 1))[0]!)
  const browser = new Browser(url, '/member', PHONE_BROWSER)
  assert.equal((await browser.post('/stop', { code })).status, 200)

  // Whoever holds the phone for a moment logs in: that alone does not let the won go.
  const { person } = member
  await browser.post('/onboarding/identity', { purpose: 'sign_up', ...person })
  assert.equal((await browser.post('/onboarding/identity/confirm', { code: '000000' })).status, 200)
  const again = { requestId: newId(), amount: 1_000, bank: '088', account: '110123456789' }
  assert.equal((await browser.post('/withdrawals', again)).body.code, 'withdrawals_stopped')

  const recovered = new Browser(url, '/member', PHONE_BROWSER)
  const verificationId = await verify(recovered, 'recover', person)
  const half = await recovered.post('/recover', { verificationId, loginId: 'half.of.it' })
  assert.deepEqual([half.status, half.body.errors[0].pointer], [400, '#/password'])
  const opened = await recovered.post('/recover', { verificationId })
  assert.deepEqual([opened.status, opened.body.loginId], [200, null], opened.text)
  assert.equal((await recovered.post('/recover', { verificationId })).body.code, 'identity_failed', 'once')
  assert.equal((await browser.get('/session')).body.signedIn, false, 'others are signed out')
  assert.equal((await recovered.post('/withdrawals', again)).status, 200)
  const said = await waitForNotices(service, person.mdn, 5)
  assert.equal(
    said.filter(({ body }) => body.includes('새 기기에서 로그인했어요')).length,
    2,
    'of both devices',
  )

  const other = await addRichMember(service, partner)
  const proven = await verify(browser, 'recover', other.person)
  const without = await browser.post('/recover', { verificationId: proven })
  assert.deepEqual([without.status, without.body.errors[0].pointer], [400, '#/password'], 'it has one')
})

test('too late to stop: the member is told so, and whom to ask', async () => {
  const member = await addRichMember(service, partner)
  const { id } = await withdraw(member)
  const code = stopCodeIn((await waitForNotices(service, member.person.mdn, 1))[0]!)
  const stranger = new Browser(url)
  await settle(id, 'approve', 'first')
  await endWait(database, id)
  // The bank may have been told: the account is made safe, and the operator decides.
  const late = await stranger.post('/stop', { code })
  assert.deepEqual([late.status, late.body.state, late.body.stopAsked], [200, 'on_its_way', true])
  assert.match(late.body.contact, /\S/)
  assert.equal((await member.browser.get('/assets')).status, 401)
  assert.equal(await settle(id, 'pay', 'second'), 'paid')
  assert.equal((await stranger.post('/stop', { code })).body.state, 'paid')
  const metrics = (await call(`${url}/metrics`)).text
  assert.match(metrics, /^ingot_withdrawals_total\{outcome="stop_too_late"\} 1$/m)
})

// How the withdrawal of the member's link ended, before another one was asked for.
const ENDINGS: Record<string, (member: TestMember, id: string) => Promise<unknown>> = {
  ended: ({ browser }, id) => browser.post(`/withdrawals/${id}/cancel`, {}),
  paid: async (_, id) => {
    await settle(id, 'approve', 'first')
    await endWait(database, id)
    assert.equal(await settle(id, 'pay', 'second'), 'paid')
  },
}
for (const [state, end] of Object.entries(ENDINGS)) {
  test(`${state}: its link still stops the withdrawal that was asked for next`, async () => {
    const member = await addRichMember(service, partner)
    const first = await withdraw(member, '110123456789', 300_000)
    const code = stopCodeIn((await waitForNotices(service, member.person.mdn, 1))[0]!)
    await end(member, first.id)
    const next = await withdraw(member, '3333012345678', 200_000)
    const stranger = new Browser(url)
    const looked = await stranger.post('/stop/check', { code })
    assert.deepEqual([looked.body.state, looked.body.canStop, looked.body.others], [state, true, 1])
    const stopped = (await stranger.post('/stop', { code })).body
    const after = state === 'paid' ? 'paid' : 'stopped'
    assert.deepEqual(
      [stopped.state, stopped.stopAsked, stopped.canStop, stopped.others],
      [after, true, false, 0],
    )
    assert.deepEqual((await stranger.post('/stop', { code })).body, stopped, 'once')
    assert.equal((await member.browser.get('/assets')).status, 401)
    assert.equal(await settle(next.id, 'approve', 'first'), 'cancelled')
    const said = await waitForNotices(service, member.person.mdn, 3)
    assert.match(said[0]!.body, /^\[Ingot\] 출금 중지 요청을 받아[\s\S]*200,000/)
    await logIn(stranger, member.loginId)
    await verify(stranger, 'step_up', member.person)
    const again = { requestId: newId(), amount: 1_000, bank: '088', account: '110123456789' }
    assert.equal((await stranger.post('/withdrawals', again)).body.code, 'withdrawals_stopped')
  })
}

test('with nothing open the link locks the account, for a week after the request', async () => {
  const member = await addRichMember(service, partner)
  const [recent, old] = [await withdraw(member), await withdraw(member, '3333012345678', 200_000)]
  const notices = await waitForNotices(service, member.person.mdn, 2)
  const codeOf = (amount: string) => stopCodeIn(notices.find(({ body }) => body.includes(amount))!)
  for (const { id } of [recent, old]) await member.browser.post(`/withdrawals/${id}/cancel`, {})
  for (let days = 0; days < 8; days += 2) await endWait(database, old.id)
  const stranger = new Browser(url)
  const late = (await stranger.post('/stop', { code: codeOf('200,000') })).body
  assert.deepEqual([late.state, late.canStop, late.stopAsked], ['ended', false, false])
  assert.equal((await member.browser.get('/assets')).status, 200, 'too old to lock anything')
  const looked = (await stranger.post('/stop/check', { code: codeOf('100,000') })).body
  assert.deepEqual([looked.state, looked.canStop, looked.others], ['ended', true, 0])
  assert.equal((await stranger.post('/stop', { code: codeOf('100,000') })).body.state, 'stopped')
  assert.equal((await member.browser.get('/assets')).status, 401)
})

test('a stop ends the trust in browsers of the member’s links as well', async () => {
  const member = await addRichMember(service, partner)
  const { rows } = await query(
    `select l.id from partner_user l join member_account a on a.member_id = l.member_id where login_id = $1`,
    [member.loginId],
  )
  const trust = `insert into device (owner_id, hash, first, trusted, trusted_at, seen_at)
    values ($1, $2, $3, true, service_now(), service_now())`
  for (const first of [true, false]) await query(trust, [rows[0].id, randomBytes(32), first])
  await withdraw(member)
  const code = stopCodeIn((await waitForNotices(service, member.person.mdn, 1))[0]!)
  assert.equal((await new Browser(url).post('/stop', { code })).status, 200)
  const left = await query('select first, trusted from device where owner_id = $1', [rows[0].id])
  assert.deepEqual(left.rows, [{ first: true, trusted: false }], 'and nobody else becomes the first')
})

test('stopped by two at once, and while it is being approved: once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await addRichMember(service, partner)
    const { id } = await withdraw(member)
    const code = stopCodeIn((await waitForNotices(service, member.person.mdn, 1))[0]!)
    const answers = await Promise.all([
      new Browser(url).post('/stop', { code }),
      new Browser(url).post('/stop', { code }),
      settle(id, 'approve', 'first'),
    ])
    for (const { body } of answers.slice(0, 2) as { body: { state: string } }[])
      assert.equal(body.state, 'stopped')
    const { rows } = await query(`select count(*)::int as n from transfer where group_id = $1`, [id])
    assert.equal(rows[0].n, 2)
  }
})

const WRONG_CODES: [name: string, code: unknown, status: number][] = [
  ['nothing', '', 400],
  ['no text', 7, 400],
  ['no code', 'x', 404],
  ['a code that nobody was given', '00000000u00000000u00000000u00000000', 404],
  ['a long text', 'a'.repeat(101), 400],
  ['a null byte', '\u0000', 404],
]
for (const [name, code, status] of WRONG_CODES) {
  test(`stop with ${name}: ${status}`, async () => {
    for (const path of ['/stop', '/stop/check']) {
      assert.equal((await new Browser(url).post(path, { code })).status, status)
    }
  })
}

test('wrong codes are limited by address', async () => {
  const guesser = new Browser(url)
  let last = 0
  for (let i = 0; i < 110 && last !== 429; i += 1)
    last = (await guesser.post('/stop', { code: `x${i}` })).status
  assert.equal(last, 429)
})

test('a changed phone: both numbers are told, and of what follows for a week', async () => {
  const member = await addRichMember(service, partner)
  const before = '01055559999'
  const account = (await findAccountByLogin(database.db, member.loginId))!
  await withVault({ database, keys }, (tx, vault) =>
    writePhoneNotice(tx, vault, account, { before, device: 'Chrome · Android' }),
  )
  for (const mdn of [before, member.person.mdn]) {
    const [notice] = await waitForNotices(service, mdn, 1)
    assert.match(notice!.body, /^\[Ingot\] 계정의 휴대폰 번호가 바뀌었어요/)
    assert.match(notice!.body, new RegExp(`새 번호: 010-\\*{4}-${member.person.mdn.slice(-4)}`))
  }
  await withdraw(member)
  const [told] = await waitForNotices(service, before, 2)
  assert.notEqual(stopCodeIn(told!), '')
  await waitForNotices(service, member.person.mdn, 2)
})

test("the inbox keeps to cards' messages unless notices are asked for", async () => {
  const { person } = await addRichMember(service, partner)
  const { giftId } = (await partner.buy({ phoneNumber: person.mdn, amount: 5_000 })).body.data
  const cards = await until(async () => {
    const { body } = await call(`${url}/dev/inbox.json?to=${person.mdn}`)
    return body.length === 2 && body
  })
  assert.deepEqual(new Set(cards.map((one: { giftId: string }) => one.giftId)), new Set([giftId]))
  for (const one of (await call(`${url}/dev/inbox.json`)).body) assert.notEqual(one.giftId, null)
  assert.equal((await call(`${url}/dev/inbox.json?kind=card&to=${person.mdn}`)).body.length, 2)
  assert.equal((await call(`${url}/dev/inbox.json?kind=other`)).status, 400)
  assert.equal((await call(`${url}/dev/inbox.json?kind=notice&kind=notice`)).status, 400)
  const page = (await call(`${url}/dev/inbox?kind=notice&lang=en`)).text
  assert.match(page, /<a href="http:\/\/ingot\.example\/stop#[0-9a-fu]{35}">/)
  assert.match(page, /aria-current="page">Notices to members</)
  assert.doesNotMatch((await call(`${url}/dev/inbox?lang=en`)).text, /\/stop#/)
})

test('a member is written to in the language they signed up in, whoever acts', async () => {
  const member = await addRichMember(service, partner)
  await query(`update member_account set language = 'en' where login_id = $1`, [member.loginId])
  await withdraw(member)
  const [notice] = await waitForNotices(service, member.person.mdn, 1)
  assert.match(notice!.body, /^\[Ingot\] A withdrawal to a new account was requested/)
  assert.match(notice!.body, /Account: Shinhan ·+6789/)
})

test('twenty withdrawals a day, then no more', async () => {
  const member = await addRichMember(service, partner)
  for (let i = 0; i < 20; i += 1) await withdraw(member, '110123456789', 1)
  const body = { requestId: newId(), amount: 1, bank: '088', account: '110123456789' }
  const refused = await member.browser.post('/withdrawals', body)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '86400'])
})

test('the code and the account are in no log, job or column in the clear', async () => {
  const member = await addRichMember(service, partner)
  const { id } = await withdraw(member, '98765432109876')
  const code = stopCodeIn((await waitForNotices(service, member.person.mdn, 1))[0]!)
  await new Browser(url).post('/stop', { code })
  const { rows } = await query(
    `select n::text as text from notice n union all select w::text from withdrawal w
     union all select e::text from notice_event e union all select a::text from audit_entry a
     union all select j::text from graphile_worker._private_jobs j`,
  )
  const everything = [...service.log, ...rows.map(({ text }) => text)].join('\n')
  const secrets = [code, '98765432109876', member.person.mdn.slice(3)]
  assertHides(everything, [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString('hex'))])
  assert.ok(id)
})

test('what a notice said is erased after three months; that it was sent stays', async () => {
  const erase = () => database.withTransaction((tx) => eraseOldNotices(tx, 5_000))
  await until(async () => (await query('select from notice where settled_at is null')).rowCount === 0)
  assert.equal(await erase(), 0n)
  await advanceClock(database, { seconds: 91 * 86_400, actor: 'test' })
  assert.ok((await erase()) > 10n)
  const { rows } = await query(
    'select count(*)::int as n from notice where recipient is not null or content is not null',
  )
  assert.equal(rows[0].n, 0)
  assert.deepEqual((await call(`${url}/dev/inbox.json?kind=notice`)).body, [])
})

test('a partner near its credit limit: each crossing is told once, by any number of workers', async () => {
  const shop = await service.addPartner({ creditLimit: 100_000n })
  const { code, id } = shop.partner
  const finance = await service.consoleAs('finance')
  const phone = '01077770080'
  const buy = (amount: number) => shop.buy({ phoneNumber: '01012345678', amount })
  const owes = (won: number) =>
    query(`update account set balance = -($1::bigint) where partner_id = $2`, [won, id])
  // Two at once, as workers of two machines.
  const look = async () => {
    const told = await Promise.all([1, 2].map(() => alertCredit({ database, keys })))
    return told[0]! + told[1]!
  }
  assert.equal((await buy(79_000)).status, 200)
  assert.equal(await look(), 0)
  assert.equal((await buy(1_000)).status, 200)
  assert.equal(await look(), 0, 'nobody to tell')
  assert.deepEqual(await listUntold(database), [code])

  const contact = { name: '김정산', phone: null, email: null, reason: 'test' }
  const add = (changes: object) => finance.post(`/partners/${code}/contacts`, { ...contact, ...changes })
  for (const wrong of [{}, { phone: '12' }, { email: 'nobody' }, { name: ' ', phone }])
    assert.equal((await add(wrong)).status, 409, JSON.stringify(wrong))
  assert.equal((await add({ email: 'kim@shop.example' })).status, 200)
  assert.equal(await look(), 0, 'no phone')
  assert.equal((await add({ phone })).status, 200)
  assert.equal(await look(), 1)
  assert.equal(await look(), 0)
  assert.deepEqual(await listUntold(database), [])
  const [first] = await waitForNotices(service, phone, 1)
  assert.match(first!.body, /80% 이상[\s\S]*제휴사: \S+[\s\S]*80,000/)

  // 95 is told; then it falls below both and rises past both at once: one message.
  await owes(96_000)
  assert.equal(await look(), 1)
  await owes(85_000)
  assert.equal(await look(), 0)
  await owes(10_000)
  assert.equal(await look(), 0)
  await owes(99_000)
  assert.equal(await look(), 1)
  const bodies = (await waitForNotices(service, phone, 3)).map(({ body }) => /(\d+)% 이상/.exec(body)![1])
  assert.deepEqual(bodies, ['95', '95', '80'])
  await owes(80_000)

  // Masked for all, sealed in the database, and erased with the removal.
  const page = (await finance.get(`/partners/${code}`)).body
  assert.deepEqual(
    page.contacts.map(({ name, phone: to, email }: Record<string, string | null>) => [name, to, email]),
    [
      ['김*산', null, 'k***@shop.example'],
      ['김*산', '010-****-0080', null],
    ],
  )
  const stranger = await service.consoleAs('viewer')
  assert.equal((await stranger.post(`/partners/${code}/contacts`, contact)).status, 403)
  for (const { id: contactId } of page.contacts) {
    const removal = `/partners/${code}/contacts/${contactId}/remove`
    assert.equal((await finance.post(removal, { reason: 'left' })).status, 200)
    assert.equal((await finance.post(removal, { reason: 'left' })).status, 404)
  }
  const { rows } = await query('select count(details)::int as kept from partner_contact')
  assert.deepEqual(rows, [{ kept: 0 }])
  const { rows: entries } = await query(
    `select action, details::text as details from audit_entry where subject = $1 and action like 'partner.contact%'`,
    [code],
  )
  assert.equal(entries.length, 4)
  assertHides(JSON.stringify(entries), [phone, '7777-0080', 'kim@'])
  const listed = (await finance.get('/lists/notices?purpose=credit_95')).body
  assert.ok(
    listed.rows.length >= 2 && listed.rows[0].path === `/partners/${code}`,
    JSON.stringify(listed.rows[0]),
  )
})
