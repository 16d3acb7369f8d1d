import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { linkCodeOf } from '#modules/gift-cards/link-code.ts'
import { newPin } from '#modules/gift-cards/pin.ts'
import { GUESS_LIMITS } from '#modules/guesses/rules.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { AGREED, addMember, BEHIND_PROXY, Browser, logIn, newPerson, PASSWORD, verify } from '#test/member.ts'
import { freezeMember } from '#test/operator.ts'
import { giveCard } from '#test/pages.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { BUY, startService } from '#test/service.ts'

// A visitor on the way to an account: what the service keeps for them, and for nobody else.
const service = await startService(BEHIND_PROXY)
const { database, url } = service
const partner = await service.addPartner({ name: '한빛페이' })
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const COOKIE = 'ingot_onboarding'
const CODE = { code: SIMULATED_CODE }

const idOf = (browser: Browser) => browser.cookies.get(COOKIE)
const kept = async (browser: Browser) => (await browser.get('/onboarding')).body
const start = (browser: Browser, person = newPerson(), purpose = 'sign_up') =>
  browser.post('/onboarding/identity', { purpose, ...person })
const confirm = (browser: Browser) => browser.post('/onboarding/identity/confirm', CODE)
const join = (browser: Browser) => browser.post('/signup', { agreed: AGREED })

async function withCard(browser = new Browser(url), amount = 30_000) {
  const card = await giveCard(service, partner, amount)
  assert.equal((await browser.put('/onboarding', { pin: card.pin })).status, 200)
  return { browser, ...card }
}

// Another browser with the same cookie, as of one who planted or saw it.
function copyOf(browser: Browser): Browser {
  const copy = new Browser(url)
  copy.cookies.set(COOKIE, idOf(browser)!)
  return copy
}

test('a PIN is kept, shown masked, and nothing is said of it', async () => {
  const [mine, madeUp] = [new Browser(url), new Browser(url)]
  const { pin } = await giveCard(service, partner, 10_000)
  const answer = await mine.put('/onboarding', { pin: pin.toLowerCase() })
  assert.equal(answer.body.card.pin, `••••-••••-••••-${pin.slice(-4)}`)
  assert.equal(answer.body.card.told, null)
  const [cookie] = answer.headers.getSetCookie()
  assert.match(
    cookie!,
    /^ingot_onboarding=[\w-]{43}; Path=\/member; Max-Age=3600; HttpOnly; Secure; SameSite=Strict$/,
  )
  const nobodys = newPin().reveal()
  const other = await madeUp.put('/onboarding', { pin: nobodys })
  const bare = (body: typeof other.body) => ({ ...body, expiresAt: '', card: { ...body.card, pin: '' } })
  assert.deepEqual(bare(other.body), bare(answer.body))
  assert.equal((await mine.put('/onboarding', { pin: `${pin.slice(0, -1)}!` })).body.code, 'pin_mistyped')
  const { rows } = await database.pool.query(
    `select count(*)::int as leaks from onboarding where position(convert_to($1, 'UTF8') in content) > 0
        or position(convert_to($2, 'UTF8') in hash) > 0`,
    [pin.replaceAll('-', ''), idOf(mine)],
  )
  assert.equal(rows[0].leaks, 0)
  for (const path of ['/cards/check', '/cards/redeem'])
    assert.equal((await mine.post(path, {})).body.code, 'unauthorized', 'a PIN in hand is nobody signed in')
})

async function codeOf(giftId: string): Promise<string> {
  const { rows } = await database.pool.query('select number from gift_card where id = $1', [giftId])
  return linkCodeOf(keys.vault(), rows[0].number).reveal()
}
const openLink = (browser: Browser, code: string) => browser.post('/onboarding/link', { code })

test('the link of a message brings the card along, and tells giver, amount and validity', async () => {
  const browser = new Browser(url)
  const { giftId } = await giveCard(service, partner, 20_000)
  const code = await codeOf(giftId)
  const answer = await openLink(browser, code)
  assert.equal(answer.status, 200, answer.text)
  const { expiresOn, ...told } = answer.body.card.told
  assert.deepEqual(told, { partner: '한빛페이', amount: 20_000 })
  assert.match(expiresOn, /^\d{4}-\d\d-\d\d$/)
  assert.deepEqual((await kept(browser)).card, answer.body.card)
  // Opened once more, here and elsewhere.
  assert.equal((await openLink(browser, code)).status, 200)
  assert.equal((await openLink(new Browser(url), code)).status, 200)
  await start(browser)
  await confirm(browser)
  assert.equal((await join(browser)).status, 200)
  assert.equal((await browser.post('/cards/redeem', {})).body.points, 20_000)
  assert.equal((await openLink(new Browser(url), code)).body.code, 'card_not_registered')
  assert.equal((await openLink(browser, code)).body.code, 'card_already_yours')
  assert.ok(!service.log.some((line) => line.includes(code)), 'never in the log')
})

