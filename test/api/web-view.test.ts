import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { WEB_VIEW_PAGES } from '#edge/site/shell/shell.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { assertHides } from '#test/hidden.ts'
import { advanceClock, changePartner, setUserStatusOf } from '#test/operator.ts'
import { type Answer, call, startService, type TestPartner } from '#test/service.ts'
import { addLink, type TestLink } from '#test/web-view.ts'

const service = await startService({ logLevel: 'trace' })
const { database } = service
const partner = await service.addPartner({ name: '한빛페이 <b>Hanbit</b>' })
const holder = await addLink(service, partner, {
  name: '홍길동',
  holds: { KRW_POINT: 50_000n, KRW: 1_203_400n, XAU: 371_234n, XAG: 1_250_500n },
})
// Every key and session id that a test saw: none may be found anywhere afterwards.
const secrets = new Set<string>()

type Headers = Record<string, string>

function get(path: string, headers: Headers = {}, at = service): Promise<Answer> {
  return call(`${at.url}${path}`, { headers, redirect: 'manual' })
}

async function newKey(link: TestLink = holder): Promise<string> {
  const key = await link.hashKey()
  secrets.add(key)
  return key
}

const cookiesOf = (answer: Answer) => answer.headers.getSetCookie()

function sessionOf(answer: Answer): string {
  assert.equal(answer.status, 303)
  const [cookie] = cookiesOf(answer)
  const [, name, value] = /^((?:__Secure-)?ingot_webview)=([\w-]{43});/.exec(cookie ?? '') ?? []
  assert.ok(value, 'there is no session')
  secrets.add(value)
  return `${name}=${value}`
}

const enter = async (key: string, headers?: Headers) => sessionOf(await get(`/webview/${key}`, headers))
const visit = (cookie: string, headers?: Headers) => get('/webview', { cookie, ...headers })
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const count = async (text: string, values: unknown[] = []) =>
  Number((await database.pool.query(text, values)).rows[0].count)

async function setStatus(who: TestPartner, status: 'active' | 'suspended'): Promise<void> {
  await changePartner(database, { code: who.partner.code, changes: { status }, actor: 'test' })
}

// The page for every key that does not open.
const refusal = await get('/webview/unknown')
const once = await service.addPartner({ singleUseHashKeys: true })
const onceLink = await addLink(service, once)

function assertRefused(answer: Answer): void {
  assert.deepEqual([answer.status, answer.text, cookiesOf(answer)], [404, refusal.text, []])
}

