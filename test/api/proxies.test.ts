import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BODY_BYTES as BANK_FILE_BYTES } from '#edge/console/bank-file.ts'
import { MOST_BYTES as HOOK_BYTES } from '#edge/hooks/routes.ts'
import { LIMITS } from '#edge/server.ts'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { until } from '#test/patience.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { freePort, temporaryFolder } from '#test/process.ts'
import { startService } from '#test/service.ts'

// The examples of deploy/proxies, each run by its own program in front of one live service. Only addresses, ports and the
// certificate differ from the files. Callers have addresses of their own in 127.0.0.0/8.
const NAME = 'gold.example'
const EXAMPLES = join(import.meta.dirname, '../../deploy/proxies')
const EDGE = join(import.meta.dirname, '../../src/edge')
// What the service takes at most, where it is more than elsewhere.
const LARGE: [where: string, bytes: number][] = [
  ['/hooks/solapi', HOOK_BYTES],
  ['/console/api/bank-file', BANK_FILE_BYTES],
  ['/console/api/bank-file/payments', BANK_FILE_BYTES],
]
const LISTED = '127.0.0.2'
const STRANGER = '127.0.0.3'

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const folder = temporaryFolder()
const path = (name: string) => join(folder.path, name)
after(() => folder.remove())

const service = await startService({
  environment: {
    ...LIVE_PROVIDERS,
    INGOT_MODE: 'live',
    KEY_RING_FILE: 'unused',
    PUBLIC_URL: `https://${NAME}`,
    TRUSTED_PROXIES: '127.0.0.1',
  },
})
const { partner } = await service.addPartner({ keyless: true, networks: [`${LISTED}/32`] })
const upstream = `127.0.0.1:${new URL(service.url).port}`

interface Proxy {
  program: string
  // What of its example is of another machine.
  adapt(text: string, at: { https: number; http: number }): string
  run(file: string): [program: string, args: string[]]
}

// Each has to be in the example, or the test would run something else.
function replaced(text: string, changes: [from: string | RegExp, to: string][]): string {
  for (const [from, to] of changes) {
    assert.notEqual(text.replace(from, ''), text, `the example has no ${from}`)
    text = text.replaceAll(from instanceof RegExp ? new RegExp(from, 'gm') : from, to)
  }
  return text
}

