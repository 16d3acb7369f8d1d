import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { indexNewPeople } from '#flows/members/index-people.ts'
import { TEXTS_A_DAY } from '#modules/guesses/rules.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import { startPortoneStandIn } from '#stand-ins/identity/portone.ts'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { applicantOf, persona } from '#test/identity.ts'
import { addMember, BEHIND_PROXY, Browser, newPerson, signUp, verify } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'

const service = await startService(BEHIND_PROXY)
const { database, url } = service
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })

const standIn = await startPortoneStandIn({
  apiSecret: LIVE_PROVIDERS.PORTONE_API_SECRET,
  storeId: LIVE_PROVIDERS.PORTONE_STORE_ID,
  channelKey: LIVE_PROVIDERS.PORTONE_CHANNEL_KEY,
})
after(() => standIn.close())
const live = await startService({
  environment: {
    ...LIVE_PROVIDERS,
    PORTONE_URL: standIn.url,
    INGOT_MODE: 'live',
    KEY_RING_FILE: 'unused',
  },
})
await sql`update installation set mode = 'live'`.execute(live.database.db)

const codesOf = (answers: { body: { code: string } }[]) => answers.map(({ body }) => body.code)

test('taken login ids are told ten times to a verification, and cost no hashing', async () => {
  const { loginId } = await addMember(service)
  const browser = new Browser(url)
  const verificationId = await verify(browser, 'sign_up', newPerson())
  const answers = []
  for (let i = 0; i < 12; i += 1) answers.push(await signUp(browser, verificationId, loginId))
  assert.deepEqual(codesOf(answers), [
    ...Array(10).fill('login_id_taken'),
    ...Array(2).fill('identity_failed'),
  ])
  const { rows } = await database.pool.query(
    'select person, mdn, used_at is not null as used from identity_verification where id = $1',
    [verificationId],
  )
  assert.deepEqual(rows, [{ person: null, mdn: null, used: true }])
})

test('weak passwords count for a verification too: estimating them takes time', async () => {
  const browser = new Browser(url)
  const verificationId = await verify(browser, 'sign_up', newPerson())
  const answers = []
  for (let i = 0; i < 12; i += 1)
    answers.push(await signUp(browser, verificationId, `weak.one${i}`, 'P@ssw0rd123'))
  assert.deepEqual(codesOf(answers), [
    ...Array(10).fill('weak_password'),
    ...Array(2).fill('identity_failed'),
  ])
})

test('of those who sign up at once with one verification, one is hashed and the others find it used', async () => {
  const browser = new Browser(url)
  const verificationId = await verify(browser, 'sign_up', newPerson())
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => signUp(new Browser(url), verificationId, `at.once${i}`)),
  )
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  assert.deepEqual([count(200), count(422), count(429)], [1, 5, 14])
})

test('five codes are looked at, one after the other or all at once; a right one after them is no longer', async () => {
  for (const atOnce of [false, true]) {
    const browser = new Browser(url)
    const { verificationId } = (await browser.post('/identity', { purpose: 'sign_up', ...newPerson() })).body
    const confirm = (code: string) => browser.post(`/identity/${verificationId}/confirm`, { code })
    const answers = []
    if (atOnce) answers.push(...(await Promise.all(Array.from({ length: 40 }, () => confirm('123456')))))
    else for (let i = 0; i < 7; i += 1) answers.push(await confirm('123456'))
    assert.equal(codesOf(answers).filter((code) => code === 'wrong_code').length, 5)
    assert.equal((await confirm('000000')).body.code, 'identity_failed')
    await travel(61)
    assert.equal((await browser.post(`/identity/${verificationId}/resend`)).body.code, 'identity_failed')
  }
})

test('a code that is right does not count, however often it is typed', async () => {
  const browser = new Browser(url)
  const verificationId = await verify(browser, 'sign_up', newPerson())
  for (let i = 0; i < 8; i += 1) {
    const again = await browser.post(`/identity/${verificationId}/confirm`, { code: '000000' })
    assert.equal(again.status, 200)
  }
})

test('another text is sent after a minute, and to one of those who ask at once', async () => {
  const browser = new Browser(url)
  const { verificationId } = (await browser.post('/identity', { purpose: 'sign_up', ...newPerson() })).body
  const resend = () => browser.post(`/identity/${verificationId}/resend`)
  const early = await resend()
  const wait = Number(early.headers.get('retry-after'))
  assert.deepEqual([early.status, wait > 50 && wait <= 60], [429, true])
  await travel(wait)
  const statuses = (await Promise.all([resend(), resend(), resend()])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 429, 429])
})

// In live: begins a verification, with its real details but for what is changed.
function beginLive(name: string, changes: object = {}, browser = new Browser(live.url)) {
  const { address: _, ...details } = applicantOf(persona(name))
  return browser.post('/identity', { purpose: 'recover', ...details, ...changes })
}

async function proveLive(name: string, changes: object = {}, browser = new Browser(live.url)) {
  const begun = await beginLive(name, changes, browser)
  if (begun.status !== 200) return begun
  const { verificationId: id } = begun.body
  return browser.post(`/identity/${id}/confirm`, { code: standIn.codeOf(id) })
}