test('a key is exchanged for a cookie that counts under /webview only, and a clean address', async () => {
  const answer = await get(`/webview/${await newKey()}`)
  const session = sessionOf(answer)
  const [cookie, device] = cookiesOf(answer)
  assert.equal(cookie, `${session}; Path=/webview; HttpOnly; Secure; SameSite=Lax`)
  assert.match(
    device ?? '',
    /^ingot_device=[\w-]{43}; Path=\/webview; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.deepEqual([answer.headers.get('location'), answer.text], ['/webview', ''])
  for (const path of ['/webview', '/webview/']) {
    assert.equal((await get(path, { cookie: session })).status, 200)
  }
})

test('every page of a session is the same document, and says nothing of the person', async () => {
  const cookie = await enter(await newKey())
  for (const path of ['', ...WEB_VIEW_PAGES.map((page) => `/${page}`)]) {
    const { status, text } = await get(`/webview${path}`, { cookie })
    assert.equal(status, 200, path)
    assert.match(
      text,
      /<html lang="ko" data-base="" data-mode="webview" data-sandbox="true" data-contact="[^"]+">/,
    )
    assert.doesNotMatch(text, /홍|19900131|01098765432|한빛|style="/)
    assert.equal((await get(`/webview${path}`)).status, 401, path)
  }
  // What is done on our own site only says so, and where.
  for (const page of ['login', 'signup', 'recover', 'withdraw', 'stop']) {
    const { status, text } = await get(`/webview/${page}`, { cookie })
    assert.equal(status, 200, page)
    assert.ok(text.includes(`/${page}`) && !text.includes('<form'), page)
  }
})

const LANGUAGES: [accept: string, query: string, language: string][] = [
  ['', '', 'ko'],
  ['en-US,en;q=0.9,ko;q=0.8', '', 'en'],
  ['fr, ko;q=0.4, en;q=0.5', '', 'en'],
  ['en;q=0, ko;q=0.1', '', 'ko'],
  ['de', '', 'ko'],
  ['ko', '?lang=en', 'en'],
  ['en', '?lang=ko', 'ko'],
  ['en', '?lang=xx', 'en'],
  ['en', '?lang=ko&lang=en', 'en'],
]
test('the language: chosen, else preferred, else Korean', async () => {
  const cookie = await enter(await newKey())
  for (const [accept, query, language] of LANGUAGES) {
    for (const path of ['/webview', '/webview/unknown']) {
      const { text } = await get(path + query, { cookie, 'accept-language': accept })
      assert.match(text, new RegExp(`<html lang="${language}"`), `${accept} ${query}`)
    }
  }
  const entered = await get(`/webview/${await newKey()}?lang=en`)
  assert.equal(entered.headers.get('location'), '/webview?lang=en')
})

test('every answer is guarded, whatever it is', async () => {
  const cookie = await enter(await newKey())
  const answers = [
    await get(`/webview/${await newKey()}`),
    await visit(cookie),
    await get('/webview'),
    await get('/webview/unknown'),
    await get('/webview/%ZZ'),
    await get('/webview/a/b'),
    await call(`${service.url}/webview/unknown`, { method: 'HEAD' }),
    await call(`${service.url}/webview`, { method: 'DELETE' }),
  ]
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [303, 200, 401, 404, 404, 404, 204, 405],
  )
  for (const { headers } of answers) {
    assert.deepEqual(
      ['cache-control', 'referrer-policy', 'x-content-type-options'].map((name) => headers.get(name)),
      ['no-store', 'no-referrer', 'nosniff'],
    )
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; (?:style-src 'sha256-[^']+'; form-action 'self'|script-src 'self'; style-src 'self'; .*form-action 'none'); base-uri 'none'; frame-ancestors 'none'$/,
    )
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
  }
})

