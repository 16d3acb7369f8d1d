import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { LIMITS } from '#edge/server.ts'
import { assertHides } from '#test/hidden.ts'
import { until } from '#test/patience.ts'
import { BUY, call, PHONE, startService } from '#test/service.ts'

const CONTRACT = new URL('../../contract/openapi.json', import.meta.url)

const limits = { ...LIMITS, requestMs: 1_000, headersMs: 500, checkMs: 100 }
const service = await startService({ logLevel: 'trace', limits })
const { url } = service
const { hostname, port } = new URL(url)

// Bytes as sent, bytes as answered.
function raw(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

test('health, readiness', async () => {
  assert.deepEqual(await call(`${url}/healthz`).then(({ status, text }) => [status, text]), [
    200,
    '{"status":"ok"}',
  ])
  assert.deepEqual(await call(`${url}/readyz`).then(({ status, text }) => [status, text]), [
    200,
    '{"status":"ready"}',
  ])
})

test('every metric that the alerts and the dashboard ask for is there', async () => {
  const { text } = await call(`${url}/metrics`)
  for (const file of ['alerts.yml', 'grafana/ingot.json']) {
    const asking = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
    const asked = new Set(asking.match(/\b(?:ingot|process)_\w+(?=\{|\[|\)| [=><])/g))
    assert.ok(asked.size >= 20, file)
    // A histogram has its series under names of their own.
    for (const name of asked)
      assert.match(
        text,
        new RegExp(`^# HELP ${name.replace(/_(?:bucket|count)$/, '')} `, 'm'),
        `${file}: ${name}`,
      )
  }
})

test('metrics: purchases by outcome, batch sizes, pool, latency', async () => {
  const { buy } = await service.addPartner()
  await buy({ phoneNumber: PHONE, amount: 500 })
  const { text, headers } = await call(`${url}/metrics`)
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(text, /ingot_purchases_total\{outcome="issued"\} [1-9]/)
  assert.match(text, /ingot_purchased_won_total [5-9]\d\d/)
  assert.match(text, /ingot_batch_size_count\{batch="buy"\} [1-9]/)
  assert.match(text, /ingot_db_pool_connections\{state="idle"\} \d/)
  assert.match(
    text,
    /ingot_http_request_seconds_bucket\{le="\+Inf",route="\/v2\/partner\/metal\/giftcard\/buy",method="POST",status="200"\} [1-9]/,
  )
})

test('431: headers too large', async () => {
  const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 431 /)
  assert.match(answer, /X-Request-Id: req_\w+\r\n/)
  assert.ok(answer.endsWith('{"error":"Headers too large"}'))
})

test('400: not HTTP at all', async () => {
  const answer = await raw('HELLO\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.ok(answer.endsWith('{"error":"Invalid request"}'))
})

test('408: a request that does not arrive in time, headers or body; others are not held up', async () => {
  const { key } = await service.addPartner()
  const slowHeaders = raw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  const slowBody = raw(
    `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 50\r\n\r\n{"phone',
  )
  assert.equal((await call(`${url}/healthz`)).status, 200)
  for (const answer of await Promise.all([slowHeaders, slowBody])) {
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.ok(answer.endsWith('{"error":"Request timeout"}'))
  }
})

test('a good purchase followed by garbage on its connection is never answered with 400', async () => {
  const { key, get } = await service.addPartner()
  const body = JSON.stringify({ phoneNumber: PHONE, amount: 77 })
  const answer = await raw(
    `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}\0\0garbage\r\n\r\n`,
  )
  const { totalIssued } = (await get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')).body
  assert.ok(!answer.includes(' 400 ') || totalIssued === 0, answer)
})

test('a purchase whose caller hung up has its line and its measurement too', async () => {
  const { key, get, partner } = await service.addPartner()
  const body = JSON.stringify({ phoneNumber: PHONE, amount: 88 })
  // The purchase is kept waiting at the database while its caller goes away.
  const holder = await service.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from account where partner_id = $1 for update', [partner.id])
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
  })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await service.database.pool.query(waiting)).rows.length > 0)
  socket.destroy()
  await until(() => service.log.some((line) => line.includes(`"${partner.code}"`)))
  await holder.query('commit')
  holder.release()
  const totals = () => get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
  await until(async () => (await totals()).body.totalIssued > 0)
  const lines = service.log.map((line) => JSON.parse(line))
  const bought = lines.filter((line) => line.partner === partner.code && line.route === BUY)
  assert.deepEqual(
    bought.map((line) => line.status),
    [499],
  )
  assert.equal((await totals()).body.totalIssued, 88)
})

test('a body that breaks the rules of HTTP is answered 400, and is not taken for a lost database', async () => {
  const { key, get } = await service.addPartner()
  const answer = await raw(
    `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      'Transfer-Encoding: chunked\r\n\r\nnot a chunk\r\n',
  )
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.ok(answer.endsWith('{"error":"Invalid request"}'))
  assert.equal((await get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')).body.totalIssued, 0)
  assert.ok(!service.log.some((line) => line.includes('"unavailable"')))
})

test('every answer is of our shape: no Host, an unknown Expect', async () => {
  const noHost = await raw('GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.match(noHost, /x-request-id: req_/)
  assert.ok(noHost.endsWith('{"error":"Not found"}'), noHost)
  const expecting = await raw('GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n')
  assert.ok(expecting.endsWith('{"error":"Not found"}'), expecting)
})

test('413 without reading it all: a body announced as huge', async () => {
  const { key } = await service.addPartner()
  const answer = await raw(
    `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 1000000000\r\nConnection: close\r\n\r\n{',
  )
  assert.match(answer, /^HTTP\/1\.1 413 /)
})

test('a body that is a little too large is refused before it comes, and the connection goes on', async (t) => {
  const { key } = await service.addPartner()
  const body = 'x'.repeat(20_000)
  const socket = connect(Number(port), hostname)
  t.after(() => socket.destroy())
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.write(
    `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  )
  await until(() => received.includes('"error"'), 'the refusal')
  assert.match(received, /^HTTP\/1\.1 413 /)
  // A proxy sends the whole body, also after the answer.
  socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
  await until(() => received.includes('HTTP/1.1 200 '), 'the next answer')
})

test('a deeply nested body is answered, not choked on', async () => {
  const { buy } = await service.addPartner()
  const nested = `{"phoneNumber":"${PHONE}","amount":1,"x":${'['.repeat(7000)}${']'.repeat(7000)}}`
  assert.equal((await buy(nested)).status, 200)
})

test('every answer has a request id of our own making', async () => {
  for (const path of ['/healthz', '/nowhere', BUY, '/openapi.json']) {
    const { headers } = await call(`${url}${path}`, { headers: { 'x-request-id': '010-9999-8888' } })
    assert.match(headers.get('x-request-id') ?? '', /^req_\w+$/)
  }
})

test('logs: a line per request by route, partner and key id; no person, PIN or secret at any level', async () => {
  const { buy, get, key, keyId, partner } = await service.addPartner()
  const canary = '010-7654-3210'
  const bought = await buy({ phoneNumber: canary, amount: 4321 }, { 'idempotency-key': `order of ${canary}` })
  await get(`${BUY}/${bought.body.data.giftId}`)
  await buy({ phoneNumber: `${canary}x`, amount: 1 })
  await buy(`{"phoneNumber":"${canary}"`)
  await get(`/v2/partner/usage?startDate=${canary}&endDate=${canary}`)
  await call(`${url}/nowhere/${canary}?phone=${canary}`, { headers: { authorization: `Bearer ${key}x` } })
  const log = service.log.join('')
  const line = JSON.parse(service.log.find((entry) => entry.includes(partner.code))!)
  assert.deepEqual(
    { route: line.route, method: line.method, status: line.status, keyId: line.keyId },
    { route: BUY, method: 'POST', status: 200, keyId },
  )
  assert.match(line.requestId, /^req_/)
  const numbers = ['7654-3210', '76543210', canary]
  assertHides(log, [...numbers, key, key.slice(20, 52), bought.body.data.giftId], 'the log')
})

test('a dump of the database holds no number, PIN, key or idempotency key in the clear', async () => {
  const { buy, key } = await service.addPartner()
  await buy({ phoneNumber: '010-8765-4321', amount: 1 }, { 'idempotency-key': 'canary-8765' })
  const tables = await service.database.db
    .selectFrom('pg_tables' as never)
    .select('tablename' as never)
    .where('schemaname' as never, '=', 'public' as never)
    .execute()
  let dump = ''
  for (const { tablename } of tables as { tablename: string }[]) {
    const { rows } = await service.database.pool.query(`select t::text as row from ${tablename} t`)
    dump += rows.map(({ row }) => row).join('\n')
  }
  assert.ok(dump.length > 1000)
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const secrets = ['87654321', '8765-4321', 'canary', key, key.slice(20, 52)]
  assertHides(dump, [...secrets, ...secrets.map(hex)], 'the dump')
})

test('docs: the document and its reference, with nothing from elsewhere', async () => {
  const document = await call(`${url}/openapi.json`)
  assert.equal(document.body.openapi, '3.1.0')
  // The partners' paths and nobody else's, as the contract has them.
  const { paths } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as { paths: object }
  assert.deepEqual(Object.keys(document.body.paths), Object.keys(paths))
  assert.ok(Object.keys(paths).every((path) => /^\/v1\/partners\/|^\/v2\/partner\//.test(path)))
  const page = await call(`${url}/docs/`)
  const script = /src="(js\/scalar-[0-9a-f]{16}\.js)"/.exec(page.text)?.[1]
  const sizes: Record<string, number> = {}
  for (const encoding of ['br', 'gzip', 'identity']) {
    const head = { headers: { 'accept-encoding': encoding } }
    const answer = await fetch(`${url}/docs/${script}`, head)
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    sizes[encoding] = Number(answer.headers.get('content-length'))
    await answer.bytes()
  }
  assert.ok(
    sizes.br! < 1_200_000 && sizes.gzip! < 1_400_000 && sizes.identity! > 4_000_000,
    JSON.stringify(sizes),
  )
  assert.equal(page.status, 200)
  const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
  assert.ok(
    addresses.every((address) => !/^https?:|^\/\//.test(address ?? '')),
    addresses.join(),
  )
})