test('a code that was made up, tampered with or is of a dead card: one answer; what does not read is a guess', async () => {
  const [open, voided] = [await giveCard(service, partner, 10_000), await giveCard(service, partner, 10_000)]
  assert.equal((await partner.post(`${BUY}/${voided.giftId}/cancel`, { reason: 'x' })).status, 200)
  const code = await codeOf(open.giftId)
  const { rows } = await database.pool.query('select max(number) + 1 as number from gift_card')
  const dead = [await codeOf(voided.giftId), linkCodeOf(keys.vault(), rows[0].number).reveal()]
  const unread = [
    `${code.slice(0, -1)}${code.endsWith('a') ? 'b' : 'a'}`,
    `${code[0] === 'b' ? 'c' : 'b'}${code.slice(1)}`,
    code.toUpperCase(),
    `${code}a`,
    '7'.repeat(code.length),
    open.pin,
    '',
    '가',
  ]
  const browser = new Browser(url)
  const plain = { accept: 'application/json' }
  for (const one of [...dead, ...unread]) {
    const answer = await browser.post('/onboarding/link', { code: one }, plain)
    assert.deepEqual([answer.status, answer.text], [422, '{"error":"Card cannot be registered"}'], one)
    assert.equal(idOf(browser), undefined)
  }
  // Counted by address as PINs are: nobody is known here. Whoever has a code of ours did not guess it, and is not kept
  // waiting for those who do.
  const { rows: counted } = await database.pool.query(
    `update guess_count set failures = $1 where (kind, scope, failures) = ('pin', 'address', $2) returning scope`,
    [GUESS_LIMITS.pin.address, unread.length],
  )
  assert.equal(counted.length, 1)
  assert.equal((await openLink(browser, unread[0]!)).status, 429)
  assert.equal((await openLink(browser, dead[0]!)).body.code, 'card_not_registered')
  assert.equal((await openLink(browser, code)).status, 200)
  assert.equal((await openLink(new Browser(url), code)).status, 200)
})

test('a new person: card, phone, terms, member without id and password, points', async () => {
  const { browser } = await withCard()
  const person = newPerson()
  const begun = await start(browser, person)
  assert.equal(begun.status, 200, begun.text)
  assert.deepEqual(begun.body.details, person)
  assert.equal(begun.body.code.sandboxCode, SIMULATED_CODE)
  assert.doesNotMatch(begun.text, /verificationId/)
  assert.deepEqual((await kept(browser)).details, person)
  assert.equal(
    (await browser.post('/onboarding/identity/confirm', { code: '111111' })).body.code,
    'wrong_code',
  )
  const confirmed = await confirm(browser)
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.equal(confirmed.body.session, null)
  const { verified, details, code } = await kept(browser)
  assert.deepEqual([verified.name, verified.isMember, details, code], ['김*나', false, null, null])
  const joined = await join(browser)
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual([joined.body.signedIn, joined.body.loginId, joined.body.mustVerify], [true, null, false])
  assert.equal((await browser.post('/cards/check', {})).body.amount, 30_000)
  assert.equal((await browser.post('/cards/redeem', {})).body.again, false)
  assert.deepEqual([(await kept(browser)).card, (await kept(browser)).verified], [null, null])
  // The answer was lost: the same success again.
  const again = await browser.post('/cards/redeem', {})
  assert.deepEqual([again.status, again.body.points, again.body.again], [200, 30_000, true])
  await browser.post('/logout')
  assert.equal(idOf(browser), undefined)
  assert.equal((await browser.post('/cards/redeem', {})).body.code, 'unauthorized')
})

