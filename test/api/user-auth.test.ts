import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { newApiKey } from '#modules/partners/api-key.ts'
import { sendBytes } from '#test/hostile.ts'
import { changePartner, issueApiKey, revokeApiKey } from '#test/operator.ts'
import { ASSET, HASH, SIGNUP, signupOf } from '#test/people.ts'
import { startService } from '#test/service.ts'

// Who may call the user endpoints: every partner × credential pair at every endpoint. Callers have addresses of
// their own in 127.0.0.0/8; 127.0.0.9 is a proxy that the service trusts.
const PROXY = '127.0.0.9'
const service = await startService({
  environment: { TRUSTED_PROXIES: PROXY, PUBLIC_URL: 'https://ingot.example' },
})
const { database } = service
const PORT = Number(new URL(service.url).port)

const LISTED = ['127.0.0.2/32', '2001:db8::/32', '198.51.100.0/24']
const partners = {
  listed: await service.addPartner({ networks: LISTED }),
  'listed too': await service.addPartner({ networks: ['127.0.0.3', '::ffff:127.0.0.2'] }),
  unlisted: await service.addPartner(),
  suspended: await service.addPartner({ networks: LISTED }),
}
type Name = keyof typeof partners
const names = Object.keys(partners) as Name[]
const codeOf = (name: Name | 'unknown') => (name === 'unknown' ? 'nobody' : partners[name].partner.code)

interface Sent {
  from?: string
  headers?: Record<string, string>
}

// Node's fetch cannot choose the address it calls from.
function send(method: string, path: string, body: unknown, { from = '127.0.0.1', headers = {} }: Sent) {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port: PORT,
          method,
          path,
          localAddress: from,
          // A proxy passes the public name on; on this machine the service has another.
          headers: {
            host: from === PROXY ? 'ingot.example' : `127.0.0.1:${PORT}`,
            'content-type': 'application/json',
            ...headers,
          },
        },
        async (response) => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
        },
      )
      request.on('error', reject)
      request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
    },
  )
}

const keys: Record<string, string> = {}
for (const name of names) {
  const { code } = partners[name].partner
  const answer = await partners[name].post(SIGNUP, signupOf(code, 'member'))
  keys[name] = answer.body.userKey
}
await changePartner(database, {
  code: codeOf('suspended'),
  changes: { status: 'suspended' },
  actor: 'test',
})
await new Promise((resolve) => setTimeout(resolve, 2_100)) // what was read of a partner counts for two seconds

