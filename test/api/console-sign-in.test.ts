import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { seedDemoStaff } from '#flows/staff/demo-staff.ts'
import { addStaff } from '#flows/staff/manage-staff.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import { GUESS_LIMITS } from '#modules/guesses/rules.ts'
import type { Role } from '#modules/staff/permissions.ts'
import { Authenticator } from '#test/authenticator.ts'
import { Browser } from '#test/http-browser.ts'
import { BEHIND_PROXY } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { startService } from '#test/service.ts'
import { codeOf, STAFF_PASSWORD, staffWays } from '#test/staff-ways.ts'

const service = await startService({
  environment: { ...BEHIND_PROXY.environment, PUBLIC_URL: 'http://localhost:4000', SINGLE_PERSON: 'off' },
})
const { database, url } = service

// A browser on this machine, with no proxy between.
function direct(): Browser {
  const browser = new Browser(url, '/console/api')
  delete browser.headers['x-forwarded-for']
  return browser
}

// Another site's name that leads to this machine: fetch() would not let us say so.
async function statusUnder(host: string, path: string): Promise<number | undefined> {
  const asked = request(url + path, { method: 'POST', headers: { host } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('the demo operator comes in with one click, from this machine only', async () => {
  const near = direct()
  assert.equal((await near.get('/sign-in')).body.demo, false, 'there is none yet')
  assert.equal((await near.post('/sign-in/demo')).status, 404)
  await seedDemoStaff(database, 'demo')
  assert.equal((await near.get('/sign-in')).body.demo, true)
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'cf-connecting-ip']) {
    const far = direct()
    far.headers[header] = '203.0.113.9'
    assert.equal((await far.get('/sign-in')).body.demo, false, header)
    assert.equal((await far.post('/sign-in/demo')).status, 404, header)
  }
  assert.equal(await statusUnder('console.ingot.example', '/console/api/sign-in/demo'), 404)
  const opened = await near.post('/sign-in/demo')
  assert.equal(opened.status, 200, opened.text)
  assert.deepEqual(
    [opened.body.staff.role, opened.body.fresh, opened.body.singlePerson],
    ['admin', true, false],
  )
  assert.match(
    opened.headers.getSetCookie().join(),
    /^ingot_console=[\w-]{43}; Path=\/console; HttpOnly; Secure; SameSite=Strict$/,
  )
  const before = near.cookies.get('ingot_console')
  assert.equal((await near.post('/session/proof/demo')).status, 200)
  assert.notEqual(near.cookies.get('ingot_console'), before, 'a proof changes the cookie')
  const stolen = direct()
  stolen.cookies.set('ingot_console', before!)
  assert.equal((await stolen.get('/session')).body.signedIn, false, 'the cookie of before opens nothing')
})

test('signing out ends the session and takes the cookie away', async () => {
  const browser = await service.consoleAs('support')
  const cookie = browser.cookies.get('ingot_console')!
  assert.equal((await browser.get('/session')).body.staff.role, 'support')
  assert.equal((await browser.post('/sign-out')).status, 204)
  assert.equal(browser.cookies.has('ingot_console'), false)
  browser.cookies.set('ingot_console', cookie)
  assert.equal((await browser.get('/session')).body.signedIn, false)
  assert.equal((await browser.get('/roles')).status, 401)
})

test('a proof of the demo operator is for the demo operator', async () => {
  const browser = await service.consoleAs('admin')
  delete browser.headers['x-forwarded-for']
  assert.equal((await browser.post('/session/proof/demo')).status, 404)
})

const auditOf = async (id: string) =>
  (await listAuditEntries(database.db, TEST_VAULT, id)).map(({ action }) => action)

const ORIGIN = 'http://localhost:4000'
const newKey = () => new Authenticator({ origin: ORIGIN })
const { visitor, invited, withPassword, signIn } = staffWays(service, ORIGIN)

test('a link is looked at as often as one likes and used once; a passkey made with it signs in', async () => {
  const { staff, link, browser } = await invited('finance')
  for (const _ of [1, 2]) {
    const { body } = await browser.post('/welcome', { link })
    assert.deepEqual([body.email, body.role, body.passkeys], [staff.email, 'finance', true])
  }
  const key = newKey()
  const options = await browser.post('/welcome/passkey/options', { link })
  const made = { link, credential: key.make(options.body.publicKey) }
  const thief = visitor()
  assert.equal((await thief.post('/welcome/passkey', made)).status, 401, 'not the browser that began it')
  const again = await browser.post('/welcome/passkey/options', { link })
  const opened = await browser.post('/welcome/passkey', { link, credential: key.make(again.body.publicKey) })
  assert.deepEqual(
    [opened.status, opened.body.staff?.email, opened.body.fresh],
    [200, staff.email, true],
    opened.text,
  )
  for (const path of ['/welcome', '/welcome/totp', '/welcome/passkey/options'])
    assert.equal((await visitor().post(path, { link })).status, 404, path)

  const other = visitor()
  const asked = (await other.post('/sign-in/passkey/options')).body.publicKey
  assert.equal(asked.allowCredentials, undefined, 'names no passkeys')
  const used = { credential: key.use(asked) }
  assert.equal((await other.post('/sign-in/passkey', used)).status, 200)
  assert.equal((await other.post('/sign-in/passkey', used)).status, 401, 'a challenge counts once')
  const forged = (await other.post('/sign-in/passkey/options')).body.publicKey
  const foreign = { credential: key.use(forged, { origin: 'https://evil.example' }) }
  assert.equal((await other.post('/sign-in/passkey', foreign)).status, 401, 'signed for another site')
})

test('a copied passkey is blocked', async () => {
  const { link, browser, staff } = await invited()
  const key = newKey()
  const made = (await browser.post('/welcome/passkey/options', { link })).body.publicKey
  await browser.post('/welcome/passkey', { link, credential: key.make(made) })
  const use = async (counter: number) => {
    const from = visitor()
    const { publicKey } = (await from.post('/sign-in/passkey/options')).body
    return (await from.post('/sign-in/passkey', { credential: key.use(publicKey, { counter }) })).status
  }
  assert.deepEqual([await use(9), await use(5), await use(10)], [200, 401, 401])
  const actions = (await auditOf(staff.id)).slice(-3)
  assert.deepEqual(actions, ['staff.sign_in', 'staff.passkey_block', 'staff.sign_in_failed'])
})

test('password and code; a code counts once, a recovery code once, and each answer is the same', async () => {
  const { staff, secret, recoveryCodes } = await withPassword()
  assert.equal(new Set(recoveryCodes).size, 10)
  const used = codeOf(secret)
  const wrongs = [
    await signIn(visitor(), staff.email, used),
    await signIn(visitor(), staff.email, '000000'),
    await signIn(visitor(), staff.email, codeOf(secret, 1), 'not the password'),
    await signIn(visitor(), 'nobody@ingot.test', codeOf(secret, 1)),
    await signIn(visitor(), staff.email, recoveryCodes[0]!, 'not the password'),
  ]
  for (const { status, body } of wrongs)
    assert.deepEqual([status, body.code, body.detail], [401, 'wrong_login', wrongs[0]!.body.detail])
  const right = await signIn(visitor(), ` ${staff.email.toUpperCase()} `, codeOf(secret, 1))
  assert.equal(right.status, 200, right.text)
  assert.equal((await signIn(visitor(), staff.email, recoveryCodes[0]!.toUpperCase())).status, 200)
  assert.equal((await signIn(visitor(), staff.email, recoveryCodes[0]!)).status, 401, 'used')
})

test('a weak password and a wrong code are refused, and leave the link as it was', async () => {
  const { link, browser, staff } = await invited()
  const { secret } = (await browser.post('/welcome/totp', { link })).body
  const choose = async (password: string, code: string) =>
    (await browser.post('/welcome/password', { link, password, code })).body.code
  assert.equal(await choose('password12', codeOf(secret)), 'weak_password')
  assert.equal(await choose(`${staff.email.split('@')[0]}1`, codeOf(secret)), 'weak_password')
  assert.equal(await choose(STAFF_PASSWORD, '000000'), 'wrong_code')
  assert.equal((await browser.post('/welcome', { link })).status, 200)
  for (const bad of ['', 'x', 'x'.repeat(43)])
    assert.equal((await visitor().post('/welcome', { link: bad })).status, 404)
})

test('too many guesses at one email are refused, also with the right code', async () => {
  const { staff, secret } = await withPassword()
  for (let i = 0; i < GUESS_LIMITS.login.account; i += 1)
    assert.equal((await signIn(visitor(), staff.email, '000000')).status, 401)
  const { status, headers } = await signIn(visitor(), staff.email, codeOf(secret, 1))
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 0)
})

