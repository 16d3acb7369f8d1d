import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { addMember, BEHIND_PROXY, Browser, newPerson, userInfoOf, verify } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { call, startService, type TestPartner } from '#test/service.ts'

const service = await startService(BEHIND_PROXY)
const { database, url } = service
const partner = await service.addPartner({ name: '한빛페이' })

async function addUser(person = newPerson(), at: TestPartner = partner) {
  const { code } = at.partner
  const { userKey } = (await at.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))).body
  const hashKey = async () => (await at.post(HASH, { partner: code, partnerKey: userKey })).body.hashKey
  return { person, userKey, hashKey }
}

async function enter(hashKey: string, browser = new Browser(url, '/webview/member')): Promise<Browser> {
  assert.equal((await browser.enter(hashKey)).status, 303)
  return browser
}

const refuse = (browser: Browser) =>
  browser.post('/links/3f1e8b60-0000-4000-8000-000000000000', { decision: 'refuse' })

test('the same session answer, with the partner’s name, and no account', async () => {
  const { hashKey } = await addUser()
  const browser = await enter(await hashKey())
  const { body } = await browser.get('/session')
  assert.deepEqual(
    [body.signedIn, body.kind, body.name, body.loginId, body.partner, body.mustVerify],
    [true, 'web_view', '김*나', null, '한빛페이', false],
  )
  for (const path of ['/profile', '/sessions']) assert.equal((await browser.get(path)).status, 404, path)
  for (const path of ['/login', '/signup', '/recover', '/password', '/close', '/sessions/end-others'])
    assert.equal((await browser.post(path, {})).status, 404, path)
  for (const purpose of ['sign_up', 'recover']) {
    const answer = await browser.post('/identity', { purpose, ...newPerson() })
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'])
  }
  assert.equal((await browser.post('/logout')).status, 204)
  assert.equal((await browser.get('/session')).body.signedIn, false)
})

test('a cookie of one kind of session opens nothing of the other', async () => {
  const { hashKey } = await addUser()
  const framed = await enter(await hashKey())
  const member = await addMember(service)
  const swap = (from: Browser, name: string, prefix: string, as: string) => {
    const browser = new Browser(url, prefix)
    browser.cookies.set(as, from.cookies.get(name)!)
    return browser.get('/links')
  }
  assert.equal((await swap(framed, 'ingot_webview', '/member', 'ingot_member')).status, 401)
  assert.equal((await swap(member.browser, 'ingot_member', '/webview/member', 'ingot_webview')).status, 401)
  assert.equal((await swap(member.browser, 'ingot_member', '/webview/member', 'ingot_member')).status, 401)
})

test('the first browser of a link is trusted; a second one has to prove who uses it', async () => {
  const { person, hashKey } = await addUser()
  const first = await enter(await hashKey())
  assert.equal((await first.get('/session')).body.mustVerify, false)
  const second = await enter(await hashKey())
  assert.equal((await second.get('/session')).body.mustVerify, true)
  assert.deepEqual((await refuse(second)).body.code, 'step_up_required')
  // The first one is known when it comes again.
  await enter(await hashKey(), first)
  assert.equal((await first.get('/session')).body.mustVerify, false)

  const stranger = newPerson()
  const begin = async (who: typeof person) =>
    (await second.post('/identity', { purpose: 'step_up', ...who })).body.verificationId
  const confirm = (browser: Browser, id: string) =>
    browser.post(`/identity/${id}/confirm`, { code: '000000' })
  assert.equal((await confirm(second, await begin(stranger))).body.code, 'other_person')
  const id = await begin(person)
  assert.equal((await confirm(first, id)).status, 404, 'of another session')
  const before = second.cookies.get('ingot_webview')
  const answer = await confirm(second, id)
  assert.deepEqual([answer.status, answer.body.purpose], [200, 'step_up'])
  assert.notEqual(second.cookies.get('ingot_webview'), before)
  assert.equal((await second.get('/session')).body.mustVerify, false)
  assert.equal((await refuse(second)).status, 404, 'trusted, and there is no such link')
  const old = new Browser(url, '/webview/member')
  old.cookies.set('ingot_webview', before!)
  assert.equal((await old.get('/links')).status, 401)
  assert.equal((await confirm(second, id)).status, 404, 'used')
  // And is known from now on.
  await enter(await hashKey(), second)
  assert.equal((await second.get('/session')).body.mustVerify, false)
})

