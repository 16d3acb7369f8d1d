import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttp } from '#base/http/client.ts'
import { alimtalk, ask, brief, magic, startNhn, startSolapi, text } from '#test/messaging.ts'
import { patiently, until } from '#test/patience.ts'

const REQUEST = { method: 'POST', path: '/', headers: {}, body: '{}' } as const

async function startServer(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const statuses = { 405: 'not_sent', 502: 'answered' } as const

// How a server can answer, and what is known afterwards.
const answers: [string, RequestListener, unknown][] = [
  ['JSON', (_, response) => response.end('{"a":1}'), { kind: 'answered', status: 200, body: { a: 1 } }],
  ['no JSON', (_, response) => response.end('<html>'), { kind: 'in_doubt', reason: 'answer_unreadable' }],
  ['nothing', (_, response) => response.end(), { kind: 'in_doubt', reason: 'answer_unreadable' }],
  [
    'a refusal without a body',
    (_, response) => response.writeHead(400).end(),
    { kind: 'answered', status: 400, body: undefined },
  ],
  [
    'a timeout of its own',
    (_, response) => response.writeHead(408).end(),
    { kind: 'in_doubt', reason: 'timeout' },
  ],
  [
    'an error',
    (_, response) => response.writeHead(503).end('{}'),
    { kind: 'in_doubt', reason: 'server_error' },
  ],
  [
    'a redirect',
    (_, response) => response.writeHead(307, { location: '/b' }).end(),
    { kind: 'in_doubt', reason: 'answer_unreadable' },
  ],
  [
    'an address nobody has',
    (_, response) => response.writeHead(404).end(),
    { kind: 'answered', status: 404, body: undefined },
  ],
  [
    'an address nobody has, and we know it',
    (_, response) => response.writeHead(405).end(),
    { kind: 'not_sent' },
  ],
  [
    'an error that is an answer here',
    (_, response) => response.writeHead(502).end('{"a":1}'),
    { kind: 'answered', status: 502, body: { a: 1 } },
  ],
  [
    'too much',
    (_, response) => response.end(`"${'x'.repeat(2_000)}"`),
    { kind: 'in_doubt', reason: 'answer_unreadable' },
  ],
  ['never', () => {}, { kind: 'in_doubt', reason: 'timeout' }],
  [
    'half an answer, then never',
    (_, response) => response.writeHead(200).write('{'),
    { kind: 'in_doubt', reason: 'timeout' },
  ],
  [
    'a dropped connection',
    (request) => request.socket.destroy(),
    { kind: 'in_doubt', reason: 'connection_lost' },
  ],
  [
    'half an answer, then a reset',
    (request, response) => {
      response.writeHead(200).write('{', () => request.socket.resetAndDestroy())
    },
    { kind: 'in_doubt', reason: 'connection_lost' },
  ],
]
for (const [name, listener, expected] of answers) {
  test(`answered with ${name}`, async () => {
    await using server = await startServer(listener)
    const url = `http://127.0.0.1:${server.port}`
    const answerMs = name.endsWith('never') ? 200 : patiently(20_000)
    const http = createHttp({ url, timeouts: { answerMs }, maxAnswerBytes: 1_000, statuses })
    assert.deepEqual(await http.exchange(REQUEST), expected)
    await http.close()
  })
}

test('a name that is nowhere, a closed port, a port that speaks no TLS: certainly not sent', async () => {
  await using server = await startServer((_, response) => response.end('{}'))
  for (const url of ['http://nowhere.invalid', 'http://127.0.0.1:9', `https://127.0.0.1:${server.port}`]) {
    const http = createHttp({ url, timeouts: { connectMs: 500, answerMs: 1_000 } })
    assert.deepEqual(await http.exchange(REQUEST), { kind: 'not_sent' }, url)
    await http.close()
  }
})

test('what waited too long for a connection was not sent, and is not sent later either', async () => {
  let came = 0
  const answerMs = patiently(1_500) // time enough to connect on a busy machine
  await using server = await startServer((_, response) => {
    came += 1
    setTimeout(() => response.end('{}'), 2 * answerMs)
  })
  const http = createHttp({ url: `http://127.0.0.1:${server.port}`, timeouts: { answerMs } })
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => http.exchange(REQUEST)))
  const doubtful = outcomes.filter(({ kind }) => kind === 'in_doubt').length
  assert.equal(outcomes.filter(({ kind }) => kind === 'not_sent').length, 100 - doubtful)
  // A few may have taken the place of others that gave up in the same moment.
  assert.ok(doubtful >= 16 && doubtful < 100, `${doubtful} were sent`)
  await sleep(50)
  assert.ok(came >= 16 && came <= doubtful)
  await http.close()
})

test('an answer given in time on a base address with a path', async () => {
  await using server = await startServer((request, response) => response.end(JSON.stringify(request.url)))
  const http = createHttp({ url: `http://127.0.0.1:${server.port}/base/` })
  assert.deepEqual(await http.exchange({ ...REQUEST, path: '/x?y=1' }), {
    kind: 'answered',
    status: 200,
    body: '/base/x?y=1',
  })
  await http.close()
})

