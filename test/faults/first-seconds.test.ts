import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '#test/patience.ts'
import { TEST_RING_FILE } from '#test/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '#test/postgres-proxy.ts'
import { freePort, startServer, temporaryFolder } from '#test/process.ts'
import { call, PHONE, startService } from '#test/service.ts'

// The start of a server whose database goes away meanwhile.
const service = await startService()
const partner = await service.addPartner()
const WORKER = 'ingot worker'

async function begin(proxy: PostgresProxy, roles = 'api,worker') {
  const folder = temporaryFolder()
  const ring = join(folder.path, 'ring.json')
  writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
  const PORT = String(await freePort())
  const started = startServer({
    DATABASE_URL: proxy.url,
    DATA_DIR: folder.path,
    KEY_RING_FILE: ring,
    INGOT_ROLES: roles,
    INGOT_PROCESSES: '',
    PORT,
  })
  started.catch(() => {})
  return { started, url: `http://127.0.0.1:${PORT}` }
}

const ask = (url: string) => call(`${url}/readyz`).catch(() => undefined)

test('/readyz waits for the first start of the worker, which is tried until it succeeds', async () => {
  const proxy = await startPostgresProxy(service.on)
  proxy.goAway(WORKER)
  const { started, url } = await begin(proxy)
  const early = await until(() => ask(url))
  assert.deepEqual([early.status, early.text], [503, '{"error":"Service unavailable"}'])
  assert.equal(early.headers.get('x-not-ready'), 'starting')
  // The rest serves meanwhile, for those who do not ask.
  assert.equal((await partner.at({ url }).buy({ phoneNumber: PHONE, amount: 1_000 })).status, 200)
  await until(() => proxy.turnedAway() > 0, 'the worker has tried')
  proxy.comeBack()
  const server = await started
  assert.deepEqual((await ask(url))?.body, { status: 'ready', worker: 'running' })
  assert.match(server.output(), /"event":"worker not started"/)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('trouble of the worker is told, and takes nothing out of service', async () => {
  const proxy = await startPostgresProxy(service.on)
  const { started, url } = await begin(proxy)
  const server = await started
  proxy.goAway(WORKER)
  const told = await until(async () => {
    const answer = await ask(url)
    assert.equal(answer?.status, 200, 'the API is in service')
    return answer.body.worker === 'standing still' && answer.body
  })
  assert.equal(told.status, 'ready')
  assert.match((await call(`${url}/metrics`)).text, /^ingot_worker_status\{status="standing still"\} 1$/m)
  assert.equal((await partner.at({ url }).buy({ phoneNumber: PHONE, amount: 1_000 })).status, 200)
  proxy.comeBack()
  await until(async () => (await ask(url))?.body.worker === 'running')
  assert.equal(await server.kill('SIGTERM'), 0)
  assert.doesNotMatch(server.output(), /^\s+at /m, 'no raw stack')
})

for (const roles of ['api,worker', 'api', 'worker']) {
  test(`a database lost in the first second after 200 ends nothing: ${roles}`, async () => {
    const proxy = await startPostgresProxy(service.on)
    const { started, url } = await begin(proxy, roles)
    await until(async () => (await ask(url))?.status === 200)
    proxy.goAway()
    const away = await until(async () => {
      const answer = await ask(url)
      return answer?.status === 503 && answer
    })
    assert.equal(away.headers.get('x-not-ready'), 'database')
    proxy.comeBack()
    const server = await started
    assert.doesNotMatch(server.output(), /^\s+at /m, 'no raw stack')
    assert.equal(await server.kill('SIGTERM'), 0)
  })
}