test('a proof is of the same person, gives a new cookie, and a stolen cookie cannot make one', async () => {
  const { browser, secret } = await withPassword()
  const before = browser.cookies.get('ingot_console')!
  await advanceClock(database, { seconds: 11 * 60, actor: 'test' })
  assert.equal((await browser.get('/session')).body.fresh, false)
  assert.equal((await browser.post('/account/recovery-codes')).body.code, 'proof_required')
  const stolen = visitor()
  stolen.cookies.set('ingot_console', before)
  assert.equal((await stolen.post('/session/proof', { code: '000000' })).body.code, 'wrong_code')
  const proven = await browser.post('/session/proof', { code: codeOf(secret, 1) })
  assert.deepEqual([proven.status, proven.body.fresh], [200, true], proven.text)
  assert.equal((await stolen.get('/session')).body.signedIn, false, 'the old cookie is nothing now')

  const key = newKey()
  const options = (await browser.post('/account/passkeys/options')).body.publicKey
  const added = await browser.post('/account/passkeys', { credential: key.make(options) })
  assert.deepEqual([added.status, added.body.passkeys?.length], [200, 1], added.text)
  const colleague = await withPassword()
  const asked = (await colleague.browser.post('/session/proof/passkey/options')).body.publicKey
  const theirs = await colleague.browser.post('/session/proof/passkey', { credential: key.use(asked) })
  assert.equal(theirs.body.code, 'passkey_failed', "a colleague's passkey proves someone else")
  const own = (await browser.post('/session/proof/passkey/options')).body.publicKey
  assert.equal((await browser.post('/session/proof/passkey', { credential: key.use(own) })).status, 200)
})