const PROXIES: Record<string, Proxy> = {
  'nginx.conf': {
    program: 'nginx',
    adapt: (text, at) => `
      daemon off; pid ${path('nginx.pid')}; error_log ${path('nginx.log')}; worker_processes 1;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${path(one)};`).join(' ')}
        ${replaced(text, [
          [/listen \[::\].*/, ''],
          ['listen 80;', `listen 127.0.0.1:${at.http};`],
          ['listen 443 ', `listen 127.0.0.1:${at.https} `],
          ['/etc/ssl/gold.example/chain.pem', path('chain.pem')],
          ['/etc/ssl/gold.example/key.pem', path('key.pem')],
          ['/var/log/nginx/ingot.log', path('ingot.log')],
          ['/var/log/nginx/ingot-error.log', path('ingot-error.log')],
          ['127.0.0.1:3000', upstream],
        ])}
      }`,
    run: (file) => ['nginx', ['-c', file, '-e', path('nginx.log')]],
  },
  Caddyfile: {
    program: 'caddy',
    adapt: (text, at) =>
      replaced(text, [
        [/^\{$/m, `{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port ${at.https}`],
        [`${NAME} {`, `${NAME} {\n\tbind 127.0.0.1\n\ttls ${path('chain.pem')} ${path('key.pem')}`],
        ['127.0.0.1:3000', upstream],
      ]),
    run: (file) => ['caddy', ['run', '--adapter', 'caddyfile', '--config', file]],
  },
  'haproxy.cfg': {
    program: 'haproxy',
    adapt: (text, at) =>
      replaced(text, [
        // Only root can change account and root folder.
        [/^ {4}user haproxy$/m, ''],
        [/^ {4}group haproxy$/m, ''],
        [/^ {4}chroot \/var\/lib\/haproxy$/m, ''],
        ['bind :80', `bind 127.0.0.1:${at.http}`],
        ['bind :443', `bind 127.0.0.1:${at.https}`],
        ['/etc/haproxy/gold.example.pem', path('both.pem')],
        ['127.0.0.1:3000', upstream],
      ]),
    run: (file) => ['haproxy', ['-db', '-f', file]],
  },
}

interface Sent {
  method?: string
  from?: string
  headers?: Record<string, string>
  body?: unknown
  port?: number
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

function send(
  port: number,
  where: string,
  { method = 'GET', from = STRANGER, headers, body, port: plain }: Sent = {},
) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const options = {
    host: '127.0.0.1',
    port: plain ?? port,
    servername: NAME,
    ca: readFileSync(path('chain.pem')),
    localAddress: from,
    agent: false as const,
    method,
    path: where,
    headers: {
      host: NAME,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  }
  return new Promise<Answer>((resolve, reject) => {
    const request = (plain === undefined ? httpsRequest : httpRequest)(options, async (response) => {
      let read = ''
      for await (const chunk of response) read += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read })
    })
    request.on('error', reject)
    request.end(text)
  })
}

// What reaches the service, which runs in this process.
const arrived = new Map<string, IncomingHttpHeaders>()
subscribe('http.server.request.start', (message) => {
  const { url, headers } = (message as { request: IncomingMessage }).request
  arrived.set(url!, headers)
})

// The service marks each of its answers; a proxy's own have no such mark.
const isOurs = ({ headers }: Answer) => headers['x-request-id'] !== undefined

const missing = Object.values(PROXIES).flatMap(({ program }) => (isThere(program) ? [] : [program]))
const noOpenssl = isThere('openssl') ? false : 'openssl is not on this machine'
if (!noOpenssl) makeCertificate()

function makeCertificate(): void {
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' ')
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`]
  const files = ['-keyout', path('key.pem'), '-out', path('chain.pem')]
  execFileSync('openssl', [...words, ...subject, ...files], { stdio: 'ignore' })
  writeFileSync(
    path('both.pem'),
    readFileSync(path('chain.pem'), 'utf8') + readFileSync(path('key.pem'), 'utf8'),
  )
}

// What each has written, and the keys that were in addresses.
const written: (() => string)[] = []
const webViews: string[] = []

// All of them before the first test: what is skipped is over at once, and a file whose tests are over is taken down.
const running: { name: string; https: number; http: number }[] = []
const skipped = ({ program }: Proxy) =>
  noOpenssl || (missing.includes(program) && `${program} is not on this machine`)
for (const [name, proxy] of Object.entries(PROXIES)) {
  if (!skipped(proxy)) running.push(await start(name, proxy))
}
for (const [name, proxy] of Object.entries(PROXIES)) {
  describe(name, skipped(proxy), running.find((one) => one.name === name)!)
}

async function start(name: string, { adapt, run }: Proxy) {
  const at = { name, https: await freePort(), http: await freePort() }
  const file = path(name)
  writeFileSync(file, adapt(readFileSync(join(EXAMPLES, name), 'utf8'), at))
  const [program, args] = run(file)
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  written.push(() => output)
  after(() => end(child))
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`${name}: ${output}`)
      return (await send(at.https, '/healthz').catch(() => undefined))?.status === 200
    },
    `${name} answers`,
    60_000,
  )
  return at
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

