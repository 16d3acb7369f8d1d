import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLegalTexts, requireOperator } from '#app/operator.ts'
import { readConfig } from '#app/settings/config.ts'
import { LIVE_OPERATOR, LIVE_PROVIDERS } from '#test/deliveries.ts'
import { AGREED, addMember, newPerson, PASSWORD, verify } from '#test/member.ts'
import { temporaryFolder } from '#test/process.ts'
import { call, startService } from '#test/service.ts'

const folder = temporaryFolder()
const own = join(folder.path, 'terms')
mkdirSync(own)
const TEXTS = {
  'terms.2020-01-01.ko.md': '# 옛 약관\n\n{{name}}',
  'terms.2025-01-01.ko.md': '# 새 약관\n\n<script>{{name}}</script>\n\n- 하나\n- 둘',
  'terms.2025-01-01.en.md': '# New terms\n\n{{name}}',
  'terms.2999-01-01.ko.md': '# 다음 약관\n\n{{name}}',
  'terms.2999-01-01.en.md': '# Next terms\n\n{{name}}',
  'privacy.2024-05-05.ko.md': '# 방침\n\n{{privacyOfficer}}',
  'privacy.2024-05-05.en.md': '# Policy\n\n{{privacyOfficer}}',
}
for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(own, name), text)

const { url, database } = await startService({
  environment: { OPERATOR_NAME: 'Gold & "Silver" \'Co\'', OPERATOR_TERMS_DIR: own },
})
const page = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await call(url + path, { headers: { accept: 'text/html', ...headers } })
  return { ...answer, title: /<h1[^>]*>(.*?)<\/h1>/.exec(answer.text)?.[1] }
}

test('terms: the version in force, former ones and those to come, in both languages', async () => {
  for (const [path, title, state] of [
    ['/terms', '새 약관', '지금 시행 중이에요'],
    ['/terms/2025-01-01', '새 약관', '지금 시행 중이에요'],
    ['/terms/2020-01-01', '옛 약관', '지난 버전이에요'],
    ['/terms/2999-01-01', '다음 약관', '시행 예정이에요'],
    ['/terms?lang=en', 'New terms', 'In force now'],
    ['/terms/2020-01-01?lang=en', '옛 약관', 'A former version'],
    ['/privacy', '방침', '지금 시행 중이에요'],
    ['/webview/terms', '새 약관', '지금 시행 중이에요'],
  ] as const) {
    const answer = await page(path)
    assert.deepEqual([answer.status, answer.title], [200, title], path)
    assert.ok(answer.text.includes(state), path)
    assert.doesNotMatch(answer.text, />[^<]*\d{4}-\d\d-\d\d[^<]*</, path)
    assert.match(answer.text, /<details open>/, path)
    assert.match(answer.text, /<a href="\/(?:assets|webview)">(?:내 자산|My assets)<\/a>/, path)
  }
  assert.ok((await page('/terms')).text.includes('시행일 2025년 1월 1일'))
  for (const path of ['/terms/2021-01-01', '/terms/x', '/privacy/2025-01-01', '/webview/terms/2021-01-01']) {
    assert.equal((await page(path)).status, 404, path)
  }
})

test('what an operator wrote is text, never HTML', async () => {
  const { text, headers } = await page('/terms')
  assert.ok(text.includes('&lt;script&gt;Gold &amp; &quot;Silver&quot; &#39;Co&#39;&lt;/script&gt;'))
  assert.ok(!text.includes('<script'))
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
})

test('every page says who runs the service; in a sandbox that it is a sample', async () => {
  for (const path of ['/', '/assets', '/protection', '/nothing']) {
    const { text } = await page(path)
    for (const part of [
      'Gold &amp; &quot;Silver&quot;',
      '대표</dt> <dd>(예시)',
      '123-45-67891',
      '연습용 예시예요',
      'href="/privacy?lang=ko"',
    ]) {
      assert.ok(text.includes(part), `${path}: ${part}`)
    }
  }
})