test('the own account: new codes replace the old, other sessions end, the last way in stays', async () => {
  const { browser, staff, secret, recoveryCodes } = await withPassword()
  const other = visitor()
  assert.equal((await signIn(other, staff.email, codeOf(secret, 1))).status, 200)
  const { body } = await browser.get('/account')
  assert.deepEqual(
    [body.hasPassword, body.recoveryCodes, body.sessions.length, body.isDemo],
    [true, 10, 2, false],
  )
  assert.doesNotMatch(JSON.stringify(body), /secret|hash/)
  assert.equal((await browser.delete('/account/password')).status, 409, 'the last way in')
  const fresh = (await browser.post('/account/recovery-codes')).body.recoveryCodes
  assert.equal((await signIn(visitor(), staff.email, recoveryCodes[1]!)).status, 401)
  const third = visitor()
  assert.equal((await signIn(third, staff.email, fresh[0])).status, 200)
  const foreign = (await (await withPassword()).browser.get('/account')).body.sessions[0].id
  assert.equal((await browser.post(`/account/sessions/${foreign}/end`)).status, 404)
  assert.equal((await browser.post('/account/sessions/end-others')).body.sessions.length, 1)
  for (const one of [other, third]) assert.equal((await one.get('/session')).body.signedIn, false)

  const next = (await browser.post('/account/totp')).body.secret
  const changed = { password: 'eight little gold bars', code: codeOf(next) }
  assert.equal((await browser.post('/account/password', changed)).status, 200)
  assert.equal((await signIn(visitor(), staff.email, codeOf(secret, 1))).status, 401)
  assert.equal((await signIn(visitor(), staff.email, codeOf(next, 1), changed.password)).status, 200)
})