test('a proxy may serve us under a path of its own', async () => {
  const at = await startService({
    beside: service,
    environment: { PUBLIC_URL: 'https://gold.example/app/' },
  })
  const answer = await get(`/webview/${await newKey()}`, {}, at)
  const cookie = sessionOf(answer)
  assert.match(
    cookiesOf(answer)[0]!,
    /^__Secure-ingot_webview=.*; Path=\/app\/webview; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.equal(answer.headers.get('location'), '/app/webview')
  const page = await get('/webview?lang=en', { cookie }, at)
  assert.match(page.text, /<html lang="en" data-base="\/app" data-mode="webview"/)
  const left = await call(`${at.url}/webview/member/logout`, {
    method: 'POST',
    headers: { cookie, origin: 'https://gold.example' },
  })
  assert.equal(left.status, 204)
  assert.ok(cookiesOf(left).every((gone) => gone.includes('; Path=/app/webview; Max-Age=0;')))
})

test('a sandbox that a phone reaches over plain http: the cookie is one that the phone keeps', async () => {
  const answers: string[] = []
  for (const PUBLIC_URL of ['http://192.0.2.7:3000', 'http://localhost:3000', 'http://0.0.0.0:3000']) {
    const at = await startService({ beside: service, environment: { PUBLIC_URL } })
    answers.push(cookiesOf(await get(`/webview/${await newKey()}`, {}, at))[0]!.replace(/^[^;]*; /, ''))
  }
  assert.deepEqual(answers, [
    'Path=/webview; HttpOnly; SameSite=Lax',
    'Path=/webview; HttpOnly; Secure; SameSite=Lax',
    'Path=/webview; HttpOnly; Secure; SameSite=Lax',
  ])
})

test('in a frame of a partner that has a list: a partitioned cookie, and the list in the policy', async () => {
  const frameAncestors = ['https://shop.example', 'https://*.shop.example']
  const framing = await service.addPartner({ frameAncestors })
  const link = await addLink(service, framing)
  const inFrame = { 'sec-fetch-dest': 'iframe' }
  const key = await newKey(link)
  const answer = await get(`/webview/${key}`, inFrame)
  const cookie = sessionOf(answer)
  assert.match(cookiesOf(answer)[0]!, /; Path=\/webview; HttpOnly; Secure; SameSite=None; Partitioned$/)
  assert.match(cookiesOf(await get(`/webview/${key}`))[0]!, /SameSite=Lax$/)
  assert.match(cookiesOf(await get(`/webview/${await newKey()}`, inFrame))[0]!, /SameSite=Lax$/)

  const listed = async (answered: Answer | Promise<Answer>) =>
    (await answered).headers.get('content-security-policy')?.split('frame-ancestors ')[1]
  const list = frameAncestors.join(' ')
  assert.equal(await listed(visit(cookie)), list)
  await setStatus(framing, 'suspended')
  assert.equal(await listed(visit(cookie)), list, 'an ended visit still knows whose frame it is in')
  assert.equal(await listed(get(`/webview/${key}`)), list, 'so does a dead key')
  assert.equal(await listed(get('/webview/unknown')), "'none'")
})

test('a key may be used again within its hour; every entry is a new session and ends the one before', async () => {
  const key = await newKey()
  const first = await enter(key)
  const second = await enter(key, { cookie: first })
  assert.notEqual(first, second)
  assert.deepEqual([(await visit(first)).status, (await visit(second)).status], [401, 200])
  const third = await enter(key)
  assert.deepEqual([(await visit(second)).status, (await visit(third)).status], [200, 200])
})

test('a key that does not open ends nothing', async () => {
  const cookie = await enter(await newKey())
  assertRefused(await get(`/webview/${randomBytes(32).toString('base64url')}`, { cookie }))
  assert.equal((await visit(cookie)).status, 200)
})

test('an address inside the web view that there is not is no expired link: the way back is to its pages', async () => {
  const cookie = await enter(await newKey())
  for (const path of ['/webview/nope', '/webview/trade/platinum']) {
    const { status, text } = await get(path, { cookie })
    assert.equal(status, 404, path)
    assert.ok(text.includes('찾을 수 없는 페이지예요') && !text.includes('만료'), path)
    assert.ok(text.includes('<a class="button main" href="/webview">'), path)
    assert.ok(text.includes('href="/webview/terms?lang=ko"'), path)
  }
  assert.ok(refusal.text.includes('사업자 정보'))
})

test('of two sessions in one request neither counts, until an entry ends them', async () => {
  const planted = await enter(await newKey(await addLink(service, partner, { name: '나쁜놈' })))
  const own = await enter(await newKey())
  assert.equal((await visit(`${planted}; ${own}`)).status, 401)
  const fresh = await enter(await newKey(), { cookie: `${planted}; ${own}` })
  assert.equal((await visit(`${planted}; ${fresh}`)).status, 200)
  assert.equal((await visit(`x=1; ingot_webview=short; ${fresh}; ingot_webview=`)).status, 200)
})

test('single use: of twenty at once exactly one enters', async () => {
  for (let round = 0; round < 5; round += 1) {
    const key = await newKey(onceLink)
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(`/webview/${key}`)))
    const entered = answers.filter((answer) => answer.status === 303)
    assert.equal(entered.length, 1)
    sessionOf(entered[0]!)
    for (const answer of answers) if (answer !== entered[0]) assertRefused(answer)
  }
})

