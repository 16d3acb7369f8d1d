import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { until, within } from '#test/patience.ts'
import { TEST_RING_FILE } from '#test/postgres.ts'
import { MAIN, processesOf, startServer, temporaryFolder, untilAnswering } from '#test/process.ts'
import { startService } from '#test/service.ts'

// A service that may have few files open, which connections are too, or few connections to its database.

const SERVICE = fileURLToPath(new URL('scarce/service.ts', import.meta.url))

const aside = await startService()
const folder = temporaryFolder()
test.after(() => folder.remove())
const settings = {
  DATABASE_URL: aside.on.url,
  DATA_DIR: folder.path,
  KEY_RING_FILE: join(folder.path, 'ring.json'),
  INGOT_PROCESSES: '2',
  INGOT_ROLES: 'api',
}
writeFileSync(settings.KEY_RING_FILE, TEST_RING_FILE, { mode: 0o600 })
const names = ['api 1', 'api 2']

// By a connection of its own: the answer's status, or undefined if the connection is closed without one.
function ask(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => resolve(answer.resume().statusCode)).once('error', () =>
      resolve(undefined),
    )
  })
}

test('a connection that its process cannot take is closed, and the process gets the next one', async () => {
  const child = spawn('sh', ['-c', 'ulimit -n 128; exec "$0" "$1"', process.execPath, SERVICE], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  const order = async (word: string) => {
    child.stdin.write(`${word}\n`)
    await until(() => said.includes(`${word} done\n`))
  }
  try {
    const [, port] = await until(() => /port (\d+)\n/.exec(said))
    const url = `http://127.0.0.1:${port}`
    assert.equal(await ask(url), 200)
    await order('take')
    assert.equal(await within(ask(url), () => 'it is closed'), undefined)
    await until(() => said.includes('connection dropped\n'))
    await order('free')
    assert.equal(await ask(url), 200)
  } finally {
    child.stdin.end()
    child.kill('SIGKILL')
  }
})

test('more connections than files: the rest is closed, and every process goes on', async () => {
  const node = join(folder.path, 'node')
  writeFileSync(node, `#!/bin/sh\nulimit -n 400\nexec "${process.execPath}" "$@"\n`)
  chmodSync(node, 0o755)
  const server = await startServer(settings, { node, main: MAIN })
  await untilAnswering(server, ...names)
  assert.match(
    server.output(),
    /may open 400 files \(ulimit -n\)","count":200,"event":"fewer connections are accepted"/,
  )
  const sockets = await Promise.all(Array.from({ length: 700 }, () => hold(server.url)))
  await until(() => sockets.filter(({ destroyed }) => destroyed).length >= 300, 'the rest is closed')
  for (const socket of sockets) socket.destroy()
  await untilAnswering(server, ...names)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('a database that allows few connections: no more processes than they are enough for', async () => {
  const { database } = new pg.Client({ connectionString: aside.on.url })
  const limit = (most: number) =>
    aside.database.pool.query(`alter database ${pg.escapeIdentifier(database!)} connection limit ${most}`)
  await limit(30)
  const server = await startServer(settings)
  await until(() => server.output().includes('fewer processes are started'))
  assert.match(server.output(), /PostgreSQL allows connections for 1","count":1/)
  await limit(-1)
  await untilAnswering(server, 'api 1')
  assert.equal(processesOf(server).get('api 2'), undefined)
  assert.equal(await server.kill('SIGTERM'), 0)
})

async function hold(url: string): Promise<Socket> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.on('close', () => socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()))
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.resume()
  return socket
}
