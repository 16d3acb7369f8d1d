import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { listAlarms } from '#flows/guesses/list-alarms.ts'
import { newPin as inventPin } from '#modules/gift-cards/pin.ts'
import { GUESS_LIMITS, limitOf } from '#modules/guesses/rules.ts'
import { listGuesses } from '#modules/guesses/store.ts'
import { addMember, BEHIND_PROXY, Browser, logIn, newPerson, PASSWORD, verify } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { type Answer, BUY, PHONE, startService } from '#test/service.ts'

const service = await startService(BEHIND_PROXY)
const { database, url } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner({ name: '한빛페이' })
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const HOUR = 3_600

async function buy(amount = 5_000): Promise<{ giftId: string; pin: string }> {
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount })).body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  return { giftId, pin: keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin) }
}

const expired = await buy()
await travel(400 * 24 * HOUR)

const check = (browser: Browser, pin: string, headers = {}) => browser.post('/cards/check', { pin }, headers)
const redeem = (browser: Browser, pin: string, headers = {}) =>
  browser.post('/cards/redeem', { pin }, headers)
const inventive = () => inventPin().reveal()

test('what a card is worth is shown to those who are signed in, and it becomes points once', async () => {
  const { pin } = await buy(70_000)
  assert.equal((await check(new Browser(url), pin)).status, 401)
  const { browser } = await addMember(service)
  const typed = pin.toLowerCase().replace(/.{4}(?=.)/g, '$&-')
  const { expiresOn, extendsTo, ...shown } = (await check(browser, typed)).body
  assert.ok(extendsTo > expiresOn)
  assert.deepEqual(shown, { amount: 70_000, partner: '한빛페이', holder: '김*나', again: false })
  assert.match(expiresOn, /^\d{4}-\d\d-\d\d$/)
  const first = await redeem(browser, typed)
  assert.deepEqual(first.body, { amount: 70_000, points: 70_000, again: false, holder: '김*나' })
  assert.deepEqual((await redeem(browser, pin)).body, { ...first.body, again: true })
})

// The same to the last byte, but for what is another in every answer.
function bytes({ status, text, headers }: Answer): string {
  const rest = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
  return JSON.stringify([status, text, rest])
}