test('in live a stranger who knows a number keeps nobody out: where no text left, the number is not counted', async () => {
  for (let i = 0; i < 8; i += 1)
    assert.equal((await beginLive('이두리', { name: '이아무' })).body.code, 'identity_failed')
  assert.equal((await beginLive('이두리')).status, 200)
  const { rows } = await live.database.pool.query(
    `select sum(failures)::int as n from guess_count where (kind, scope) = ('identity', 'all')`,
  )
  assert.equal(rows[0].n, 9, 'they count over all')
})

test('in live the owner who types each code goes on, up to so many texts in a day', async () => {
  await live.database.pool.query('delete from guess_count')
  const statuses = []
  for (let i = 0; i <= TEXTS_A_DAY; i += 1) statuses.push((await proveLive('이두리')).status)
  assert.deepEqual(statuses, [...Array(TEXTS_A_DAY).fill(200), 429])
  // A day is not an hour.
  const age = (hours: number) =>
    live.database.pool.query('update guess_count set bucket = bucket - make_interval(hours => $1)', [hours])
  await age(2)
  const limited = await beginLive('이두리')
  assert.deepEqual([limited.status, Number(limited.headers.get('retry-after')) > 21 * 3_600], [429, true])
  await age(22)
  assert.equal((await beginLive('이두리')).status, 200)
})

test('in live a browser that the account trusts has a count of its own', async () => {
  await live.database.pool.query('delete from guess_count')
  const owner = new Browser(live.url)
  const proven = await beginLive('이두리', { purpose: 'sign_up' }, owner)
  const { verificationId } = proven.body
  await owner.post(`/identity/${verificationId}/confirm`, { code: standIn.codeOf(verificationId) })
  assert.equal((await signUp(owner, verificationId, 'trusted.one')).status, 200)
  const keys = await openVaultKeeper(live.database, TEST_RING_STORE)
  await indexNewPeople({ database: live.database, keys }, 100)
  // Somebody who knows all about the owner, and has the phone ring.
  for (let i = 0; i < 5; i += 1) assert.equal((await beginLive('이두리')).status, 200)
  assert.equal((await beginLive('이두리')).status, 429)
  assert.equal((await proveLive('이두리', { purpose: 'step_up' }, owner)).status, 200)
  const statuses = []
  for (let i = 0; i < 6; i += 1) statuses.push((await beginLive('이두리', {}, owner)).status)
  assert.deepEqual(statuses, [...Array(5).fill(200), 429])
  // Of its own account's number only.
  for (let i = 0; i < 5; i += 1) assert.equal((await beginLive('김하나')).status, 200)
  assert.equal((await beginLive('김하나', {}, owner)).status, 429)
})

test('in live a number gets five texts an hour, whoever asks and however', async () => {
  await live.database.pool.query('delete from guess_count')
  const [hana, duri] = PERSONAS.filter(({ starts }) => starts === 'sent')
  const begin = ({ name, birthday, gender, mdn, carrier }: (typeof PERSONAS)[number]) =>
    new Browser(live.url).post('/identity', { purpose: 'recover', name, birthday, gender, mdn, carrier })
  const first = await begin(hana!)
  assert.equal(first.status, 200, first.text)
  const others = await Promise.all(Array.from({ length: 9 }, () => begin(hana!)))
  const statuses = others.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [...Array(4).fill(200), ...Array(5).fill(429)])
  assert.equal(
    (await new Browser(live.url).post(`/identity/${first.body.verificationId}/resend`)).status,
    429,
  )
  assert.equal((await begin(duri!)).status, 200)
})

test('in live a proxy that is not trusted is told of, once', async () => {
  for (let i = 0; i < 3; i += 1) await new Browser(live.url).get('/session')
  const told = live.log.filter((line) => line.includes('"event":"proxy not trusted"'))
  assert.equal(told.length, 1)
  assert.ok(!service.log.some((line) => line.includes('proxy not trusted')))
})

test('one session asks so often and no more; others do not notice', async () => {
  const [{ browser }, other] = [await addMember(service), await addMember(service)]
  let refused = 0
  // Forty at once and twenty a second: how many get through depends on how long the machine takes for them.
  await until(async () => {
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => browser.post('/quotes', { side: 'buy', metal: 'gold', won: 10_000 })),
    )
    const seconds = (performance.now() - began) / 1_000
    const quoted = answers.filter(({ status }) => status === 200).length
    const late = answers.filter(({ status }) => status === 429)
    refused += late.length
    assert.ok(quoted >= 35 && quoted <= 42 + 20 * seconds, `${quoted} quotes in ${seconds} s`)
    assert.equal(late.length + quoted, 100)
    assert.ok(late.every(({ headers }) => headers.get('retry-after') === '1'))
    return refused > 0
  }, 'one asks too often')
  assert.equal((await other.browser.get('/assets')).status, 200)
  await until(async () => (await browser.get('/assets')).status === 200, 'it may ask again')
})