test('foreign pages cannot act, and nobody frames or reads an answer', async () => {
  const browser = await service.consoleAs('admin')
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  ]) {
    const answer = await browser.post('/account/sessions/end-others', undefined, headers)
    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], JSON.stringify(headers))
  }
  const { headers } = await browser.get('/session')
  assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/)
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('staff: listed, added with a link, suspended, signed out; nobody suspends themselves', async () => {
  const admin = await service.consoleAs('admin')
  const added = await admin.post('/staff', { email: 'New@Ingot.Test', name: '새 직원', role: 'finance' })
  assert.equal(added.status, 200, added.text)
  assert.deepEqual(
    [added.body.staff.email, added.body.staff.role, added.body.waiting],
    ['new@ingot.test', 'finance', false],
  )
  const link = added.body.link.split('#')[1]
  assert.match(added.body.link, /^http:\/\/localhost:4000\/console\/welcome#/)
  assert.equal((await visitor().post('/welcome', { link })).body.email, 'new@ingot.test')
  const again = await admin.post('/staff', { email: 'new@ingot.test', name: 'x', role: 'viewer' })
  assert.deepEqual([again.status, again.body.errors?.[0]?.detail], [409, 'email_taken'])
  for (const bad of [
    { email: 'no address', name: 'x', role: 'viewer' },
    { email: 'a@b.test', name: 'x', role: 'owner' },
    { email: 'a@b.test', name: 'x', role: 'partner_viewer' },
    { email: 'a@b.test', name: 'x', role: 'partner_viewer', partner: 'nobody' },
  ])
    assert.equal((await admin.post('/staff', bad)).status, 400, JSON.stringify(bad))
  const { body } = await admin.get('/staff')
  assert.doesNotMatch(JSON.stringify(body), /argon2|totp|secret/)
  const ofEmail = (email: string) => body.staff.find((one: { email: string }) => one.email === email)

  const { browser, staff } = await withPassword()
  const id = staff.id
  const why = { reason: 'left' }
  assert.equal((await admin.post(`/staff/${id}/end-sessions`, why)).status, 200)
  assert.equal((await browser.get('/session')).body.signedIn, false)
  assert.equal((await admin.post(`/staff/${id}/suspend`, why)).body.status, 'suspended')
  assert.deepEqual(
    (await admin.post(`/staff/${id}/suspend`, why)).body.errors?.[0]?.detail,
    'already_suspended',
  )
  assert.equal((await admin.post(`/staff/${id}/resume`, why)).body.status, 'active')
  const own = await admin.post(`/staff/${ofEmail(admin.staff.email).id}/suspend`, why)
  assert.deepEqual([own.status, own.body.errors?.[0]?.detail], [409, 'own_account'])
  assert.equal((await admin.post('/staff/01900000-0000-7000-8000-000000000000/suspend', why)).status, 404)
})

test('another role takes two people, ends the sessions of its owner, and is refused when it has moved', async () => {
  const [maker, checker] = [await service.consoleAs('admin'), await service.consoleAs('finance')]
  const owner = await service.consoleAs('support')
  const ask = (role: string) => maker.post(`/staff/${owner.staff.id}/role`, { role, reason: 'new duties' })
  const [first, second] = [(await ask('finance')).body, (await ask('admin')).body]
  assert.equal(first.waiting, true)
  assert.equal((await ask('support')).body.errors[0].detail, 'same_role')
  assert.equal((await ask('partner_viewer')).body.errors[0].detail, 'role_of_other_tenant')
  assert.equal((await owner.get('/session')).body.staff.role, 'support', 'nothing yet')
  const lone = await maker.post(`/approvals/${first.requestId}/approve`, {})
  assert.deepEqual([lone.status, lone.body.errors?.[0]?.detail], [409, 'same_person'])
  const approved = await checker.post(`/approvals/${first.requestId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  assert.equal((await owner.get('/session')).body.signedIn, false)
  const stale = await checker.post(`/approvals/${second.requestId}/approve`, {})
  assert.deepEqual([stale.status, stale.body.errors?.[0]?.detail], [409, 'role_changed'])
  assert.deepEqual((await auditOf(owner.staff.id)).slice(-1), ['staff.role'])
})

test('in live, a second person who may approve is added by two people; the first admin by one', async () => {
  const setMode = (mode: string) =>
    database.pool.query(`update installation set mode = $1, clock_offset = '0'`, [mode])
  const add = (role: Role, email: string) =>
    addStaff(database, { email, name: email, role, reason: null, actor: 'cli:root' })
  await setMode('live')
  try {
    const added = await add('finance', 'second@ingot.test')
    assert.ok(added.kind === 'done')
    assert.deepEqual(
      [added.staff.role, added.waiting?.kind, added.waiting?.payload],
      ['viewer', 'staff_role', { role: 'finance' }],
    )
    const support = await add('support', 'third@ingot.test')
    assert.ok(support.kind === 'done' && support.staff.role === 'support' && support.waiting === undefined)
    await database.pool.query(`update staff set status = 'suspended' where role = 'admin'`)
    const first = await add('admin', 'first@ingot.test')
    assert.ok(first.kind === 'done' && first.staff.role === 'admin')
  } finally {
    await setMode('sandbox')
    await database.pool.query(`update staff set status = 'active'`)
  }
})

test('nothing secret is in the log', () => {
  const lines = service.log.join('\n')
  assert.doesNotMatch(lines, new RegExp(`${STAFF_PASSWORD}|otpauth:|ingot_console=`))
})
