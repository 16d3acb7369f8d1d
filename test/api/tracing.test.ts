import assert from 'node:assert/strict'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startTracing } from '#app/server/tracing.ts'
import { readConfig } from '#app/settings/config.ts'
import { createLog } from '#base/log.ts'
import { assertHides } from '#test/hidden.ts'
import { until } from '#test/patience.ts'
import { BUY, call, startService } from '#test/service.ts'

// A collector that speaks OTLP over HTTP with JSON bodies, as the library sends them.
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status?: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}
const spans: Span[] = []
const bodies: string[] = []
const headers: IncomingMessage['headers'][] = []
let status = 200
const collector = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString('utf8')
  headers.push(request.headers)
  if (status === 200) {
    bodies.push(body)
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const { port } = collector.address() as AddressInfo

const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })
const { tracing: settings } = readConfig({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-token=to%20ken',
  OTEL_SERVICE_NAME: 'ingot-test',
})
const tracing = await startTracing(settings!, log)
after(async () => {
  await tracing.stop()
  collector.close()
  collector.closeAllConnections()
})
const service = await startService({ environment: { TRUSTED_PROXIES: '127.0.0.2' } })
const partner = await service.addPartner({ name: '한빛페이' })
const PHONE = '010-7744-1188'
const PARENT = { trace: 'a'.repeat(32), span: 'b'.repeat(16) }
const traceparent = `00-${PARENT.trace}-${PARENT.span}-01`
const attributes = (span: Span) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

async function purchase(given: Record<string, string> = {}): Promise<Span[]> {
  spans.length = 0
  const answer = await partner.buy({ phoneNumber: PHONE, amount: 7_000 }, given)
  assert.equal(answer.status, 200, answer.text)
  await until(async () => {
    await tracing.flush()
    return spans.some(({ name }) => name === `POST ${BUY}`)
  })
  return spans
}

test('a purchase is a trace: the request, and its statement below it', async () => {
  const found = await purchase({ traceparent })
  const request = found.find(({ name }) => name === `POST ${BUY}`)!
  assert.deepEqual(
    [request.kind, request.parentSpanId ?? '', attributes(request)['http.response.status_code']],
    [2, '', 200],
    "a stranger's header begins no trace",
  )
  assert.equal(attributes(request)['ingot.partner'], partner.partner.code)
  const below = found.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  assert.ok(below.length > 0, 'a statement')
  for (const span of below) {
    assert.equal(span.traceId, request.traceId)
    assert.equal(attributes(span)['db.system.name'], 'postgresql')
  }
  assert.equal(headers.at(-1)?.['x-token'], 'to ken')
  assert.match(bodies.at(-1)!, /"ingot-test"/)
})

test('a proxy that is trusted passes its trace on', async () => {
  spans.length = 0
  await new Promise((resolve) =>
    get(`${service.url}/healthz`, { localAddress: '127.0.0.2', headers: { traceparent } }, (answer) =>
      answer.resume().once('end', resolve),
    ),
  )
  const request = await until(async () => {
    await tracing.flush()
    return spans.find(({ name }) => name === 'GET /healthz')
  })
  assert.deepEqual([request?.traceId, request?.parentSpanId], [PARENT.trace, PARENT.span])
})

test('nothing of a person, a key or a PIN is in any trace', async () => {
  await partner.buy({ phoneNumber: 'canary-phone', amount: 1 })
  await partner.buy({ phoneNumber: PHONE, amount: 1, memo: 'canary-memo' } as never)
  await call(`${service.url}${BUY}/canary-id?canary=query`, {
    headers: { authorization: 'Bearer canary-key' },
  })
  await tracing.flush()
  await until(() => bodies.join().includes('unmatched') || bodies.join().includes('"http.route"'))
  const told = bodies.join()
  assertHides(told, [PHONE, PHONE.replaceAll('-', ''), partner.key, 'canary', '한빛페이'])
})

test('a failed statement is marked, with the name of its failure only', async () => {
  spans.length = 0
  await service.database.read({ name: 'fails', text: `select 'canary'::int` }, []).catch(() => {})
  await tracing.flush()
  const failed = spans.find(({ name }) => name === 'fails')!
  assert.deepEqual([failed.status?.code, attributes(failed)['error.type']], [2, '22P02'])
})

test('a collector that fails costs no purchase, and is told of once', async () => {
  status = 400
  for (let i = 0; i < 3; i += 1) {
    assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 7_000 })).status, 200)
    await tracing.flush().catch(() => {})
  }
  await until(() => lines.length > 0)
  status = 200
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['traces are not taken'],
  )
  assert.ok((await purchase()).length > 0, 'and it goes on')
})