// Long enough that a busy machine gets through what must happen within a pause.
const CIRCUIT = { failures: 3, firstPauseMs: patiently(1_000), maxPauseMs: patiently(2_000) }

test('the circuit opens after failures in a row, tries the way, and closes', async () => {
  await using solapi = await startSolapi({}, { circuit: CIRCUIT })
  const { provider, standIn, watch } = solapi
  const send = async () => brief((await provider.send([text('k')]))[0])
  standIn.breakAll('error_500')
  for (let failed = 0; failed < 2; failed++) await send()
  assert.ok(provider.isAvailable('text'))
  await send()
  assert.equal(provider.isAvailable('text'), false)
  assert.equal(await send(), 'refused circuit_open retryable')
  assert.equal(standIn.counts.sends, 3)
  assert.deepEqual((await provider.find([ask(text('k'))])).map(brief), ['absent'], 'questions pass by')
  await until(() => provider.isAvailable('text'), 'somebody has to try')
  const failedAgain = performance.now()
  assert.equal(await send(), 'unknown server_error')
  assert.equal(provider.isAvailable('text'), false)
  standIn.breakAll(undefined)
  await until(() => provider.isAvailable('text'), 'the way is tried once more')
  assert.ok(performance.now() - failedAgain > CIRCUIT.maxPauseMs - 50, 'the second pause is longer')
  assert.equal(await send(), 'accepted')
  assert.ok(provider.isAvailable('text'))
  const turns = watch.lines.filter((line) => /(open|closed)$/.test(line))
  assert.deepEqual(turns, [
    'solapi alimtalk,text open',
    'solapi alimtalk,text open',
    'solapi alimtalk,text closed',
  ])
})

// What makes the next message fail as well opens the circuit; what is the matter with one message does not.
const blamed: [string, Parameters<typeof startSolapi>, () => ReturnType<typeof text>, boolean][] = [
  ['an empty account', [], () => text('k', magic('1030')), true],
  ['a wrong key', [{}, { apiKey: 'X' }], () => text('k'), true],
  ['no answer in time', [], () => text('k', magic('5004')), true],
  ['a wrong template', [{ templates: {} }], () => alimtalk('k'), false],
  ['too fast', [], () => text('k', magic('4290')), false],
  ['no KakaoTalk user', [], () => alimtalk('k', magic('3104')), false],
]
for (const [name, [standInOptions, options], message, opens] of blamed) {
  test(`${name} ${opens ? 'opens' : 'does not open'} the circuit`, async () => {
    // Late means a failure: only what is to fail has so little time.
    const timeouts = { answerMs: opens ? 100 : patiently(20_000) }
    await using solapi = await startSolapi(standInOptions, { circuit: { failures: 3 }, timeouts, ...options })
    for (let sent = 0; sent < 4; sent++) await solapi.provider.send([message()])
    assert.equal(solapi.provider.isAvailable('text'), !opens)
  })
}

test('nobody there: refused as unreachable, and the circuit opens', async () => {
  await using solapi = await startSolapi({}, { circuit: CIRCUIT })
  await solapi.standIn.close()
  for (let sent = 0; sent < 3; sent++) {
    assert.deepEqual((await solapi.provider.send([text('k')])).map(brief), ['refused unreachable retryable'])
  }
  assert.equal(solapi.provider.isAvailable('alimtalk'), false)
})

test('a wrong address: nobody took the message, and the circuit opens', async () => {
  await using server = await startServer((_, response) => response.writeHead(404).end('{}'))
  await using solapi = await startSolapi({}, { url: `http://127.0.0.1:${server.port}`, circuit: CIRCUIT })
  for (let sent = 0; sent < 3; sent++) {
    assert.deepEqual((await solapi.provider.send([text('k')])).map(brief), ['refused unreachable retryable'])
  }
  assert.equal(solapi.provider.isAvailable('text'), false)
})

test('nhn: each product has its own circuit, and a batch of texts stops at an open one', async () => {
  await using nhn = await startNhn({}, { circuit: { failures: 3 } })
  nhn.standIn.breakAll('error_500')
  const words = (await nhn.provider.send(Array.from({ length: 30 }, (_, index) => text(`k${index}`)))).map(
    brief,
  )
  assert.ok(words.includes('refused circuit_open retryable'))
  assert.ok(nhn.standIn.counts.sends <= 3 + 16)
  assert.equal(nhn.provider.isAvailable('text'), false)
  assert.ok(nhn.provider.isAvailable('alimtalk'))
})

test('a call of many requests begins none when its time is over', async () => {
  // Long enough for a busy machine to begin the first sixteen.
  const timeouts = { callMs: 800, answerMs: 10_000 }
  await using nhn = await startNhn(
    { faults: { rate: 1, kinds: ['slow'], seed: 1 }, slowMs: 600 },
    { timeouts },
  )
  const batch = Array.from({ length: 100 }, (_, index) => text(`k${index}`))
  const words = (await nhn.provider.send(batch)).map(brief)
  const taken = words.filter((word) => word === 'accepted').length
  assert.equal(taken, nhn.standIn.phones.all.length)
  assert.equal(words.filter((word) => word === 'refused unreachable retryable').length, 100 - taken)
  assert.ok(taken >= 16 && taken < 100)
})