const AHEAD: Headers[] = [
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'prefetch' },
  { 'x-purpose': 'preview' },
  { 'x-moz': 'prefetch' },
]
test('HEAD and whoever asks ahead use up nothing and begin nothing', async () => {
  const key = await newKey(onceLink)
  const sessions = await count('select count(*) from web_session')
  for (const path of [`/webview/${key}`, '/webview']) {
    const head = await call(`${service.url}${path}`, { method: 'HEAD', redirect: 'manual' })
    const answers = [head, ...(await Promise.all(AHEAD.map((headers) => get(path, headers))))]
    for (const { status, text, headers } of answers) {
      assert.deepEqual([status, text, headers.getSetCookie()], [204, '', []])
    }
  }
  assert.equal(await count('select count(*) from web_session'), sessions)
  const cookie = await enter(key)
  const seen = 'select extract(epoch from max(seen_at)) as count from web_session'
  const before = await count(seen)
  await get('/webview', { cookie, 'sec-purpose': 'prefetch' })
  assert.equal(await count(seen), before)
})

const MALFORMED = [
  'x',
  randomBytes(32).toString('base64url'),
  randomBytes(32).toString('hex'),
  `${randomBytes(32).toString('base64url')}/`,
  `${randomBytes(32).toString('base64url')}=`,
  'a'.repeat(2_000),
  '%00',
  '%ZZ',
  '%E0%A4%A',
  "'%20or%201=1--",
  '..%2f..%2fetc',
  encodeURIComponent('<script>alert(1)</script>'),
]
for (const key of MALFORMED) {
  test(`one page for every key that does not open: ${key.slice(0, 20)}`, async () =>
    assertRefused(await get(`/webview/${key}`)))
}

test('that page speaks both languages and says what to do', () => {
  assert.ok(refusal.text.includes('이용하던 앱으로 돌아가서 다시 열어 주세요'))
  assert.ok(refusal.text.includes('<section class="other" lang="en">'))
  assert.ok(refusal.text.includes('Go back to the app you came from'))
})

test('a suspended link: its keys and its sessions end at once, and for good', async () => {
  const link = await addLink(service, partner)
  const key = await newKey(link)
  const cookie = await enter(key)
  const set = (status: 'active' | 'suspended') =>
    setUserStatusOf(database, { ...link, status, reason: 'test', actor: 'test' })
  await set('suspended')
  assertRefused(await get(`/webview/${key}`))
  assert.equal((await visit(cookie)).status, 401)
  await set('active')
  assertRefused(await get(`/webview/${key}`))
  assert.equal((await visit(cookie)).status, 401)
  assert.equal((await visit(await enter(await newKey(link)))).status, 200)
})

test('a suspended partner: likewise, until it is back', async () => {
  const other = await service.addPartner()
  const link = await addLink(service, other)
  const key = await newKey(link)
  const cookie = await enter(key)
  await setStatus(other, 'suspended')
  assertRefused(await get(`/webview/${key}`))
  assert.equal((await visit(cookie)).status, 401)
  await setStatus(other, 'active')
  assert.equal((await visit(cookie)).status, 200)
})