test('a verified member is told what became of a card; to others all refusals are one', async () => {
  const [used, voided] = [await buy(), await buy()]
  await redeem((await addMember(service)).browser, used.pin)
  await partner.post(`${BUY}/${voided.giftId}/cancel`, { reason: 'x' })
  const pins = [inventive(), used.pin, voided.pin, expired.pin]
  const askAll = async (browser: Browser, ask: typeof check, headers = {}) => {
    const answers: Answer[] = []
    for (const pin of pins) answers.push(await ask(browser, pin, headers))
    return answers
  }
  const { browser, loginId } = await addMember(service)
  for (const ask of [check, redeem]) {
    const answers = await askAll(browser, ask)
    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.code} ${body.contact ?? ''}`),
      [
        '422 card_not_registered ',
        ...['card_used', 'card_cancelled', 'card_expired'].map((code) => `422 ${code} help@ingot.example`),
      ],
    )
  }
  const reasons = service.log
    .filter((line) => line.includes('card refused'))
    .map((line) => JSON.parse(line).reason)
  assert.deepEqual(reasons.slice(0, 4), ['absent', 'used', 'voided', 'expired'])
  // Told or not, each was a guess: eight so far.
  assert.deepEqual(
    (await askAll(browser, check)).map(({ status }) => status),
    [422, 422, 429, 429],
  )
  // A browser that has yet to prove who uses it.
  const stranger = new Browser(url)
  await logIn(stranger, loginId)
  await database.pool.query('delete from guess_count')
  const plain = { accept: 'application/json' }
  const answers = await askAll(stranger, check, plain)
  assert.equal(answers[0]!.text, '{"error":"Card cannot be registered"}')
  assert.equal(new Set(answers.map(bytes)).size, 1)
  for (let i = 0; i < 20; i += 1) {
    assert.equal((await check(browser, `${used.pin.slice(0, 15)}!`)).body.code, 'pin_mistyped')
  }
})

test('ten failures of an account close it to guesses for an hour, from wherever they come', async () => {
  const { browser, loginId } = await addMember(service)
  const { pin } = await buy()
  const other = new Browser(url)
  await logIn(other, loginId)
  for (let i = 0; i < 10; i += 1) {
    assert.equal((await check(i % 2 ? browser : other, inventive())).status, 422)
  }
  const limited = await redeem(browser, pin)
  assert.deepEqual([limited.status, limited.body.code], [429, 'too_many_requests'])
  const wait = Number(limited.headers.get('retry-after'))
  assert.ok(wait > 50 * 60 && wait <= HOUR, String(wait))
  await travel(wait)
  await logIn(browser, loginId)
  assert.equal((await redeem(browser, pin)).status, 200)
})

test('guesses that come all at once are counted one after the other', async () => {
  const { browser } = await addMember(service)
  const answers = await Promise.all(Array.from({ length: 20 }, () => check(browser, inventive())))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  assert.deepEqual([count(422), count(429)], [10, 10])
})

test('too many at once on one id are told to wait, and the service is not said to be away', async () => {
  const ask = () => logIn(new Browser(url), 'flooded.id', 'a wrong password')
  const answers = await Promise.all(Array.from({ length: 60 }, ask))
  const others = answers.filter(({ status }) => status !== 401)
  const looked = answers.length - others.length
  assert.ok(looked > 0 && looked <= 10, `${looked} were looked at`)
  assert.deepEqual([...new Set(others.map(({ body }) => body.code))], ['too_many_requests'])
  assert.ok(others.every(({ headers }) => Number(headers.get('retry-after')) > 0))
})

test('ten wrong passwords close an id to logins, whether it exists or not; others are not touched', async () => {
  const { loginId } = await addMember(service)
  const other = await addMember(service)
  for (const id of [loginId, 'nobody.at.all']) {
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1)
      statuses.push((await logIn(new Browser(url), id, 'a wrong password')).status)
    assert.deepEqual(statuses, [...Array(10).fill(401), 429])
  }
  const right = await logIn(new Browser(url), loginId)
  assert.deepEqual([right.status, Number(right.headers.get('retry-after')) > 0], [429, true])
  assert.equal((await logIn(new Browser(url), other.loginId)).status, 200)
  // A session that was left open is no way around it.
  const answer = await other.browser.post('/password', { current: 'wrong horse battery', next: 'x' })
  assert.equal(answer.status, 401)
  await travel(HOUR)
  assert.equal((await logIn(new Browser(url), loginId)).status, 200)
})

test('an address has its limit, and an IPv6 address counts as its network', async () => {
  let n = 0
  const at = () => {
    n += 1
    return new Browser(url, '/member', { 'x-forwarded-for': `2001:db8:1:2::${n.toString(16)}` })
  }
  for (let i = 0; i < GUESS_LIMITS.login.address; i += 1) {
    assert.equal((await logIn(at(), `stranger${i}`, 'a wrong password')).status, 401)
  }
  assert.equal((await logIn(at(), 'stranger.last', 'a wrong password')).status, 429)
  const far = new Browser(url, '/member', { 'x-forwarded-for': '2001:db8:1:3::1' })
  assert.equal((await logIn(far, 'stranger.last', 'a wrong password')).status, 401)
})

test('an address is the same whatever port is written behind it, and what is no address is the proxy', async () => {
  const at = (forwarded: string) => new Browser(url, '/member', { 'x-forwarded-for': forwarded })
  const guess = (forwarded: string, id: string) => logIn(at(forwarded), id, 'a wrong password')
  for (const [first, same] of [
    ['6.6.6.3:1001', '6.6.6.3:1002'],
    ['[2001:db8:77:1::1]:1001', '2001:db8:77:1::9'],
    ['unknown', '_hidden'],
  ] as const) {
    assert.equal((await guess(first, `first${first.length}`)).status, 401)
    await database.pool.query(
      `update guess_count set failures = $1 where (kind, scope, failures) = ('login', 'address', 1)`,
      [GUESS_LIMITS.login.address],
    )
    assert.equal((await guess(same, `second${first.length}`)).status, 429, same)
  }
})

test('a customer with many IPv6 networks is counted as one', async () => {
  const guess = (network: string) =>
    logIn(
      new Browser(url, '/member', { 'x-forwarded-for': `${network}::1` }),
      `id${network.length}`,
      'wrong pw',
    )
  for (const network of ['2001:db8:99:1', '2001:db8:99:2', '2001:db8:99:4000'])
    assert.equal((await guess(network)).status, 401)
  const reach = (scope: 'block' | 'site', failures: number) =>
    database.pool.query(
      `update guess_count set failures = $1 where (kind, scope, failures) = ('login', $2, $3)`,
      [limitOf('login', scope), scope, failures],
    )
  await reach('block', 2)
  assert.deepEqual(
    [(await guess('2001:db8:99:3')).status, (await guess('2001:db8:99:5000')).status],
    [429, 401],
  )
  await reach('site', 4)
  assert.equal((await guess('2001:db8:99:6000')).status, 429)
  assert.equal((await guess('2001:db8:9a:1')).status, 401)
})

test('behind one address many people can be verified at once', async () => {
  const browser = new Browser(url)
  const begin = async () => (await browser.post('/identity', { purpose: 'sign_up', ...newPerson() })).status
  const statuses = await Promise.all(Array.from({ length: 60 }, begin))
  assert.deepEqual(new Set(statuses), new Set([200]))
  await database.pool.query(
    `update guess_count set failures = $1 where (kind, scope, failures) = ('identity', 'address', 60)`,
    [GUESS_LIMITS.identity.address],
  )
  assert.equal(await begin(), 429)
})

// Over all windows of the last day, as `guard show` prints them.
async function identityGuesses(): Promise<{ failures: number; addresses: number }> {
  const rows = (await listGuesses(database.db)).filter(({ kind }) => kind === 'identity')
  const sum = (column: 'failures' | 'addresses') =>
    rows.reduce((total, row) => total + Number(row[column]), 0)
  return { failures: sum('failures'), addresses: sum('addresses') }
}

test('verified people are no failures: sign-ups leave no trace in the count, other texts do', async () => {
  await travel(2 * HOUR)
  const before = await identityGuesses()
  const metricOf = async () =>
    Number(
      /failures_total\{kind="identity"\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0,
    )
  const metric = await metricOf()
  const start = async (browser: Browser) =>
    (await browser.post('/identity', { purpose: 'sign_up', ...newPerson() })).body.verificationId as string
  // All texts are on their way before the first code is typed, and some people have a new address by then.
  const people = Array.from({ length: 30 }, () => new Browser(url))
  const ids = await Promise.all(people.map(start))
  assert.equal((await identityGuesses()).failures, before.failures + 30, 'counted while they are under way')
  const confirm = (id: string, code: string, browser = new Browser(url)) =>
    browser.post(`/identity/${id}/confirm`, { code })
  // Typed again after a lost answer, it is taken back once.
  for (const code of ['000000', '000000']) {
    const answers = await Promise.all(ids.map((id, i) => confirm(id, code, i % 2 ? people[i] : undefined)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  }
  assert.deepEqual(await identityGuesses(), before)
  assert.equal(await metricOf(), metric)

  // Another text of the same verification is taken back with the first; in another window of ten minutes, too.
  const again = await start(people[0]!)
  await travel(599)
  assert.equal((await people[0]!.post(`/identity/${again}/resend`)).status, 200)
  assert.equal((await identityGuesses()).failures, before.failures + 2)
  assert.equal((await confirm(again, '000000')).status, 200)
  assert.deepEqual(await identityGuesses(), before)

  // A guess counts as ever: whoever does not have the phone.
  const guessed = await start(people[1]!)
  assert.equal((await confirm(guessed, '123456')).body.code, 'wrong_code')
  await start(people[2]!)
  const { failures, addresses } = await identityGuesses()
  assert.deepEqual([failures, addresses], [before.failures + 2, before.addresses + 2])
  assert.equal(await metricOf(), metric + 1, 'the code that was wrong')
})

test('an address that guesses at many ids at once passes its limit by a handful', async () => {
  const browser = new Browser(url)
  let id = 0
  const guess = () => {
    id += 1
    return logIn(browser, `someone${id}`, 'a wrong password')
  }
  const statuses: number[] = []
  // On a busy machine some wait too long for their turn (503) before the limit is reached.
  do {
    const answers = await Promise.all(Array.from({ length: 150 }, guess))
    statuses.push(...answers.map(({ status }) => status))
  } while (statuses.at(-1) !== 429)
  const looked = statuses.filter((status) => status === 401).length
  const { address } = GUESS_LIMITS.login
  assert.ok(looked >= address && looked < address + 5, `${looked} were looked at`)
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => ![401, 429, 503].includes(status)),
    [],
  )
})

test('while passwords are being guessed, an unknown browser has to prove who uses it', async () => {
  const { browser, person, loginId } = await addMember(service)
  await database.pool.query(
    `insert into guess_count values ('login', 'all', '', date_bin('10 minutes', service_now(), '2000-01-01 00:00Z'), $1)
     on conflict (kind, scope, subject, bucket) do update set failures = excluded.failures`,
    [GUESS_LIMITS.login.all],
  )
  assert.equal((await logIn(browser, loginId)).body.mustVerify, false)
  const stranger = new Browser(url)
  assert.equal((await logIn(stranger, loginId)).body.mustVerify, true)
  const next = { current: PASSWORD, next: 'another horse battery' }
  assert.equal((await stranger.post('/password', next)).body.code, 'step_up_required')
  await verify(stranger, 'step_up', person)
  assert.equal((await stranger.post('/password', next)).status, 204)
  await travel(1_300)
})

// Three times what is looked at. Each one more costs time and shows nothing new.
const GUESSES = 1_000

test(`${GUESSES} guesses: a few hundred are looked at, the alarm is raised, and nobody honest is locked out`, async () => {
  const SESSIONS = 50
  const browsers: Browser[] = []
  for (let i = 0; i < SESSIONS; i += 1) {
    const { userKey } = (await partner.post(SIGNUP, signupOf(partner.partner.code, `guesser ${i}`))).body
    const { hashKey } = (await partner.post(HASH, { partner: partner.partner.code, partnerKey: userKey }))
      .body
    const browser = new Browser(url, '/webview/member')
    assert.equal((await browser.enter(hashKey)).status, 303)
    browsers.push(browser)
  }
  const { browser: honest, person } = await addMember(service)
  const { pin } = await buy()
  const told = () => service.log.filter((line) => line.includes('"event":"guessing"')).length
  const before = told()
  const answers = new Map<string, number>()
  const guessWith = async (browser: Browser) => {
    for (let i = 0; i < GUESSES / SESSIONS; i += 1) {
      const { body, headers } = await check(browser, inventive())
      if (headers.get('retry-after') === '1') {
        // More than a session may ask in a second.
        await sleep(1_000)
        i -= 1
        continue
      }
      answers.set(body.code, (answers.get(body.code) ?? 0) + 1)
    }
  }
  await Promise.all(browsers.map(guessWith))
  const looked = answers.get('card_not_registered') ?? 0
  const kept = [...answers.keys()].toSorted()
  assert.deepEqual(kept, ['card_not_registered', 'step_up_required'])
  const { all } = GUESS_LIMITS.pin
  assert.ok(looked >= all && looked <= all + SESSIONS, `${looked} were looked at`)
  assert.equal(told() - before, 1)
  assert.deepEqual(
    (await listAlarms(database)).filter(({ alarmed }) => alarmed),
    [{ kind: 'pin', alarmed: true }],
  )
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /^ingot_guess_alarm\{kind="pin"\} 1$/m)
  assert.match(metrics, /^ingot_guess_failures_total\{kind="pin"\} \d{3}/m)
  assert.match(metrics, /^ingot_logins_total\{outcome="limited"\} \d/m)
  // Whoever proves who they are goes on. A proof from the signing up is as good, while it is fresh.
  assert.equal((await redeem(honest, pin)).status, 200)
  const other = await buy()
  await travel(16 * 60)
  await database.pool.query(
    `insert into guess_count (kind, scope, subject, bucket, failures)
     select kind, scope, subject, date_bin('10 minutes', service_now(), '2000-01-01 00:00:00+00'), max(failures)
       from guess_count where kind = 'pin' and scope = 'all' group by kind, scope, subject
     on conflict (kind, scope, subject, bucket) do update set failures = excluded.failures`,
  )
  assert.equal((await redeem(honest, other.pin)).body.code, 'step_up_required')
  await verify(honest, 'step_up', person)
  assert.equal((await redeem(honest, other.pin)).status, 200)
})
