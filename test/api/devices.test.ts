import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addMember, BEHIND_PROXY, Browser, logIn, newPerson, userInfoOf, verify } from '#test/member.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { type Answer, startService } from '#test/service.ts'

// Which browsers are trusted, and by which id: one that this service made, under the eyes of nobody else.
const service = await startService(BEHIND_PROXY)
const { database, url } = service
const partner = await service.addPartner({ name: '한빛페이' })
const DEVICE = 'ingot_device'
const NO_QUOTE = '3f1e8b60-0000-4000-8000-000000000000'

const cookiesOf = (answer: Answer) => answer.headers.getSetCookie()
const newToken = () => randomBytes(32).toString('base64url')
const devicesOf = (browser: Browser) => browser.cookies.get(DEVICE)?.split('.') ?? []

async function addUser(person = newPerson()) {
  const { code } = partner.partner
  const { userKey } = (await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))).body
  const hashKey = async () => (await partner.post(HASH, { partner: code, partnerKey: userKey })).body.hashKey
  return { person, hashKey }
}

async function enter(hashKey: string, browser = new Browser(url, '/webview/member')): Promise<Browser> {
  assert.equal((await browser.enter(hashKey)).status, 303)
  return browser
}

const mustVerify = async (browser: Browser) => (await browser.get('/session')).body.mustVerify
// Whether this browser may trade: a quote that does not exist is only looked for by those who may trade.
const trade = async (browser: Browser) => (await browser.post('/orders', { quoteId: NO_QUOTE })).body.code

// A browser into which somebody has put a device id that they know.
function planted(prefix: string, device: string): Browser {
  const browser = new Browser(url, prefix)
  browser.cookies.set(DEVICE, device)
  return browser
}

test('a planted device serves nobody: web view, trusted for being the first', async () => {
  const { hashKey } = await addUser()
  const known = newToken()
  const victim = await enter(await hashKey(), planted('/webview/member', known))
  assert.equal(await mustVerify(victim), false)
  assert.ok(!devicesOf(victim).slice(0, 1).includes(known), 'the id is of our own making')
  const thief = await enter(await hashKey(), planted('/webview/member', known))
  assert.deepEqual([await mustVerify(thief), await trade(thief)], [true, 'step_up_required'])
})

test('a planted device serves nobody: web view, after its owner has verified', async () => {
  const { person, hashKey } = await addUser()
  await enter(await hashKey())
  const known = newToken()
  const victim = await enter(await hashKey(), planted('/webview/member', known))
  assert.equal(await mustVerify(victim), true)
  const before = devicesOf(victim)[0]!
  await verify(victim, 'step_up', person)
  assert.deepEqual([await mustVerify(victim), await trade(victim)], [false, 'quote_expired'])
  for (const stolen of [known, before]) {
    const thief = await enter(await hashKey(), planted('/webview/member', stolen))
    assert.deepEqual([await mustVerify(thief), await trade(thief)], [true, 'step_up_required'])
  }
  // Its owner is known when they come again.
  await enter(await hashKey(), victim)
  assert.equal(await mustVerify(victim), false)
})

test('a planted device serves nobody: sign-up, log-in and step-up of a member', async () => {
  const person = newPerson()
  const known = newToken()
  const browser = planted('/member', known)
  const { loginId } = await addMember(service, person, browser)
  const steal = async (device: string) => {
    const thief = planted('/member', device)
    await logIn(thief, loginId)
    return [await mustVerify(thief), await trade(thief)]
  }
  assert.deepEqual(await steal(known), [true, 'step_up_required'])
  for (const act of [() => logIn(browser, loginId), () => verify(browser, 'step_up', person)]) {
    const before = devicesOf(browser)[0]!
    await act()
    assert.notEqual(devicesOf(browser)[0], before)
    assert.deepEqual([await mustVerify(browser), await trade(browser)], [false, 'quote_expired'])
    assert.deepEqual(await steal(before), [true, 'step_up_required'], 'the id of before')
  }
})

test('a device of somebody else’s account is a stranger’s', async () => {
  const thief = await addMember(service)
  const victim = await addMember(service, newPerson(), planted('/member', devicesOf(thief.browser)[0]!))
  const stranger = planted('/member', devicesOf(thief.browser)[0]!)
  await logIn(stranger, victim.loginId)
  assert.equal(await mustVerify(stranger), true)
})

test('two members on one tablet are both known there, and neither for the other', async () => {
  const tablet = new Browser(url)
  const one = await addMember(service, newPerson(), tablet)
  const two = await addMember(service, newPerson(), tablet)
  for (const member of [one, two, one]) {
    await logIn(tablet, member.loginId)
    assert.equal(await mustVerify(tablet), false, member.loginId)
  }
  assert.equal(devicesOf(tablet).length, 2)
  for (let more = 0; more < 8; more += 1) await addMember(service, newPerson(), tablet)
  assert.ok(devicesOf(tablet).length <= 5)
})

// What a host beside ours can do: a cookie of the same name for the whole domain, which may come before ours.
const PILES: [what: string, cookies: string[][]][] = [
  ['five ids in a cookie', [Array.from({ length: 5 }, newToken)]],
  ['thirty ids in a cookie', [Array.from({ length: 30 }, newToken)]],
  ['three cookies of five ids', Array.from({ length: 3 }, () => Array.from({ length: 5 }, newToken))],
]
function pile(browser: Browser, planted: string[][]): void {
  const own = [...browser.cookies]
  browser.cookies.clear()
  for (const [i, ids] of planted.entries()) browser.cookies.set(`other${i}=1; ${DEVICE}`, ids.join('.'))
  for (const [name, value] of own) browser.cookies.set(name, value)
}

