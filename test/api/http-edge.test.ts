import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS } from '#edge/http/errors.ts'
import { sendBytes } from '#test/hostile.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

// HTTP as no library writes it: what is answered, in our shape, and with nothing done that somebody else was asked for.
const service = await startService()
const { url } = service
const { key, get } = await service.addPartner()
const other = await service.addPartner()

const body = JSON.stringify({ phoneNumber: PHONE, amount: 1 })
const HOST = 'Host: x\r\nConnection: close\r\n'
const AUTH = `Authorization: Bearer ${key}\r\n`
const JSON_TYPE = 'Content-Type: application/json\r\n'
const LENGTH = `Content-Length: ${body.length}\r\n`
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n'
const USAGE = '/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31'
const buy = (headers: string, sent = body) => `POST ${BUY} HTTP/1.1\r\n${HOST}${headers}\r\n${sent}`

const CASES: [what: string, status: number, bytes: string][] = [
  ['a method in small letters', 400, `get /healthz HTTP/1.1\r\n${HOST}\r\n`],
  ['a method that nobody knows', 400, `FETCH /healthz HTTP/1.1\r\n${HOST}\r\n`],
  ['TRACE', 405, `TRACE /healthz HTTP/1.1\r\n${HOST}\r\n`],
  ['OPTIONS of everything', 405, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  ['OPTIONS of a route', 405, `OPTIONS ${BUY} HTTP/1.1\r\n${HOST}\r\n`],
  ['a method that is for files', 405, `UNLINK ${BUY} HTTP/1.1\r\n${HOST}\r\n`],
  ['the same on an unknown path', 404, `UNLINK /v2/nothing HTTP/1.1\r\n${HOST}\r\n`],
  ['a method of WebDAV', 405, `PROPFIND /member/session HTTP/1.1\r\n${HOST}\r\n`],
  ['the same on an unknown path of a scope', 404, `PROPFIND /console/api/nothing HTTP/1.1\r\n${HOST}\r\n`],
  ['HEAD where there is only POST', 405, `HEAD ${BUY} HTTP/1.1\r\n${HOST}\r\n`],
  ['HEAD of an unknown path', 404, `HEAD /v2/nothing HTTP/1.1\r\n${HOST}\r\n`],
  ['HEAD without a key', 401, `HEAD ${USAGE} HTTP/1.1\r\n${HOST}\r\n`],
  ['HEAD with a key', 200, `HEAD ${USAGE} HTTP/1.1\r\n${HOST}${AUTH}\r\n`],
  ['a whole address', 200, `GET http://ingot.example/healthz HTTP/1.1\r\n${HOST}\r\n`],
  ['the first version of HTTP', 200, 'GET /healthz\r\n\r\n'],
  ['a version to come', 400, `GET /healthz HTTP/1.2\r\n${HOST}\r\n`],
  ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  [
    'an upgrade',
    200,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
  ],
  ['two hosts', 400, `GET /healthz HTTP/1.1\r\nHost: y\r\n${HOST}\r\n`],
  ['two keys', 400, `GET ${USAGE} HTTP/1.1\r\n${HOST}${AUTH}Authorization: Bearer ${other.key}\r\n\r\n`],
  ['the same key twice', 400, `GET ${USAGE} HTTP/1.1\r\n${HOST}${AUTH}${AUTH}\r\n`],
  ['two types', 400, buy(`${AUTH}${JSON_TYPE}Content-Type: text/plain\r\n${LENGTH}`)],
  [
    'two idempotency keys',
    400,
    buy(`${AUTH}${JSON_TYPE}${LENGTH}Idempotency-Key: a\r\nidempotency-key: b\r\n`),
  ],
  [
    'two origins',
    400,
    `POST /member/logout HTTP/1.1\r\n${HOST}Origin: ${url}\r\nOrigin: https://evil.example\r\n\r\n`,
  ],
  ['two lengths', 400, buy(`${AUTH}${JSON_TYPE}${LENGTH}Content-Length: 3\r\n`)],
  ['a length and chunks', 400, buy(`${AUTH}${JSON_TYPE}${LENGTH}Transfer-Encoding: chunked\r\n`)],
  ['packed chunks', 400, buy(`${AUTH}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n`, '0\r\n\r\n')],
  ['a negative length', 400, buy(`${AUTH}${JSON_TYPE}Content-Length: -1\r\n`)],
  // What is wrong with a body says nothing about a path that is not there, or does not take it.
  ...(['/v2/nothing', '/member/nothing', '/console/api/nothing'].flatMap((path) => [
    [`a form to ${path}`, 404, `POST ${path} HTTP/1.1\r\n${HOST}${FORM}\r\na=1`],
    [
      `half of a body to ${path}`,
      404,
      `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1\r\n\r\n{`,
    ],
  ]) as [string, number, string][]),
  ['a form by a wrong method', 405, `PUT ${BUY} HTTP/1.1\r\n${HOST}${FORM}\r\na=1`],
  [
    'too much by a wrong method',
    405,
    `PUT ${BUY} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 20000\r\n\r\n${'a'.repeat(20_000)}`,
  ],
  ['no type', 415, buy(`${AUTH}${LENGTH}`)],
  ['a folded header', 400, `GET /healthz HTTP/1.1\r\n${HOST}X-A: a\r\n b\r\n\r\n`],
  ['a zero byte', 400, `GET /healthz HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`],
  ['a blank in a name', 400, `GET /healthz HTTP/1.1\r\n${HOST}X A: b\r\n\r\n`],
  ['bytes that are no address', 400, `GET /\xed\x95\x9c HTTP/1.1\r\n${HOST}\r\n`],
  ['an address that does not decode', 400, `GET /errors/%ff HTTP/1.1\r\n${HOST}\r\n`],
  ['two slashes', 404, `GET //healthz HTTP/1.1\r\n${HOST}\r\n`],
  ['a long address', 404, `GET /${'a'.repeat(12_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['a long name', 400, `GET ${BUY}/${'a'.repeat(5_000)} HTTP/1.1\r\n${HOST}${AUTH}\r\n`],
  ['a name of every object', 404, `GET /errors/__proto__ HTTP/1.1\r\n${HOST}\r\n`],
  ['a parameter twice', 400, `GET ${USAGE}&endDate=2029-12-31 HTTP/1.1\r\n${HOST}${AUTH}\r\n`],
  [
    'a thousand cookies',
    200,
    `GET /member/session HTTP/1.1\r\n${HOST}Cookie: ${'ingot_member=a;'.repeat(800)}\r\n\r\n`,
  ],
]
const MESSAGES = new Set<string>(Object.values(ERRORS).map(({ message }) => message))

for (const [what, status, bytes] of CASES) {
  test(`${status} for ${what}`, async () => {
    const answer = await sendBytes(url, bytes)
    const [head = '', text = ''] = answer.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(head, /x-content-type-options: nosniff/i)
    if (status < 400 || bytes.startsWith('HEAD')) return
    const { error, ...rest } = JSON.parse(text)
    assert.deepEqual([MESSAGES.has(error), rest], [true, {}])
  })
}

test('HEAD has the headers of GET, and no body', async () => {
  for (const path of [
    '/healthz',
    '/',
    '/static/nothing.js',
    '/member/session',
    '/console/api/openapi.json',
  ]) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => sendBytes(url, `${method} ${path} HTTP/1.1\r\n${HOST}\r\n`)),
    )
    const [headers, body] = withoutIds(head!).split('\r\n\r\n')
    assert.deepEqual([headers, body], [withoutIds(get!).split('\r\n\r\n')[0], ''])
  }
})

const withoutIds = (answer: string) => answer.replace(/^(x-request-id|date): .*\r\n/gim, '')

test('no tunnel is opened, and nothing was bought or failed', async () => {
  assert.equal(await sendBytes(url, `CONNECT x:443 HTTP/1.1\r\n${HOST}\r\n`), '')
  assert.equal((await get(USAGE)).body.totalIssued, 0)
  assert.deepEqual(
    service.log.filter((line) => /"(?:failed|unavailable)"/.test(line)),
    [],
  )
})