type Endpoint = (name: Name | 'unknown', sent: Sent) => ReturnType<typeof send>
const userOf = (name: Name | 'unknown') => ({
  partner: codeOf(name),
  partnerKey: keys[name === 'unknown' ? 'listed' : name],
})
const ENDPOINTS: Record<string, Endpoint> = {
  signup: (name, sent) => send('POST', SIGNUP, signupOf(codeOf(name), 'member'), sent),
  hash: (name, sent) => send('POST', HASH, userOf(name), sent),
  'asset by POST': (name, sent) => send('POST', ASSET, userOf(name), sent),
  'asset by GET': (name, sent) => {
    const { partner: source, partnerKey } = userOf(name)
    return send(
      'GET',
      `${ASSET}?${new URLSearchParams({ source, partnerKey: partnerKey! })}`,
      undefined,
      sent,
    )
  },
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
async function madeKey(name: Name, more: { scopes?: string[]; networks?: string[] }) {
  return (
    await issueApiKey(database, { code: codeOf(name), mode: 'test', actor: 'test', ...more })
  ).key.reveal()
}
const ended = await issueApiKey(database, { code: codeOf('listed'), mode: 'test', actor: 'test' })
await revokeApiKey(database, { id: ended.id, afterMinutes: 0, actor: 'test' })

// What each credential opens: the partners it is good for; every other one answers with `otherwise`.
type Credential = [name: string, sent: Sent, opens: readonly Name[], otherwise: 401 | 403]
const CREDENTIALS: Credential[] = [
  ...names.map(
    (name): Credential => [
      `the key of ${name}`,
      { headers: bearer(partners[name].key) },
      name === 'suspended' ? [] : [name],
      403,
    ],
  ),
  [
    'a key for cards only',
    { headers: bearer(await madeKey('listed', { scopes: ['giftcards:buy'] })) },
    [],
    403,
  ],
  [
    'a key of another network',
    { headers: bearer(await madeKey('listed', { networks: ['10.0.0.0/8'] })) },
    [],
    403,
  ],
  ['a revoked key', { headers: bearer(ended.key.reveal()) }, [], 401],
  ['an unknown key', { headers: bearer(newApiKey('test').key.reveal()) }, [], 401],
  ['nothing, from no listed address', {}, [], 401],
  ['nothing, from a listed address', { from: '127.0.0.3' }, ['listed too'], 401],
  ['nothing, from an address listed by several', { from: '127.0.0.2' }, ['listed', 'listed too'], 401],
  ['a wrong key from a listed address', { from: '127.0.0.2', headers: bearer('x') }, [], 401],
  [
    'an unknown key from a listed address',
    { from: '127.0.0.2', headers: bearer(newApiKey('test').key.reveal()) },
    [],
    401,
  ],
  [
    'an empty Authorization from a listed address',
    { from: '127.0.0.2', headers: { authorization: '' } },
    [],
    401,
  ],
  [
    'a forwarding header from no proxy',
    { from: '127.0.0.2', headers: { 'x-forwarded-for': '127.0.0.2' } },
    [],
    401,
  ],
  ['Forwarded from no proxy', { from: '127.0.0.2', headers: { forwarded: 'for=127.0.0.2' } }, [], 401],
  ['Via from no proxy', { from: '127.0.0.2', headers: { via: '1.1 cache' } }, [], 401],
  ['X-Real-IP from no proxy', { from: '127.0.0.2', headers: { 'x-real-ip': '127.0.0.2' } }, [], 401],
  ['a Host that is not ours', { from: '127.0.0.2', headers: { host: 'rebound.example' } }, [], 401],
  ['the public Host from this machine', { from: '127.0.0.2', headers: { host: 'ingot.example' } }, [], 401],
  ['a form of another site', { from: '127.0.0.2', headers: { origin: 'https://evil.example' } }, [], 401],
  ['a page that hides its site', { from: '127.0.0.2', headers: { origin: 'null' } }, [], 401],
  [
    'our own page',
    {
      from: '127.0.0.2',
      headers: { origin: `http://127.0.0.1:${PORT}`, 'sec-fetch-site': 'same-origin' },
    },
    ['listed', 'listed too'],
    401,
  ],
  [
    'a page of another port of this machine',
    { from: '127.0.0.2', headers: { host: `localhost:${PORT}`, origin: 'http://localhost:8080' } },
    [],
    401,
  ],
  [
    'a page of this machine behind a trusted proxy',
    { from: PROXY, headers: { origin: 'http://localhost:8080', 'x-forwarded-for': '198.51.100.7' } },
    [],
    401,
  ],
  [
    'a foreign Host behind a trusted proxy',
    { from: PROXY, headers: { host: 'rebound.example', 'x-forwarded-for': '198.51.100.7' } },
    [],
    401,
  ],
  [
    'a foreign Host that calls itself ours',
    {
      from: PROXY,
      headers: {
        host: 'rebound.example',
        'x-forwarded-host': 'ingot.example',
        'x-forwarded-for': '198.51.100.7',
      },
    },
    [],
    401,
  ],
  [
    'our Host that calls itself another',
    { from: PROXY, headers: { 'x-forwarded-host': 'localhost', 'x-forwarded-for': '198.51.100.7' } },
    [],
    401,
  ],
  ['a page of another site', { from: '127.0.0.2', headers: { 'sec-fetch-site': 'cross-site' } }, [], 401],
  [
    'the loopback name of this machine',
    { from: '127.0.0.2', headers: { host: `localhost:${PORT}` } },
    ['listed', 'listed too'],
    401,
  ],
  [
    'a trusted proxy for a listed IPv4 address',
    { from: PROXY, headers: { 'x-forwarded-for': '198.51.100.7' } },
    ['listed'],
    401,
  ],
  [
    'a trusted proxy for a mapped address',
    { from: PROXY, headers: { 'x-forwarded-for': '::ffff:198.51.100.7' } },
    ['listed'],
    401,
  ],
  [
    'a trusted proxy for a listed IPv6 address',
    { from: PROXY, headers: { 'x-forwarded-for': '2001:db8:1::7' } },
    ['listed'],
    401,
  ],
  [
    'a trusted proxy for another address',
    { from: PROXY, headers: { 'x-forwarded-for': '203.0.113.7' } },
    [],
    401,
  ],
  ['a trusted proxy for itself', { from: PROXY }, [], 401],
  [
    'a trusted proxy that names one whom another named',
    { from: PROXY, headers: { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' } },
    [],
    401,
  ],
  [
    'a trusted proxy that names a listed one before another',
    { from: PROXY, headers: { 'x-forwarded-for': '198.51.100.7, 203.0.113.7' } },
    [],
    401,
  ],
  [
    'a trusted proxy with a header we do not read',
    { from: PROXY, headers: { forwarded: 'for=198.51.100.7' } },
    [],
    401,
  ],
]

for (const [endpoint, callIt] of Object.entries(ENDPOINTS)) {
  for (const [credential, sent, opens, otherwise] of CREDENTIALS) {
    test(`${endpoint} with ${credential}: ${opens.length > 0 ? opens.join(' and ') : 'nobody'}`, async () => {
      for (const name of [...names, 'unknown'] as const) {
        const { status, text } = await callIt(name, sent)
        const expected = opens.includes(name as Name) ? 200 : otherwise
        // A suspended partner that lists the address is known, and refused.
        const listed = otherwise === 401 && opens.includes('listed') && name === 'suspended'
        assert.equal(status, listed ? 403 : expected, `${name}: ${text}`)
      }
    })
  }
}

// What proxies, CDNs and load balancers add, whatever they are called in a year: one at a time, from a listed address.
const SAY_SO = `x-forwarded-for forwarded via x-real-ip x-original-forwarded-for x-original-host x-envoy-external-address
  x-envoy-attempt-count cdn-loop x-amzn-trace-id x-amz-cf-id x-appengine-user-ip x-appengine-country true-client-ip
  fastly-client-ip fastly-ff fly-client-ip fly-region cf-connecting-ip cf-ray x-azure-clientip x-azure-socketip x-azure-ref
  x-cluster-client-ip x-proxyuser-ip x-nf-client-connection-ip x-originating-ip x-remote-addr x-varnish x-arr-log-id
  x-nginx-proxy l5d-dst-canonical akamai-origin-hop surrogate-capability`
// What ordinary clients send too: tracing, and their own ids.
const SAY_NOTHING = `traceparent tracestate b3 x-b3-traceid x-cloud-trace-context x-request-id x-correlation-id user-agent
  accept-language x-amz-date`

const words = (text: string) => text.split(/\s+/)

test('a header that only a proxy adds ends access without a key; one that clients send does not', async () => {
  const ask = async (header: string) =>
    (await ENDPOINTS.hash!('listed', { from: '127.0.0.2', headers: { [header]: '1' } })).status
  for (const header of words(SAY_SO)) assert.equal(await ask(header), 401, header)
  for (const header of words(SAY_NOTHING)) assert.equal(await ask(header), 200, header)
})

test('HTTP/1.0 from this machine is a proxy that adds no header', async () => {
  const body = JSON.stringify(userOf('listed'))
  const ask = (version: string) =>
    sendBytes(
      service.url,
      `POST ${HASH} HTTP/${version}\r\nHost: 127.0.0.1:${PORT}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      '127.0.0.2',
    )
  assert.match(await ask('1.1'), /^HTTP\/1\.1 200 /)
  assert.match(await ask('1.0'), /^HTTP\/1\.1 401 /)
})

test('401 comes before the body is looked at; a listed caller learns what is wrong with it', async () => {
  for (const body of ['not json', '{}', '[]', 'null', '"x"', '{"partner":1}']) {
    assert.equal((await send('POST', SIGNUP, body, {})).status, 401, body)
    assert.equal((await send('POST', SIGNUP, body, { from: '127.0.0.2' })).status, 400, body)
  }
  const unknown = { ...signupOf('nobody', 'member'), userInfo: {} }
  assert.equal((await send('POST', SIGNUP, unknown, { from: '127.0.0.2' })).status, 401)
  const other = { ...signupOf(codeOf('unlisted'), 'member'), userInfo: {} }
  const { key } = partners.listed
  assert.equal((await send('POST', SIGNUP, other, { headers: bearer(key) })).status, 403)
})

test('names: either spelling of partner and key, both if they agree', async () => {
  const { key } = partners.listed
  const [code, userKey] = [codeOf('listed'), keys.listed!]
  const cases: [Record<string, unknown>, number][] = [
    [{ partner: code, partnerKey: userKey }, 200],
    [{ source: code, userKey }, 200],
    [{ partner: code, source: code, partnerKey: userKey, userKey }, 200],
    [{ partner: code, partnerKey: userKey.toUpperCase() }, 200],
    [{ partner: code, source: codeOf('unlisted'), partnerKey: userKey }, 400],
    [{ partner: code, partnerKey: userKey, userKey: 'other' }, 400],
    [{ partner: code }, 400],
    [{ partnerKey: userKey }, 400],
    [{ partner: code, partnerKey: '' }, 400],
    [{ partner: code, partnerKey: 7 }, 400],
    [{ partner: code, partnerKey: 'x'.repeat(129) }, 400],
    [{ partner: code, partnerKey: 'nobody' }, 404],
    [{ partner: code, partnerKey: 'a\u0000b' }, 400],
    [{ partner: code, partnerKey: keys.unlisted }, 404],
  ]
  for (const [fields, expected] of cases) {
    const sent = { headers: bearer(key) }
    const label = JSON.stringify(fields)
    assert.equal((await send('POST', HASH, fields, sent)).status, expected, `hash ${label}`)
    const byPost = await send('POST', ASSET, fields, sent)
    assert.equal(byPost.status, expected, `asset ${label}`)
    if (Object.values(fields).some((value) => typeof value === 'number')) continue
    const byGet = await send(
      'GET',
      `${ASSET}?${new URLSearchParams(fields as Record<string, string>)}`,
      undefined,
      sent,
    )
    const rest = ({ text }: { text: string }) => text.replace(/"asOf":"[^"]*"/, '')
    assert.deepEqual([byGet.status, rest(byGet)], [byPost.status, rest(byPost)], `GET ${label}`)
  }
  const twice = await send('GET', `${ASSET}?source=${code}&source=${code}&partnerKey=${userKey}`, undefined, {
    headers: bearer(key),
  })
  assert.equal(twice.status, 400)
})

test('a call without a key counts against the partner’s rate, and is logged without one', async () => {
  const slow = await service.addPartner({ networks: ['127.0.0.4'], rateLimit: 2 })
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const path = `${ASSET}?${new URLSearchParams({ source: slow.partner.code, partnerKey: 'x' })}`
  const statuses: number[] = []
  for (let i = 0; i < 6; i += 1)
    statuses.push((await send('GET', path, undefined, { from: '127.0.0.4' })).status)
  assert.ok(statuses.includes(404) && statuses.includes(429), statuses.join())
  const line = JSON.parse(service.log.findLast((entry) => entry.includes(slow.partner.code))!)
  assert.deepEqual([line.partner, line.keyId, line.route], [slow.partner.code, undefined, ASSET])
})