test('a member is logged in by phone, keeps the card, and hears of a new device', async () => {
  const { person, loginId } = await addMember(service)
  const { browser } = await withCard()
  // Who has an account is told to nobody before the code.
  const [known, unknown] = [await start(browser, person), await start(new Browser(url))]
  const bare = ({ body }: typeof known) => ({ ...body, card: null, details: null, expiresAt: '', code: '' })
  assert.deepEqual(bare(known), bare(unknown))
  const { body } = await confirm(browser)
  assert.equal(body.session.loginId, loginId)
  assert.equal(body.session.mustVerify, false)
  assert.equal((await browser.post('/cards/redeem', {})).body.points, 30_000)
  const { rows } = await database.pool.query(
    `select count(*)::int as told from notice n join member_account a on a.id = n.account_id
      where a.login_id = $1 and n.purpose = 'new_device'`,
    [loginId],
  )
  assert.equal(rows[0].told, 1)
  await browser.post('/logout')
  await start(browser, person)
  await confirm(browser)
  const later = await database.pool.query(
    `select count(*)::int as told from notice where purpose = 'new_device'`,
  )
  assert.equal(later.rows[0].told, 1, 'a known browser is not told of')
})

test('a frozen member is not let in by phone either', async () => {
  const { person, loginId } = await addMember(service)
  await freezeMember(database, { member: loginId, reason: 'a stolen phone', actor: 'test' })
  const browser = new Browser(url)
  await start(browser, person)
  assert.equal((await confirm(browser)).body.code, 'account_frozen')
  assert.equal((await browser.get('/session')).body.signedIn, false)
  assert.equal((await kept(browser)).verified, null)
})

test('who may not join is told so, and nothing of them is kept', async () => {
  const browser = new Browser(url)
  assert.equal((await start(browser, newPerson({ birthday: '20200101' }))).body.code, 'under_age')
  assert.equal((await kept(browser)).details, null)
})

test('an address with many people behind it: hundreds at once are served, a flood is not', async (t) => {
  const stopped = performance.now()
  t.mock.method(performance, 'now', () => stopped)
  const shared = { 'x-forwarded-for': '203.0.113.77' }
  const inWaves = async (count: number, ask: (browser: Browser) => ReturnType<Browser['get']>) => {
    const statuses: number[] = []
    for (let left = count; left > 0; left -= 50) {
      const wave = Array.from({ length: Math.min(50, left) }, () => ask(new Browser(url, '/member', shared)))
      statuses.push(...(await Promise.all(wave)).map(({ status }) => status))
    }
    return statuses
  }
  // Nobody's page, asked for without a cookie, costs nothing.
  const opened = await inWaves(450, (browser) => browser.get('/onboarding'))
  assert.deepEqual(new Set(opened), new Set([200]))
  const ended = await inWaves(450, (browser) => browser.delete('/onboarding'))
  assert.deepEqual(ended.toSorted(), [...Array(400).fill(204), ...Array(50).fill(429)])
  assert.equal((await new Browser(url).delete('/onboarding')).status, 204, 'another address')
})

