import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sendAsWritten, sendBytes } from '#test/hostile.ts'
import { freePort } from '#test/process.ts'
import { call, startService } from '#test/service.ts'

const onPort = await startService({ environment: { PUBLIC_URL: 'https://ingot.example' } })
const metricsPort = await freePort()
const apart = await startService({
  environment: { METRICS_ADDRESS: `127.0.0.1:${metricsPort}` },
  beside: onPort,
})
const ownAddress = `http://127.0.0.1:${metricsPort}`

const METRICS = /^# HELP ingot_purchases_total /m
const { port } = new URL(onPort.url)
const get = (url: string, path: string, headers: Record<string, string> = {}) =>
  sendAsWritten(url, { method: 'GET', path, headers, body: undefined })

// The same to the last byte, but for what is another in every answer.
function bytes({ status, headers, text }: Awaited<ReturnType<typeof get>>) {
  const { 'x-request-id': id, date, ...rest } = headers
  assert.ok(id && date)
  return { status, text, rest }
}

test('by default metrics answer who calls this machine directly, by a name of this machine', async () => {
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    'LOCALHOST',
    '127.0.0.2',
    '[::1]',
    '0.0.0.0',
  ]) {
    const answer = await get(onPort.url, '/metrics', { host })
    assert.deepEqual([answer.status, METRICS.test(answer.text)], [200, true], host)
  }
})

const FOREIGN: Record<string, Record<string, string>> = {
  'the public name': { host: 'ingot.example' },
  'another name': { host: 'rebound.example' },
  'an address of the network': { host: '10.0.0.5:3000' },
  'a name that begins like one of ours': { host: 'localhost.evil.example' },
  'X-Forwarded-For': { 'x-forwarded-for': '203.0.113.9' },
  Forwarded: { forwarded: 'for=203.0.113.9' },
  'X-Real-IP': { 'x-real-ip': '203.0.113.9' },
  Via: { via: '1.1 cache' },
  'CDN-Loop': { 'cdn-loop': 'cloudflare' },
  'X-Amzn-Trace-Id': { 'x-amzn-trace-id': 'Root=1' },
  'X-Envoy-External-Address': { 'x-envoy-external-address': '203.0.113.9' },
}
for (const [what, headers] of Object.entries(FOREIGN)) {
  test(`metrics are not there, like anything that is not: ${what}`, async () => {
    const answer = await get(onPort.url, '/metrics', headers)
    assert.equal(answer.status, 404)
    assert.deepEqual(bytes(answer), bytes(await get(onPort.url, '/nowhere', headers)))
  })
}

test('metrics are not there for what is spoken to a proxy, or by one', async () => {
  const host = `Host: 127.0.0.1:${port}\r\n`
  const LINES: [head: string, status: number][] = [
    [`GET /metrics HTTP/1.1\r\n${host}`, 200],
    [`GET /metrics HTTP/1.0\r\n${host}`, 404],
    ['GET /metrics HTTP/1.1\r\n', 404],
    ['GET /metrics\r\n', 404],
    [`GET http://127.0.0.1:${port}/metrics HTTP/1.1\r\n${host}`, 404],
    [`GET http://ingot.example/metrics HTTP/1.1\r\n${host}`, 404],
    [`GET /metrics HTTP/1.1\r\n${host}Host: ingot.example\r\n`, 400],
  ]
  for (const [head, status] of LINES) {
    const answer = await sendBytes(onPort.url, `${head}Connection: close\r\n\r\n`)
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), head)
  }
})

test('METRICS_ADDRESS: there and nowhere else, whatever the name', async () => {
  for (const headers of [{}, { host: 'prometheus.internal' }]) {
    const answer = await get(ownAddress, '/metrics', headers)
    assert.deepEqual([answer.status, METRICS.test(answer.text)], [200, true])
  }
  assert.deepEqual(bytes(await get(apart.url, '/metrics')), bytes(await get(apart.url, '/nowhere')))
  const head = await sendAsWritten(ownAddress, {
    method: 'HEAD',
    path: '/metrics',
    headers: {},
    body: undefined,
  })
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('METRICS_ADDRESS: nothing but metrics', async () => {
  for (const path of [
    '/',
    '/readyz',
    '/healthz',
    '/openapi.json',
    '/docs/',
    '/metrics/',
    '/v2/partner/usage',
  ]) {
    assert.equal((await call(`${ownAddress}${path}`)).text, '{"error":"Not found"}', path)
  }
  const posted = await call(`${ownAddress}/metrics`, { method: 'POST' })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
})

test('METRICS_ADDRESS: closes with the server', async () => {
  const address = `127.0.0.1:${await freePort()}`
  const short = await startService({ environment: { METRICS_ADDRESS: address }, beside: onPort })
  assert.equal((await call(`http://${address}/metrics`)).status, 200)
  await short.stop()
  const socket = connect(Number(address.split(':')[1]), '127.0.0.1')
  const refused = await new Promise((resolve) => {
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true))
  })
  socket.destroy()
  assert.ok(refused)
})

test('METRICS_ADDRESS: one that is taken is refused by name, and nothing stays open', async () => {
  await assert.rejects(
    startService({ environment: { METRICS_ADDRESS: `127.0.0.1:${metricsPort}` }, beside: onPort }),
    /^Error: METRICS_ADDRESS: .* is taken by another process/,
  )
})