const OTHERS: [name: string, headers: Headers, status: number][] = [
  ['no browser', {}, 204],
  ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a sibling of ours', { 'sec-fetch-site': 'same-site' }, 403],
  ['another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'OURS' }, 403],
  ['an old browser on another site', { origin: 'https://evil.example' }, 403],
  ['an old browser that hides its site', { origin: 'null' }, 403],
  ['an old browser on our page', { origin: 'OURS' }, 204],
  ['our page', { 'sec-fetch-site': 'same-origin' }, 204],
]
for (const [name, headers, status] of OTHERS) {
  test(`signing out: ${name}, ${status}`, async () => {
    const cookie = await enter(await newKey())
    const origin = headers.origin?.replace('OURS', service.url)
    const answer = await call(`${service.url}/webview/member/logout`, {
      method: 'POST',
      headers: { ...headers, ...(origin ? { origin } : {}), cookie },
    })
    assert.equal(answer.status, status)
    assert.equal((await visit(cookie)).status, status === 403 ? 200 : 401)
    if (status === 403) return assert.deepEqual(cookiesOf(answer), [])
    assert.deepEqual(cookiesOf(answer), [
      'ingot_webview=; Path=/webview; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
      'ingot_webview=; Path=/webview; Max-Age=0; HttpOnly; Secure; SameSite=None; Partitioned',
    ])
  })
}

test('the farewell, when the page that said it is loaded again', async () => {
  const farewell = await get('/webview?left')
  assert.deepEqual([farewell.status, farewell.text.includes('로그아웃했어요')], [200, true])
})

test('a database that is away: a page, and when to come again', async () => {
  const key = await newKey()
  const cookie = await enter(key)
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table hash_key, web_session in exclusive mode')
    const answers = await Promise.all([get(`/webview/${key}`), visit(cookie)])
    for (const { status, headers, text } of answers) {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.match(headers.get('x-request-id') ?? '', /^req_/)
      assert.match(text, /조금 뒤에 다시 시도해 주세요[\s\S]+Please try again shortly/)
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
  assert.equal((await visit(cookie)).status, 200)
})

// From here on the clock moves, and every earlier session with it.
test('a key lives for 3,600 s from its issuance', async () => {
  const key = await newKey()
  await travel(3_590)
  await enter(key)
  await travel(10)
  assertRefused(await get(`/webview/${key}`))
})

test('a session ends after 30 minutes idle; each visit renews it', async () => {
  const cookie = await enter(await newKey())
  for (let i = 0; i < 3; i += 1) {
    await travel(1_790)
    assert.equal((await visit(cookie)).status, 200)
  }
  await travel(1_800)
  const answer = await visit(cookie)
  assert.equal(answer.status, 401)
  assert.match(answer.text, /로그아웃됐어요[\s\S]+You are signed out/)
  assert.equal((await visit(cookie)).status, 401, 'and stays so')
})

test('a session ends after 8 hours, however busy', async () => {
  const cookie = await enter(await newKey())
  for (let minutes = 0; minutes < 8 * 60 - 20; minutes += 20) {
    await travel(20 * 60)
    assert.equal((await visit(cookie)).status, 200, `${minutes}`)
  }
  await travel(20 * 60)
  assert.equal((await visit(cookie)).status, 401)
})

test('the log says why, and names nobody', () => {
  const events = service.log.map((line) => JSON.parse(line))
  const reasons = new Set(events.flatMap((e) => (e.event === 'web view refused' ? e.reason : [])))
  assert.deepEqual([...reasons].sort(), [
    'expired',
    'link_suspended',
    'partner_suspended',
    'revoked',
    'unknown',
    'used',
  ])
  assert.ok(events.some((e) => e.event === 'web view entered' && e.partner === partner.partner.code))
  assert.ok(events.some((e) => e.route === '/webview/:hashKey' && e.status === 303))
})

test('no key and no session id is in the log or in the tables', async () => {
  const tables = ['hash_key', 'web_session', 'audit_entry', 'partner_user', 'member']
  const rows = await Promise.all(
    tables.map((table) => database.pool.query(`select t::text as row from ${table} t`)),
  )
  const kept = [...service.log, ...rows.flatMap((result) => result.rows.map(({ row }) => row))].join('\n')
  assert.ok(secrets.size > 50 && kept.includes('web view entered'))
  for (const secret of secrets) {
    const bytes = Buffer.from(secret, 'base64url').toString('hex')
    assertHides(kept, [secret, bytes, Buffer.from(secret).toString('hex')])
  }
  assertHides(kept, ['홍길동', '홍*동'])
})

test('what has long been dead is forgotten', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const live = await newKey()
  const cookie = await enter(live)
  await travel(20 * 60)
  await forgetOldLogins({ database, log })
  assert.equal((await visit(cookie)).status, 200)
  await travel(24 * 3600 + 60)
  await forgetOldLogins({ database, log })
  assert.equal(await count('select count(*) from hash_key'), 0)
  assert.equal(await count('select count(*) from web_session'), 0)
})