// What somebody who planted an id, or saw one, gets by it.
const HOSTILE: Record<string, () => Promise<void>> = {
  'a made-up id is not taken over': async () => {
    const browser = new Browser(url)
    const planted = randomBytes(32).toString('base64url')
    browser.cookies.set(COOKIE, planted)
    await browser.put('/onboarding', { pin: newPin().reveal() })
    assert.notEqual(idOf(browser), planted)
    const thief = new Browser(url)
    thief.cookies.set(COOKIE, planted)
    assert.equal((await kept(thief)).card, null)
  },
  'an id planted before the PIN: its owner gets no PIN': async () => {
    const thief = (await withCard()).browser
    await withCard(copyOf(thief))
    assert.equal((await kept(thief)).card, null)
    const member = await addMember(service)
    member.browser.cookies.set(COOKIE, idOf(thief)!)
    assert.equal((await member.browser.post('/cards/redeem', {})).body.code, 'not_found')
  },
  'an id planted before the phone: its owner reads no details, and cannot go on': async () => {
    const thief = (await withCard()).browser
    const victim = copyOf(thief)
    await start(victim)
    const read = await kept(thief)
    assert.deepEqual([read.details, read.code, read.card], [null, null, null])
    assert.equal((await thief.post('/onboarding/identity/resend')).body.code, 'not_found')
    // Without the code, which came to the victim's phone.
    for (let i = 0; i < 6; i += 1) {
      const tried = await thief.post('/onboarding/identity/confirm', { code: '999999' })
      assert.equal(tried.body.code, 'not_found')
    }
    await confirm(victim)
    assert.equal((await kept(thief)).verified, null)
    assert.equal((await join(thief)).body.code, 'identity_failed')
    assert.equal(
      (await thief.post('/onboarding/identity/confirm', { code: '999999' })).body.code,
      'not_found',
    )
    assert.equal((await join(victim)).status, 200)
  },
  'an id seen before the code: no use once the person is verified': async () => {
    const { browser } = await withCard()
    await start(browser)
    const thief = copyOf(browser)
    await confirm(browser)
    assert.deepEqual([(await kept(thief)).verified, (await kept(thief)).card], [null, null])
    assert.equal((await join(thief)).body.code, 'identity_failed')
    // The code has to be typed again with it.
    const guessed = await thief.post('/onboarding/identity/confirm', { code: '999999' })
    assert.equal(guessed.body.code, 'wrong_code')
    assert.equal((await start(thief)).status, 200)
    assert.equal((await kept(thief)).card, null, 'begun anew, without what the other has')
    assert.equal((await join(browser)).status, 200)
  },
  'an id put over the own one before the phone: a verified name is shown, and it is the own': async () => {
    const thief = (await withCard()).browser
    await start(thief, newPerson({ name: '이도둑' }))
    await confirm(thief)
    const victim = copyOf(thief)
    await victim.put('/onboarding', { pin: newPin().reveal() })
    assert.equal((await kept(victim)).verified, null, 'a card begins anew')
  },
  'two ids that are both alive are a riddle, and open nothing': async () => {
    const { browser } = await withCard()
    const other = (await withCard()).browser
    const both = new Browser(url, '/member', {
      cookie: `${COOKIE}=${idOf(browser)}; ${COOKIE}=${idOf(other)}`,
    })
    assert.equal((await kept(both)).card, null)
  },
  'another browser has nothing': async () => {
    await withCard()
    assert.equal((await kept(new Browser(url))).card, null)
  },
  'the web view has no onboarding, and wants its PIN typed': async () => {
    const view = new Browser(url, '/webview/member')
    assert.equal((await view.get('/onboarding')).status, 404)
  },
  'a page of another site': async () => {
    const { browser } = await withCard()
    browser.headers = { ...browser.headers, 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.put('/onboarding', { pin: newPin().reveal() })).status, 403)
    assert.equal((await browser.delete('/onboarding')).status, 403)
  },
}
for (const [name, attack] of Object.entries(HOSTILE)) test(`hostile: ${name}`, attack)

test('an answer that was lost: the step is done again with the id that there is', async () => {
  const { person } = await addMember(service)
  for (const who of [newPerson(), person]) {
    const { browser } = await withCard()
    const before = copyOf(browser)
    await start(before, who)
    // Never heard of: the form is sent again.
    assert.equal((await start(browser, who)).status, 200)
    assert.ok((await kept(browser)).card, 'the card is still in hand')
    const unheard = copyOf(browser)
    await confirm(unheard)
    const confirmed = await confirm(browser)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.ok((await kept(browser)).card)
    assert.equal((await (who === person ? browser.get('/session') : join(browser))).body.signedIn, true)
  }
})

test('it ends ten minutes after its last use, and an hour after it began', async () => {
  const { browser } = await withCard()
  const age = (minutes: number, started: number) =>
    database.pool.query(
      `update onboarding set created_at = service_now() - make_interval(mins => $2),
              expires_at = least(service_now() + make_interval(mins => $1),
                                 service_now() - make_interval(mins => $2) + interval '1 hour')
        where hash = sha256(convert_to($3, 'UTF8'))`,
      [minutes, started, idOf(browser)],
    )
  await age(1, 20)
  const minutesLeft = async () =>
    Math.round(
      Temporal.Now.instant()
        .until((await kept(browser)).expiresAt)
        .total('minutes'),
    )
  assert.equal(await minutesLeft(), 10)
  await age(1, 57)
  assert.equal(await minutesLeft(), 3)
  await age(-1, 20)
  assert.equal((await kept(browser)).card, null)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await forgetOldLogins({ database, log })
  const { rows } = await database.pool.query(
    `select count(*)::int as left from onboarding where hash = sha256(convert_to($1, 'UTF8'))`,
    [idOf(browser)],
  )
  assert.equal(rows[0].left, 0)
})

