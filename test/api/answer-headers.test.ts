import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { sendAsWritten, sendBytes } from '#test/hostile.ts'
import { addMember, Browser } from '#test/member.ts'
import { ASSET, HASH, SIGNUP } from '#test/people.ts'
import { BUY, startService, type TestService } from '#test/service.ts'

const PUBLIC = 'https://ingot.example'
const sandbox = await startService({ environment: { PUBLIC_URL: PUBLIC } })
const liveAt = async (PUBLIC_URL: string) => {
  const service = await startService({
    environment: { ...LIVE_PROVIDERS, INGOT_MODE: 'live', KEY_RING_FILE: 'unused', PUBLIC_URL },
  })
  await sql`update installation set mode = 'live'`.execute(service.database.db)
  return service
}
const live = await liveAt(PUBLIC)
const plainLive = await liveAt('http://ingot.example')

const ask = ({ url }: TestService, method: string, path: string, headers = {}, body?: string) =>
  sendAsWritten(url, { method, path, headers, body })

// Of every kind there is: pages, files, documents, answers, refusals of each layer.
const ANSWERS: [method: string, path: string, headers?: Record<string, string>, body?: string][] = [
  ['GET', '/'],
  ['GET', '/login'],
  ['GET', '/favicon.ico'],
  ['GET', '/static/icon.svg'],
  ['GET', '/static/nothing.js'],
  ['GET', '/docs'],
  ['GET', '/docs/'],
  ['GET', '/docs/js/scalar.js'],
  ['GET', '/openapi.json'],
  ['GET', '/member/openapi.json'],
  ['GET', '/errors/conflict'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['HEAD', '/healthz'],
  ['OPTIONS', '/healthz'],
  ['PUT', '/healthz'],
  ['PROPFIND', '/healthz'],
  ['GET', '/nowhere'],
  ['GET', '/%'],
  ['GET', '/webview/%'],
  ['GET', '/webview/nothing'],
  ['GET', '/webview'],
  ['GET', '/dev/inbox'],
  ['GET', '/dev/inbox.json'],
  ['POST', '/hooks/solapi'],
  ['GET', `${ASSET}?source=x&partnerKey=x`],
  ['POST', SIGNUP, { 'content-type': 'application/json' }, '{}'],
  ['POST', HASH, { 'content-type': 'text/plain' }, 'x'],
  ['POST', BUY],
  ['GET', `${BUY}/x`],
  ['GET', '/v2/partner/usage'],
  ['DELETE', '/v2/partner/usage'],
  ['GET', '/v2/nowhere'],
  ['GET', '/member/session'],
  ['POST', '/member/login', { 'content-type': 'application/json' }, 'x'],
  ['POST', '/webview/member/logout'],
  ['GET', '/member/prices'],
]
const PRIVATE = /^\/(?:v1|v2|member|webview|dev)\b/

test('every answer is nosniff; those about anybody are kept by nobody', async () => {
  for (const service of [sandbox, live]) {
    for (const [method, path, headers, body] of ANSWERS) {
      const answer = await ask(service, method, path, headers, body)
      const label = `${method} ${path} ${answer.status}`
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', label)
      assert.match(String(answer.headers['x-request-id']), /^req_/, label)
      if (PRIVATE.test(path)) assert.equal(answer.headers['cache-control'], 'no-store', label)
    }
  }
})

test('strict transport security in live under https, on every answer, and nowhere else', async () => {
  for (const [method, path, headers, body] of ANSWERS) {
    const of = async (service: TestService) =>
      (await ask(service, method, path, headers, body)).headers['strict-transport-security']
    const told = [await of(live), await of(sandbox), await of(plainLive)]
    assert.deepEqual(told, ['max-age=31536000', undefined, undefined], `${method} ${path}`)
  }
})

test('what never becomes a request is answered with the same', async () => {
  const answer = await sendBytes(live.url, 'HELLO\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 /)
  for (const header of ['x-content-type-options: nosniff', 'strict-transport-security: max-age=31536000'])
    assert.ok(answer.includes(`\r\n${header}\r\n`), header)
})

test('in live a change that carries a cookie names our origin, to the letter', async () => {
  const CASES: [headers: Record<string, string>, status: number][] = [
    [{ cookie: 'a=1', origin: PUBLIC }, 204],
    [{ cookie: 'a=1', origin: PUBLIC, 'sec-fetch-site': 'same-origin' }, 204],
    [{ cookie: 'a=1' }, 403],
    [{ cookie: 'a=1', 'sec-fetch-site': 'same-origin' }, 403],
    [{ cookie: 'a=1', origin: 'null', 'sec-fetch-site': 'same-origin' }, 403],
    [{ cookie: 'a=1', origin: `${PUBLIC}:443` }, 403],
    [{ cookie: 'a=1', origin: `${PUBLIC}/` }, 403],
    [{ cookie: 'a=1', origin: PUBLIC.toUpperCase() }, 403],
    [{ cookie: 'a=1', origin: 'http://ingot.example' }, 403],
    [{ cookie: 'a=1', origin: 'https://www.ingot.example' }, 403],
    [{ cookie: 'a=1', origin: live.url }, 403],
    [{ cookie: 'a=1', origin: PUBLIC, 'sec-fetch-site': 'cross-site' }, 403],
    [{}, 204],
    [{ origin: PUBLIC }, 204],
    [{ origin: 'https://evil.example' }, 403],
  ]
  for (const path of ['/member/logout', '/webview/member/logout']) {
    for (const [headers, status] of CASES) {
      assert.equal((await ask(live, 'POST', path, headers)).status, status, JSON.stringify(headers))
    }
  }
})

test('a sandbox takes a cookie from a command line too', async () => {
  const { browser } = await addMember(sandbox)
  const curl = new Browser(sandbox.url, '/member', { 'sec-fetch-site': 'same-origin' })
  for (const [name, value] of browser.cookies) curl.cookies.set(name, value)
  assert.equal((await curl.post('/profile', { marketing: true })).status, 200)
})

test('methods that nobody uses share one label', async () => {
  for (const method of ['PROPFIND', 'MKCOL', 'LOCK', 'PURGE']) await ask(sandbox, method, '/nowhere')
  const { text } = await ask(sandbox, 'GET', '/metrics')
  const labels = new Set(
    [...text.matchAll(/ingot_http_request_seconds_count\{.*method="(\w+)"/g)].map(([, one]) => one),
  )
  const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER']
  assert.ok(labels.has('OTHER'))
  assert.deepEqual([...labels.difference(new Set(known))], [])
})