for (const [what, cookies] of PILES) {
  test(`planted ids push no real one out of a web view: ${what}`, async () => {
    const users = [await addUser(), await addUser()]
    const browser = await enter(await users[0]!.hashKey())
    pile(browser, cookies)
    for (const user of [users[1]!, users[0]!, users[1]!, users[0]!]) {
      await enter(await user.hashKey(), browser)
      assert.equal(await mustVerify(browser), false)
    }
    await verify(browser, 'step_up', users[0]!.person)
    await enter(await users[1]!.hashKey(), browser)
    assert.equal(await mustVerify(browser), false)
    assert.equal(devicesOf(browser).length, 2, 'ids that nobody is known by are not kept')
  })

  test(`planted ids push no real one out of a member's browser: ${what}`, async () => {
    const tablet = new Browser(url)
    const one = await addMember(service, newPerson(), tablet)
    pile(tablet, cookies)
    const two = await addMember(service, newPerson(), tablet)
    await verify(tablet, 'step_up', two.person)
    for (const member of [one, two, one]) {
      await logIn(tablet, member.loginId)
      assert.equal(await mustVerify(tablet), false, member.loginId)
    }
    assert.equal(devicesOf(tablet).length, 2)
  })
}

test('two tabs that verify at once: the browser is trusted and stays signed in', async () => {
  const member = await addMember(service)
  const browser = new Browser(url)
  await logIn(browser, member.loginId)
  const begin = async () =>
    (await browser.post('/identity', { purpose: 'step_up', ...member.person })).body.verificationId
  const ids = [await begin(), await begin()]
  const answers = await Promise.all(
    ids.map((id) => browser.post(`/identity/${id}/confirm`, { code: '000000' })),
  )
  assert.ok(answers.some(({ status }) => status === 200))
  assert.deepEqual([await mustVerify(browser), await trade(browser)], [false, 'quote_expired'])
  await logIn(browser, member.loginId)
  assert.equal(await mustVerify(browser), false)
})

test('an answer that got lost: the old id is a stranger’s, who verifies and goes on', async () => {
  const { browser, person, loginId } = await addMember(service)
  const before = new Map(browser.cookies)
  await logIn(browser, loginId)
  browser.cookies.clear()
  for (const [name, value] of before) browser.cookies.set(name, value)
  assert.equal((await browser.get('/session')).body.signedIn, false)
  await logIn(browser, loginId)
  assert.equal(await mustVerify(browser), true)
  await verify(browser, 'step_up', person)
  assert.deepEqual([await mustVerify(browser), await trade(browser)], [false, 'quote_expired'])
})

test('devices that an earlier release trusted, under whatever id, are strangers', async () => {
  const { browser, loginId } = await addMember(service)
  await database.pool.query('update device set trusted = false')
  await logIn(browser, loginId)
  assert.equal(await mustVerify(browser), true)
  const { hashKey } = await addUser()
  const first = await enter(await hashKey())
  await database.pool.query('update device set trusted = false')
  await enter(await hashKey(), first)
  assert.equal(await mustVerify(first), true, 'nor does it become the first again')
})

test('under https the cookies have prefixes, and other names count for nothing', async () => {
  const at = await startService({ beside: service, environment: { PUBLIC_URL: 'https://gold.example' } })
  const { browser, loginId } = await addMember(at)
  const [session, device] = cookiesOf(await logIn(browser, loginId))
  assert.match(session!, /^__Host-ingot_member=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  assert.match(
    device!,
    /^__Host-ingot_device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.equal(await mustVerify(browser), false)
  const unprefixed = new Browser(at.url)
  for (const [name, value] of browser.cookies) unprefixed.cookies.set(name.replace('__Host-', ''), value)
  assert.equal((await unprefixed.get('/session')).body.signedIn, false)
  await logIn(unprefixed, loginId)
  assert.equal(await mustVerify(unprefixed), true)
  const [gone] = cookiesOf(await browser.post('/logout'))
  assert.match(gone!, /^__Host-ingot_member=; Path=\/; Max-Age=0; HttpOnly; Secure; SameSite=Lax$/)

  const { hashKey } = await addUser()
  const view = new Browser(at.url, '/webview/member')
  const entered = await view.enter(await hashKey())
  assert.deepEqual(
    entered.headers.getSetCookie().map((cookie) => cookie.replace(/=[\w-]{43};/, '=…;')),
    [
      '__Secure-ingot_webview=…; Path=/webview; HttpOnly; Secure; SameSite=Lax',
      '__Secure-ingot_device=…; Path=/webview; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax',
    ],
  )
  assert.equal(await mustVerify(view), false)
  const other = new Browser(at.url, '/webview/member')
  for (const [name, value] of view.cookies) other.cookies.set(name.replace('__Secure-', ''), value)
  assert.equal((await other.get('/session')).body.signedIn, false)
})

const HOSTILE = ['', 'x', '.', '....', `${'a'.repeat(43)}.${'b'.repeat(43)}`, '%00', 'a'.repeat(4_000)]
for (const value of HOSTILE) {
  test(`a device cookie of ${JSON.stringify(value.slice(0, 20))} is nobody’s`, async () => {
    const { loginId } = await addMember(service)
    const browser = planted('/member', value)
    assert.equal((await logIn(browser, loginId)).status, 200)
    assert.equal(await mustVerify(browser), true)
    assert.match(browser.cookies.get(DEVICE)!, /^[\w-]{43}(?:\.[\w-]{43}){0,4}$/)
  })
}
