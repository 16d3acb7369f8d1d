import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { until } from '#test/patience.ts'
import { ASSET, SIGNUP, signupOf } from '#test/people.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { call } from '#test/service.ts'

// A live installation, as an operator has it: its own key ring, live keys, no play money and no price yet.
const database = await createTestDatabase('empty')
const folder = temporaryFolder()
// Where its traces go. tracing.test.ts has what is in them.
const traces: { url: string | undefined; body: string }[] = []
const collector = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  traces.push({ url: request.url, body })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
after(async () => {
  collector.close()
  collector.closeAllConnections()
  await database.drop()
  folder.remove()
})
const ring = join(folder.path, 'ring.json')
await ingot({}, 'keys', 'generate', ring)
const settings = {
  DATABASE_URL: database.url,
  DATA_DIR: join(folder.path, 'data'),
  INGOT_MODE: 'live',
  KEY_RING_FILE: ring,
  ...LIVE_PROVIDERS,
  PUBLIC_URL: 'http://gold.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
}
const server = await startServer(settings)
await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme')
const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)

const post = (path: string, body: object) =>
  call(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
const { userKey } = (await post(SIGNUP, signupOf('acme', '홍길동'))).body

test('an operator sees a user although nothing can be valued yet', async () => {
  assert.equal((await post(ASSET, { partner: 'acme', partnerKey: userKey })).status, 503)
  const { code, stdout, stderr } = await ingot(
    settings,
    'user',
    'show',
    'acme',
    userKey.toUpperCase(),
    '--json',
  )
  assert.equal(code, 0, stderr)
  const { name, assets, confirmed } = JSON.parse(stdout)
  assert.deepEqual([name, assets, confirmed], ['홍*동', null, true])
})

test('there is no inbox of messages', async () => {
  for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev/inbox.json?to=01012345678']) {
    const answer = await call(`${server.url}${path}`)
    assert.deepEqual([answer.status, answer.text], [404, '{"error":"Not found"}'])
  }
  assert.equal((await post('/dev/inbox.json', {})).status, 404)
})

test('there is no folder to adopt where the database is elsewhere', async () => {
  const run = await ingot(settings, 'adopt')
  assert.deepEqual([run.code, run.stderr], [1, 'ingot: DATABASE_URL is set: there is no folder to adopt\n'])
})

test('play money is refused', async () => {
  const run = await ingot(settings, 'user', 'grant', 'acme', userKey, '--points', '1')
  assert.deepEqual([run.code, run.stderr], [1, 'ingot: assets can be granted in a sandbox only\n'])
})

test('the ring that was given is the only one, and is the one that is renewed', async () => {
  const secrets = JSON.parse(readFileSync(join(settings.DATA_DIR, 'secrets.json'), 'utf8'))
  assert.deepEqual(Object.keys(secrets), ['databasePassword'])
  const run = await ingot(settings, 'keys', 'rotate', '--json')
  assert.equal(run.code, 0, run.stderr)
  const { encryption } = JSON.parse(readFileSync(ring, 'utf8'))
  assert.deepEqual(Object.keys(encryption.keys), ['e1', JSON.parse(run.stdout).encryption])
  assert.equal((await post(SIGNUP, signupOf('acme', '홍길동'))).body.userKey, userKey)
  const { KEY_RING_FILE: _, ...without } = settings
  const lost = await ingot({ ...without, INGOT_MODE: 'sandbox' }, 'verify')
  assert.match(lost.stderr, /KEY_RING_FILE: is missing: this data was made with a key ring of its own/)
})

test('the service sends the traces of its requests to the collector that was named', async () => {
  const found = await until(
    () => traces.find(({ body }) => body.includes(`"name":"POST ${SIGNUP}"`)),
    'a trace',
  )
  assert.equal(found.url, '/v1/traces')
  assert.match(found.body, /"key":"service\.name","value":\{"stringValue":"ingot"\}/)
})

test('a public address without https is told to the operator', async () => {
  assert.match(
    server.output(),
    /PUBLIC_URL is not https: gold.example"?,"event":"the web view will not stay open"/,
  )
  assert.equal(await server.kill('SIGTERM'), 0)
})

for (const [name, value] of [
  ['MESSAGING', ''],
  ['MESSAGING', 'simulated'],
  ['OPERATOR_NAME', ''],
  ['PUBLIC_URL', ''],
] as const) {
  test(`does not start with ${name}=${value}`, async () => {
    const run = await ingot({ ...settings, [name]: value }, 'serve')
    assert.equal(run.code, 1)
    assert.match(run.stderr, new RegExp(`^ingot: ${name}: `))
  })
}