test('of many who enter with the first keys at once, one is the first', async () => {
  const { hashKey } = await addUser()
  const keys = await Promise.all(Array.from({ length: 8 }, hashKey))
  const browsers = await Promise.all(keys.map((key) => enter(key)))
  const answers = await Promise.all(browsers.map((browser) => browser.get('/session')))
  assert.equal(answers.filter(({ body }) => !body.mustVerify).length, 1)
})

test('in a partner’s frame the renewed cookie is of the kind that is sent there', async () => {
  const framing = await service.addPartner({ frameAncestors: ['https://shop.example'] })
  const { person, hashKey } = await addUser(newPerson(), framing)
  await enter(await hashKey())
  const browser = new Browser(url, '/webview/member', { 'sec-fetch-dest': 'iframe' })
  await enter(await hashKey(), browser)
  const { verificationId } = (await browser.post('/identity', { purpose: 'step_up', ...person })).body
  const answer = await browser.post(`/identity/${verificationId}/confirm`, { code: '000000' })
  assert.match(answer.headers.getSetCookie()[0]!, /^ingot_webview=.*SameSite=None; Partitioned$/)
})

test('a step-up needs a session, and a member’s works the same way', async () => {
  const nobody = new Browser(url)
  assert.equal((await nobody.post('/identity', { purpose: 'step_up', ...newPerson() })).status, 401)
  const { browser, person } = await addMember(service)
  const before = browser.cookies.get('ingot_member')
  await verify(browser, 'step_up', person)
  assert.notEqual(browser.cookies.get('ingot_member'), before)
  assert.equal((await browser.get('/session')).body.signedIn, true)
})

test('a member sees and ends the web views that partners opened', async () => {
  const { person, hashKey } = await addUser()
  const view = await enter(await hashKey())
  const { browser } = await addMember(service, person)
  const { sessions } = (await browser.get('/sessions')).body
  const opened = sessions.find(({ partner: name }: { partner: string | null }) => name === '한빛페이')
  assert.ok(opened)
  assert.equal((await browser.send('DELETE', `/member/sessions/${opened.id}`)).status, 204)
  assert.equal((await view.get('/session')).body.signedIn, false)
})

test('what calls for a change comes from our own pages', async () => {
  const { browser } = await addMember(service)
  const CASES: [headers: Record<string, string>, status: number][] = [
    [{}, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 200],
    [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
  ]
  for (const [headers, status] of CASES) {
    const answer = await browser.post('/profile', { marketing: true }, headers)
    assert.equal(answer.status, status, JSON.stringify(headers))
  }
  // On this machine, with no proxy in between.
  const direct = (origin: string) =>
    call(`${url}/member/logout`, { method: 'POST', headers: { origin, 'sec-fetch-site': 'same-origin' } })
  assert.deepEqual(
    [
      (await direct(url)).status,
      (await direct('http://127.0.0.1:1')).status,
      (await direct('nonsense')).status,
    ],
    [204, 403, 403],
  )
  const { headers } = await browser.get('/session', { 'sec-fetch-site': 'cross-site' })
  assert.deepEqual(
    ['cache-control', 'x-content-type-options', 'referrer-policy', 'cross-origin-resource-policy'].map(
      (name) => headers.get(name),
    ),
    ['no-store', 'nosniff', 'no-referrer', 'same-origin'],
  )
  const form = await browser.send('POST', '/member/profile', undefined, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.equal(form.status, 415)
  assert.equal((await browser.send('PUT', '/member/profile')).status, 405)
  assert.equal((await browser.get('/nowhere')).status, 404)
})

// Last: the clock never goes back.
test('what is old is forgotten, but not which browser was the first', async () => {
  const { hashKey } = await addUser()
  await enter(await hashKey())
  await advanceClock(database, { seconds: 366 * 86_400, actor: 'test' })
  const { log } = { log: { debug() {}, info() {}, warn() {}, error() {} } }
  await forgetOldLogins({ database, log })
  const count = async (table: string) =>
    Number((await database.pool.query(`select count(*) from ${table}`)).rows[0].count)
  assert.deepEqual(
    [await count('web_session'), await count('identity_verification'), await count('guess_count')],
    [0, 0, 0],
  )
  assert.equal(await count('device where not first'), 0)
  const stranger = await enter(await hashKey())
  assert.equal((await stranger.get('/session')).body.mustVerify, true)
})