test('a consent names the version that was shown; another than that in force is a conflict', async () => {
  assert.deepEqual((await call(`${url}/member/terms`)).body, { terms: '2025-01-01', privacy: '2024-05-05' })
  const consents = async () =>
    (
      await database.pool.query('select terms_id, version from member_consent order by id desc limit 3')
    ).rows.map(({ terms_id, version }) => [terms_id, version])
  // A page that names no version has shown none that could be recorded.
  const { browser } = await addMember({ url })
  assert.deepEqual(await consents(), [
    ['marketing', null],
    ['privacy', null],
    ['service', null],
  ])
  const verificationId = await verify(browser, 'sign_up', newPerson())
  const body = { verificationId, loginId: 'another1', password: PASSWORD, agreed: AGREED }
  for (const [versions, status] of [
    [{ terms: '2020-01-01', privacy: '2024-05-05' }, 409],
    [{ terms: '2999-01-01', privacy: '2024-05-05' }, 409],
    [{ terms: 'x', privacy: '2024-05-05' }, 400],
    [{ terms: '2025-01-01', privacy: '2024-05-05' }, 200],
  ] as const) {
    assert.equal((await browser.post('/signup', { ...body, versions })).status, status, versions.terms)
  }
  assert.deepEqual(await consents(), [
    ['marketing', null],
    ['privacy', '2024-05-05'],
    ['service', '2025-01-01'],
  ])
})

const VISIT = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const visit = (path: string, headers: Record<string, string> = VISIT) =>
  fetch(url + path, { redirect: 'manual', headers })

test('capitals and a slash at the end lead to the page that was meant, with its query, and nowhere else', async () => {
  for (const [path, to] of [
    ['/assets/', '/assets'],
    ['/Assets', '/assets'],
    ['/TRADE/Gold//?side=buy&lang=en', '/trade/gold?side=buy&lang=en'],
    ['/terms/2025-01-01/', '/terms/2025-01-01'],
    ['//', '/'],
    ['/webview/Assets', '/webview/assets'],
    ['/webview/history/?lang=en', '/webview/history?lang=en'],
    ['/WEBVIEW/', '/webview'],
  ] as const) {
    const answer = await visit(path)
    assert.deepEqual([answer.status, answer.headers.get('location')], [301, to], path)
  }
})

test('an unknown path is a page for somebody at a browser', async () => {
  for (const path of [
    '/nothing',
    '//evil.example',
    '//evil.example/assets/',
    '/\\\\evil.example',
    '/assets/x',
    '/%zz',
    '/members',
    '/terms/2021-01-01',
  ]) {
    const answer = await visit(path)
    const text = await answer.text()
    assert.equal(answer.status, 404, path)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, path)
    assert.equal(answer.headers.get('location'), null)
    assert.ok(text.includes('찾을 수 없는 페이지예요') && text.includes('There is no such page'), path)
    assert.ok(!text.includes('evil'), path)
  }
})

test('programs get JSON, and so does everyone at an API', async () => {
  const paths = [
    '/v1/x',
    '/V1/',
    '/v2/partner/',
    '/member/x',
    '/member/Session',
    '/webview/member/x',
    '/hooks/x',
  ]
  for (const path of [
    ...paths,
    '/dev/inbox/',
    '/metrics/',
    '/healthz/',
    '/Readyz',
    '/static/x',
    '/errors/x',
  ]) {
    const answer = await visit(path)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, path)
    assert.deepEqual([answer.status, await answer.text()], [404, '{"error":"Not found"}'], path)
  }
  for (const path of ['/nothing', '/Assets', '/assets/']) {
    const answer = await visit(path, { accept: 'application/json' })
    assert.deepEqual([answer.status, await answer.text()], [404, '{"error":"Not found"}'], path)
  }
  const post = await fetch(`${url}/Assets`, { method: 'POST', headers: VISIT })
  assert.deepEqual([post.status, await post.text()], [404, '{"error":"Not found"}'])
})