test('a member without id and password: sets them, closes the account, recovers', async () => {
  const person = newPerson()
  const browser = new Browser(url)
  await start(browser, person)
  await confirm(browser)
  await join(browser)
  const profile = (await browser.get('/profile')).body
  assert.deepEqual([profile.loginId, profile.passwordChangedAt], [null, null])
  const set = (body: object) => browser.post('/password', body)
  assert.equal((await set({ next: PASSWORD })).body.errors[0].pointer, '#/loginId')
  assert.equal((await set({ current: PASSWORD, next: PASSWORD, loginId: 'dul' })).status, 400)
  const { loginId: taken } = await addMember(service)
  assert.equal((await set({ next: PASSWORD, loginId: taken })).body.code, 'login_id_taken')
  assert.equal(
    (await set({ current: 'not mine at all', next: PASSWORD, loginId: 'phone.first' })).body.code,
    'wrong_login',
  )
  assert.equal((await set({ next: PASSWORD, loginId: 'phone.first' })).status, 204)
  assert.equal((await set({ next: `${PASSWORD} 2` })).body.code, 'wrong_login', 'now there is one to know')
  assert.equal((await logIn(new Browser(url), 'phone.first')).status, 200)
  assert.equal((await browser.post('/close', { waive: false })).body.code, 'wrong_login')
  assert.equal((await browser.post('/close', { password: PASSWORD, waive: false })).status, 204)

  // Again a member, by phone alone; an id and a password come with recovery.
  await start(browser, person)
  await confirm(browser)
  assert.equal((await join(browser)).status, 200)
  const elsewhere = new Browser(url)
  await start(elsewhere, person, 'recover')
  const found = await confirm(elsewhere)
  assert.deepEqual([found.body.session, found.body.onboarding.verified.isMember], [null, true])
  assert.equal((await elsewhere.post('/recover', { password: PASSWORD })).body.errors[0].pointer, '#/loginId')
  assert.equal(
    (await elsewhere.post('/recover', { password: PASSWORD, loginId: 'phone.second' })).status,
    200,
  )
  assert.equal((await browser.get('/session')).body.signedIn, false, 'others are signed out')
  const old = new Browser(url)
  const verificationId = await verify(old, 'recover', person)
  assert.equal((await old.post('/recover', { verificationId, password: `${PASSWORD}!` })).status, 200)

  const third = newPerson()
  await start(browser, third)
  await confirm(browser)
  assert.equal((await join(browser)).status, 200)
  assert.equal((await browser.post('/close', { waive: false })).status, 204, 'a verified phone is enough')
})

test('a first password: which login ids are taken is told ten times an hour', async () => {
  const browser = new Browser(url)
  await start(browser)
  await confirm(browser)
  await join(browser)
  const { loginId: taken } = await addMember(service)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => browser.post('/password', { next: PASSWORD, loginId: taken })),
  )
  const codes = answers.map(({ body }) => body.code).toSorted()
  assert.deepEqual(codes, [...Array(10).fill('login_id_taken'), ...Array(2).fill('too_many_requests')])
  const free = await browser.post('/password', { next: PASSWORD, loginId: 'nobody.has.this' })
  assert.equal(free.status, 429, 'whether another one is free is not told either')
})

test("a dead card's link: what became of it is told to a verified member, and to nobody else", async () => {
  const give = async () => (await giveCard(service, partner, 10_000)).giftId
  const [voided, used] = [await give(), await withCard((await addMember(service)).browser)]
  assert.equal((await partner.post(`${BUY}/${voided}/cancel`, { reason: 'x' })).status, 200)
  assert.equal((await used.browser.post('/cards/redeem', {})).status, 200)
  const codes = await Promise.all([used.giftId, voided].map(codeOf))
  const told = async (browser: Browser) =>
    Promise.all(codes.map(async (code) => (await openLink(browser, code)).body.code))
  const { browser: other, loginId } = await addMember(service)
  assert.deepEqual(await told(used.browser), ['card_already_yours', 'card_cancelled'])
  assert.deepEqual(await told(other), ['card_used', 'card_cancelled'])
  assert.equal(idOf(other), undefined, 'nothing is kept of it')
  const nothing = Array(2).fill('card_not_registered')
  assert.deepEqual(await told(new Browser(url)), nothing)
  // By a password, in a browser that is not known.
  const unknown = new Browser(url)
  assert.equal((await logIn(unknown, loginId)).status, 200)
  assert.deepEqual(await told(unknown), nothing)
})
