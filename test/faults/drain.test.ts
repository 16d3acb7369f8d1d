import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { HELD, HOLD, RELEASE } from '#test/held-purchases.ts'
import { writeSecrets } from '#test/installed-folder.ts'
import { isListening } from '#test/listening.ts'
import { until } from '#test/patience.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { ingot, isAlive, processesOf, startServer, temporaryFolder, untilAnswering } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

// By two processes and a worker, by the default of one and a worker, and by one process alone.
const LAYOUTS = { SIGTERM: '2', SIGINT: '', SIGHUP: '0' }

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal}: every request under way is answered, then the service ends with 0`, async () => {
    const database = await createTestDatabase()
    const folder = temporaryFolder()
    writeSecrets(folder.path)
    const layout = LAYOUTS[signal]
    const processes = layout === '2' ? ['api 1', 'api 2'] : []
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path, INGOT_PROCESSES: layout }
    const server = await startServer(settings)
    await untilAnswering(server, ...processes)
    await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme', '--rate-limit', '0')
    const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const buy = (amount: number) =>
      call(`${server.url}${BUY}`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': String(amount) },
        body: JSON.stringify({ phoneNumber: PHONE, amount }),
      })
    assert.equal((await buy(1)).status, 200)

    // Held at the database, so that all of them are under way when the signal comes.
    const holder = new pg.Client(database.connection)
    await holder.connect()
    await holder.query(HOLD)
    const answers = Array.from({ length: 50 }, (_, i) => buy(10 + i))
    const held = Math.max(1, processes.length)
    await until(async () => (await holder.query(HELD)).rows[0].held >= held, 'each process has some')
    // Each process accepts its connections in turn: once it has answered a later one, it has all of its own.
    await untilAnswering(server, ...processes)
    const ended = server.kill(signal)
    await until(async () => !(await isListening(server.url)), 'the port is closed')
    await holder.query(RELEASE)
    await holder.end()
    const statuses = (await Promise.all(answers)).map((answer) => answer.status)
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal(await ended, 0)
    await assert.rejects(call(`${server.url}/healthz`), 'the port is closed')
    await database.drop()
    folder.remove()
  })
}

test('clients that stall in the middle of a request do not keep a stop', async () => {
  const database = await createTestDatabase()
  const folder = temporaryFolder()
  writeSecrets(folder.path)
  const server = await startServer({
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    INGOT_PROCESSES: '0',
    INGOT_ROLES: 'api',
  })
  const head = `POST ${BUY} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90\r\n`
  const whole = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
  // In the body; in the headers; and in the headers of a second request.
  const clients = await Promise.all(
    [`${head}\r\n{"amount"`, head, `${whole}${head}`].map((text) => stall(server.url, text)),
  )
  assert.equal(await server.kill('SIGTERM'), 0)
  for (const client of clients) await client.closed
  await database.drop()
  folder.remove()
})

// Once the server has read it.
async function stall(url: string, text: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}).resume()
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(text)
  await call(`${url}/healthz`)
  return { closed }
}

const lines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

// A service of two API processes, one of which is frozen when it is told to stop.
async function stopWithOneFrozen(t: TestContext) {
  const database = await createTestDatabase()
  const folder = temporaryFolder()
  writeSecrets(folder.path)
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path, INGOT_PROCESSES: '2' }
  const server = await startServer(settings)
  await untilAnswering(server, 'api 1', 'api 2')
  const pids = processesOf(server)
  const [running, frozen, worker] = ['api 1', 'api 2', 'worker'].map((name) => pids.get(name)!)
  process.kill(frozen!, 'SIGSTOP')
  const ended = server.kill('SIGTERM')
  t.after(async () => {
    await server.ended
    await database.drop()
    folder.remove()
  })
  await until(() => !isAlive(running!), 'the other one ends')
  const thaw = () => process.kill(frozen!, 'SIGCONT')
  return { server, frozen: frozen!, worker: worker!, ended, thaw }
}

test('the worker goes on until the API processes have ended; one that hangs does not keep it', async (t) => {
  const { server, frozen, worker, ended, thaw } = await stopWithOneFrozen(t)
  assert.ok(isAlive(worker), 'it waits for the other API process')
  await until(() => !isAlive(worker), 'it has stopped')
  assert.ok(isAlive(frozen), 'and did so first')
  thaw()
  assert.equal(await ended, 0)
  const said = lines(server.output()).filter(({ process }) => process === 'supervisor')
  assert.deepEqual(
    said.map(({ event }) => event),
    ['stopping', 'stopped'],
  )
})

test('a worker that dies during a stop is not started again', async (t) => {
  const { server, worker, ended, thaw } = await stopWithOneFrozen(t)
  process.kill(worker, 'SIGKILL')
  await until(() => lines(server.output()).some(({ event }) => event === 'process ended'), 'it is told')
  thaw()
  assert.equal(await ended, 1)
  const said = lines(server.output())
  const { child, signal } = said.find(({ event }) => event === 'process ended')
  assert.deepEqual([child, signal, said.at(-1).event], ['worker', 'SIGKILL', 'stopped'])
  assert.ok(!said.some(({ event }) => event === 'process started again'))
})
