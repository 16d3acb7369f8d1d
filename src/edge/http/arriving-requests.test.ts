import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '#test/patience.ts'
import { watchArrivals } from './arriving-requests.ts'

const server = createServer((request, response) => {
  if (request.url === '/held') held.push(response)
  else request.resume().on('end', () => response.end())
})
const held: ServerResponse[] = []
const seen = { connections: 0, requests: 0 }
server.on('connection', () => {
  seen.connections += 1
})
server.on('request', () => {
  seen.requests += 1
})
const closeStalled = watchArrivals(server)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

const HELD = 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n'
const STALLED = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf'

// Gives what it was answered when the connection ends.
function send(text: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.write(text)
  return new Promise<string>((resolve) => socket.on('error', () => {}).on('close', () => resolve(answer)))
}

test('connections that stall are closed, and one that waits for an answer gets it first', async () => {
  const both = send(`${HELD}${STALLED}`)
  const stalled = send(STALLED)
  const beginning = send('GET / HTTP/1.1\r\nho')
  await until(() => seen.connections === 3 && seen.requests === 3, 'all of them are there')
  closeStalled()
  assert.deepEqual(await Promise.all([stalled, beginning]), ['', ''])
  held[0]!.end('answered')
  await until(() => held[0]!.writableFinished, 'it has left')
  closeStalled()
  assert.match(await both, /^HTTP\/1\.1 200 OK(?:.|\r\n)*answered/)
})

test('an idle connection holds nothing of its last request', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let last: WeakRef<ServerResponse> | undefined
  server.once('request', (_request, response) => {
    last = new WeakRef(response)
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  await until(async () => {
    collect()
    await sleep(1)
    return last?.deref() === undefined
  }, 'it is forgotten')
  assert.equal(socket.destroyed, false)
  socket.destroy()
})