function describe(name: string, skip: string | false, at: (typeof running)[number]): void {
  const signup = (sent: Sent) =>
    send(at.https, SIGNUP, { method: 'POST', body: signupOf(partner.code, name), ...sent })

  test(`${name}: the service learns who calls, and believes no caller about it`, { skip }, async () => {
    assert.equal((await signup({ from: LISTED })).status, 200)
    assert.equal((await signup({ from: STRANGER })).status, 401)
    const CLAIMS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']
    for (const header of CLAIMS) {
      const headers = { [header]: header === 'forwarded' ? `for=${LISTED}` : LISTED }
      assert.equal((await signup({ from: STRANGER, headers })).status, 401, header)
      // Nor can a page that a listed caller opened take the caller's rights away by adding one.
      assert.equal((await signup({ from: LISTED, headers })).status, 200, header)
    }
  })

  test(`${name}: a caller joins no trace`, { skip }, async () => {
    const where = `/healthz?by=${name}`
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await send(at.https, where, { headers: { traceparent, tracestate: 'own=1', 'x-other': 'passed on' } })
    const { traceparent: joined, tracestate, 'x-other': other } = arrived.get(where)!
    assert.deepEqual([joined, tracestate, other], [undefined, undefined, 'passed on'])
  })

  test(`${name}: name, origin, cookies and HSTS are those of the public address`, { skip }, async () => {
    const { userKey } = JSON.parse((await signup({ from: LISTED })).text)
    const body = { partner: partner.code, partnerKey: userKey }
    const own = { origin: `https://${NAME}`, 'sec-fetch-site': 'same-origin' }
    const hash = await send(at.https, HASH, { method: 'POST', from: LISTED, body, headers: own })
    const { webViewUrl } = JSON.parse(hash.text)
    assert.match(webViewUrl, /^https:\/\/gold\.example\/webview\//)
    webViews.push(new URL(webViewUrl).pathname)
    const foreign = { origin: 'https://evil.example' }
    assert.equal(
      (await send(at.https, HASH, { method: 'POST', from: LISTED, body, headers: foreign })).status,
      401,
    )

    const entered = await send(at.https, new URL(webViewUrl).pathname, {
      headers: { 'sec-fetch-mode': 'navigate' },
    })
    assert.equal(entered.status, 303)
    assert.match(String(entered.headers['set-cookie']), /HttpOnly; Secure|Secure; HttpOnly|Secure.*HttpOnly/i)
    assert.match(entered.headers['strict-transport-security'] ?? '', /max-age=31536000/)
    const plain = await send(at.https, '/terms?a=b', { port: at.http }).catch(() => undefined)
    // Caddy adds this by itself, on port 80 only.
    if (name !== 'Caddyfile')
      assert.deepEqual([plain?.status, plain?.headers.location], [308, `https://${NAME}/terms?a=b`])
  })

  test(`${name}: what is the operator's or the sandbox's is not there`, { skip }, async () => {
    assert.equal((await send(at.https, '/healthz')).status, 200)
    // The proxy keeps these to itself; the service would refuse the first by its forwarding header.
    for (const own of ['/metrics', '/readyz']) {
      const answer = await send(at.https, own)
      assert.deepEqual([answer.status, isOurs(answer)], [404, false], own)
    }
    for (const hidden of ['/dev/inbox', '/dev/inbox.json', '/metrics/', '//metrics', '/%6detrics']) {
      assert.equal((await send(at.https, hidden)).status, 404, hidden)
    }
  })

  test(`${name}: the service refuses what is too large, and the proxy what is far too large`, {
    skip,
  }, async () => {
    const large = await signup({ from: LISTED, body: 'x'.repeat(LIMITS.bodyBytes + 1) })
    assert.deepEqual([large.status, isOurs(large)], [413, true])
    const tooLarge = await signup({ from: LISTED, body: 'x'.repeat(1_000_000) })
    assert.deepEqual([tooLarge.status, isOurs(tooLarge)], [413, false])
  })

  test(`${name}: what the service takes by a limit of its own passes`, { skip }, async () => {
    for (const [where, bytes] of LARGE) {
      const sent = await send(at.https, where, { method: 'POST', body: 'x'.repeat(bytes) })
      assert.deepEqual([sent.status, isOurs(sent)], [401, true], where)
    }
  })
}

test('no other route has a limit of its own: the proxies and their test have to know it', () => {
  const limits = readdirSync(EDGE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(join(EDGE, file), 'utf8').includes('bodyLimit:'),
  )
  assert.deepEqual(limits.toSorted(), ['console/bank-file.ts', 'hooks/routes.ts', 'server.ts'])
})

test('while the service is away callers are told to come back, and no log has a key of theirs', {
  skip: running.length === 0,
}, async () => {
  await service.stop()
  for (const { name, https } of running) {
    const answer = await send(https, '/healthz')
    assert.deepEqual(
      [answer.status, answer.text, answer.headers['retry-after'], answer.headers['content-type']],
      [503, '{"error":"Service unavailable"}', '2', 'application/json'],
      name,
    )
  }
  // Asked once more, so that the proxies have a failure to write about.
  for (const { https } of running) for (const webView of webViews) await send(https, webView)
  const logs = readdirSync(folder.path).filter((name) => name.endsWith('.log'))
  const lines = [...written.map((read) => read()), ...logs.map((name) => readFileSync(path(name), 'utf8'))]
  for (const webView of webViews) assert.ok(!lines.join('').includes(webView), 'a key stands in a log')
})