test("what is not done inside a partner's app says where it is done", async () => {
  for (const [path, title, address] of [
    ['withdraw', '출금은 이 앱 안에서 할 수 없어요', '/withdraw'],
    ['login', '가입, 로그인, 계정 찾기와 출금 멈추기는 이 앱 안에서 할 수 없어요', '/login'],
    ['signup', '가입, 로그인, 계정 찾기와 출금 멈추기는 이 앱 안에서 할 수 없어요', '/signup'],
    ['recover', '가입, 로그인, 계정 찾기와 출금 멈추기는 이 앱 안에서 할 수 없어요', '/recover'],
    ['stop', '가입, 로그인, 계정 찾기와 출금 멈추기는 이 앱 안에서 할 수 없어요', '/stop'],
  ] as const) {
    const answer = await page(`/webview/${path}`)
    assert.deepEqual([answer.status, answer.title], [200, title], path)
    assert.ok(answer.text.includes(`http://127.0.0.1:`) && answer.text.includes(`${address} 주소`), path)
  }
})

const live = { ...LIVE_PROVIDERS, INGOT_MODE: 'live', KEY_RING_FILE: 'x', DATA_DIR: folder.path }

test('live names every setting that is missing, and other commands need none', () => {
  const names = Object.keys(LIVE_OPERATOR).filter((name) => !name.endsWith('_EN'))
  const without = Object.fromEntries(Object.entries(live).filter(([name]) => !name.startsWith('OPERATOR_')))
  const config = readConfig(without)
  assert.throws(
    () => requireOperator(config),
    (error: Error) => names.every((name) => error.message.includes(name)) && names.length === 11,
  )
  requireOperator(readConfig(live))
  requireOperator(readConfig({}))
})

for (const [name, value] of [
  ['OPERATOR_BUSINESS_NUMBER', '220-81-62518'],
  ['OPERATOR_EMAIL', 'nobody'],
  ['OPERATOR_PHONE', 'ask me'],
  ['OPERATOR_NAME', 'a\nb'],
  ['OPERATOR_NAME_EN', '<b>'],
  ['OPERATOR_ADDRESS', 'x'.repeat(201)],
] as const) {
  test(`${name} is refused by name: ${value.slice(0, 20)}`, () => {
    assert.throws(() => readConfig({ ...live, [name]: value }), new RegExp(`^Error: ${name}: `))
  })
}

for (const [what, change, why] of [
  ['a stray file', { 'notes.txt': 'x' }, /has notes.txt/],
  ['no title', { 'terms.2026-01-01.ko.md': 'x' }, /does not begin with/],
  ['no such day', { 'terms.2026-02-30.ko.md': '# x' }, /no such day/],
  ['a placeholder that names nothing', { 'terms.2025-01-01.ko.md': '# x\n\n{{nmae}}' }, /no {{nmae}}/],
  ['no Korean', { 'terms.2026-01-01.en.md': '# x' }, /has no terms.2026-01-01.ko.md/],
  ['no English of the newest', { 'privacy.2026-01-01.ko.md': '# x' }, /no English privacy/],
  ['bytes that are no text', { 'terms.2025-01-01.ko.md': Buffer.from([35, 32, 255]) }, /not UTF-8/],
] as const) {
  test(`terms are checked at the start: ${what}`, () => {
    const place = join(folder.path, 'bad')
    mkdirSync(place)
    for (const [name, text] of Object.entries({ ...TEXTS, ...change })) writeFileSync(join(place, name), text)
    const config = readConfig({ OPERATOR_TERMS_DIR: place })
    assert.throws(
      () => readLegalTexts(config),
      (error: Error) => why.test(error.message),
    )
    rmSync(place, { recursive: true })
  })
}

test('terms that are not there stop the start too', () => {
  const config = readConfig({ OPERATOR_TERMS_DIR: join(folder.path, 'nowhere') })
  assert.throws(() => readLegalTexts(config), /^Error: OPERATOR_TERMS_DIR: cannot be read/)
  folder.remove()
})
