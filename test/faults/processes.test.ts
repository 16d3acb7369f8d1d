import assert from 'node:assert/strict'
import { constants, copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readRelease } from '#app/version.ts'
import { verifyAudit } from '#flows/audit/verify-audit.ts'
import { deliveriesOf } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { TEST_RING_FILE, TEST_VAULT } from '#test/postgres.ts'
import { startPostgresProxy } from '#test/postgres-proxy.ts'
import {
  freePort,
  isAlive,
  launchServer,
  MAIN,
  processesOf,
  startIngot,
  startServer,
  temporaryFolder,
  untilAnswering,
} from '#test/process.ts'
import { BUY, call, PHONE, startService } from '#test/service.ts'

// One service of two API processes and a worker, for all of these.
const aside = await startService()
const folder = temporaryFolder()
test.after(() => folder.remove())
const settings = {
  DATABASE_URL: aside.on.url,
  DATA_DIR: folder.path,
  KEY_RING_FILE: join(folder.path, 'ring.json'),
  INGOT_PROCESSES: '2',
  PORT: String(await freePort()),
}
writeFileSync(settings.KEY_RING_FILE, TEST_RING_FILE, { mode: 0o600 })
// A Node of its own, so that a test can take it away.
const node = join(folder.path, 'node')
copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE)
const program = { node, main: MAIN }
let server = await startServer(settings, program)
const { url } = server

// By a connection of its own, which the supervisor hands to the next process. Undefined if it was cut.
function ask(path: string, { key, body }: { key?: string; body?: object } = {}) {
  const headers = {
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(body ? { 'content-type': 'application/json', 'idempotency-key': JSON.stringify(body) } : {}),
  }
  return new Promise<IncomingMessage | undefined>((resolve) => {
    const asked = request(url + path, { agent: false, method: body ? 'POST' : 'GET', headers }, (answer) => {
      answer.resume().once('close', () => resolve(answer.complete ? answer : undefined))
    })
    asked.once('error', () => resolve(undefined)).end(body && JSON.stringify(body))
  })
}

const lines = () =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

await untilAnswering(server, 'api 1', 'api 2')

const rolesIn = (metrics: string) => metrics.match(/(?<=^ingot_role\{role=").*$/gm)?.toSorted()

test('metrics are the sum over processes, and say what the worker does', async () => {
  const partner = await aside.addPartner({ rateLimit: 0 })
  const missing = `${BUY}/019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55`
  for (let i = 0; i < 20; i += 1) assert.equal((await ask(missing, partner))?.statusCode, 404)
  const counted = new RegExp(
    `^ingot_http_request_seconds_count\\{route="${BUY}/[^"]+",.*status="404"\\} 20$`,
    'm',
  )
  const text = await until(async () => {
    const { text } = await call(`${url}/metrics`)
    return counted.test(text) && text
  }, 'all of them are counted')
  assert.match(text, /^ingot_worker_status\{status="running"\} 1$/m)
  assert.match(text, /^ingot_worker_rest [0-4]$/m)
  // Two API processes are one role, or an alert on it would count processes.
  assert.deepEqual(rolesIn(text), ['api"} 1', 'worker"} 1'])
  // Of the database, which all of them share: read later, one process alone tells a higher age. A sum would be twice it.
  const ageIn = (figures: string) => Number(/^ingot_verify_age_seconds (\S+)$/m.exec(figures)?.[1])
  const later = ageIn((await call(`${aside.url}/metrics`)).text)
  assert.ok(ageIn(text) > 0 && ageIn(text) <= later, `${ageIn(text)}, then ${later}`)
  assert.deepEqual((await call(`${url}/readyz`)).body, { status: 'ready', worker: 'running' })
})

test("a partner's rate is the partner's, not times the processes", async () => {
  const rateLimit = 40
  const partner = await aside.addPartner({ rateLimit })
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask('/v2/partner/usage', partner)))
  const seconds = (performance.now() - began) / 1000
  const passed = answers.filter((answer) => answer?.statusCode !== 429)
  assert.ok(passed.length >= rateLimit, `${passed.length} passed`)
  assert.ok(passed.length <= rateLimit * (1 + seconds) + 1, `${passed.length} passed in ${seconds} s`)
  for (const answer of answers) assert.equal(answer?.headers['ratelimit-limit'], String(rateLimit))
  assert.ok(answers.some((answer) => answer?.statusCode === 429 && answer.headers['retry-after'] === '1'))
})

test('kill -9 of an API process: the other one answers, it is started again, and nothing is lost', async () => {
  const partner = await aside.addPartner({ rateLimit: 0 })
  const victim = processesOf(server).get('api 2')!
  let amount = 1_000
  let answeredSince = 0
  let isOver = false
  const isBack = () =>
    lines().some(({ event, child }) => event === 'process started again' && child === 'api 2')
  const clients = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      amount += 1
      const purchase = { key: partner.key, body: { phoneNumber: PHONE, amount } }
      const first = await ask(BUY, purchase)
      // Cut off: the same request again gives the one card.
      const last = first ?? (await until(() => ask(BUY, purchase)))
      assert.equal(last.statusCode, 200)
      if (!isAlive(victim) && !isBack()) answeredSince += 1
      await sleep(10)
    }
  })
  process.kill(victim, 'SIGKILL')
  await until(isBack, 'it is started again').finally(() => {
    isOver = true
  })
  await Promise.all(clients)
  assert.ok(answeredSince > 0, 'the other process answers meanwhile')
  const end = lines().find(({ event }) => event === 'process ended')
  assert.deepEqual([end.process, end.child, end.signal], ['supervisor', 'api 2', 'SIGKILL'])
  assert.notEqual(processesOf(server).get('api 2'), victim)
  await untilAnswering(server, 'api 1', 'api 2')
})

test('kill -9 of the worker: it is started again, and messages go out', async () => {
  const partner = await aside.addPartner()
  const victim = processesOf(server).get('worker')!
  process.kill(victim, 'SIGKILL')
  const { giftId } = (await partner.at(server).buy({ phoneNumber: PHONE, amount: 1_000 })).body.data
  await until(async () => (await deliveriesOf(partner, giftId)).every(({ status }) => status === 'delivered'))
  assert.notEqual(processesOf(server).get('worker'), victim)
  await until(async () => (await call(`${url}/readyz`)).body.worker === 'running')
})

// The statement of the sealer that waits for a lock.
const SEALER_WAITS = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and ltrim(query) like $1`

test('kill -9 of the worker between the steps of sealing: every entry has one position, and the chain is whole', async () => {
  const clients = [new pg.Client(aside.on.connection), new pg.Client(aside.on.connection)] as const
  const [links, queue] = clients
  for (const client of clients) {
    client.on('error', () => {})
    await client.connect()
  }
  const kill = async (statement: string) => {
    // By another connection: a transaction sees the activity of its beginning.
    await until(
      async () => (await aside.database.pool.query(SEALER_WAITS, [`${statement}%`])).rows.length > 0,
      statement,
    )
    process.kill(processesOf(server).get('worker')!, 'SIGKILL')
  }
  // Held before its first write; then between its links and the end of the waiting.
  for (const isLater of [false, true]) {
    await until(async () => (await call(`${url}/readyz`)).body.worker === 'running')
    await links.query('begin')
    await links.query('lock table audit_chain in share mode')
    await aside.addPartner()
    await queue.query('begin')
    if (isLater) await queue.query('select from audit_unsealed for update')
    if (isLater) await links.query('rollback')
    await kill(isLater ? 'delete from audit_unsealed' : 'insert into audit_chain')
    for (const client of clients) await client.query('rollback')
  }
  const isSealed = async () => (await links.query('select from audit_unsealed')).rows.length === 0
  await until(isSealed, 'the next worker seals the rest')
  for (const client of clients) await client.end()
  const { sealedTo, findings } = await verifyAudit(aside.database, TEST_VAULT, {})
  assert.deepEqual(findings, [])
  assert.ok(sealedTo > 0n)
})

test('a process that cannot be started is tried again until it can', async () => {
  const victim = processesOf(server).get('worker')!
  renameSync(node, `${node}-away`)
  process.kill(victim, 'SIGKILL')
  await until(
    () => lines().filter(({ child, reason }) => child === 'worker' && /ENOENT/.test(reason)).length > 1,
    'it was tried more than once',
  )
  await until(async () => (await call(`${url}/readyz`)).body.worker === 'starting')
  renameSync(`${node}-away`, node)
  await until(async () => (await call(`${url}/readyz`)).body.worker === 'running')
  assert.match(
    (await call(`${url}/metrics`)).text,
    /^ingot_process_restarts_total\{process="worker"\} ([3-9]|\d\d+)$/m,
  )
})

test('every line of the log names a field once', () => {
  for (const line of server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{')))
    assert.equal(JSON.stringify(JSON.parse(line)), line)
})

test('files that are replaced under a service: no process of another release joins it, and the others serve', async () => {
  const release = readRelease()
  const began = lines().length
  // The next process is started as if the supervisor were of another release.
  renameSync(node, `${node}-away`)
  const told = `for word; do shift; [ "$word" = '${release}' ] && word=0.0.1; set -- "$@" "$word"; done`
  writeFileSync(node, `#!/bin/sh\n${told}\nexec '${node}-away' "$@"\n`, { mode: 0o755 })
  process.kill(processesOf(server).get('api 1')!, 'SIGKILL')
  const refusal = `ingot: the files were replaced by release ${release} while 0.0.1 runs: restart the service\n`
  await until(() => server.output().includes(refusal), 'it refuses')
  assert.equal((await call(`${url}/readyz`)).status, 200)
  renameSync(`${node}-away`, node)
  const since = () => lines().slice(began)
  await until(
    () => since().some(({ event, child }) => event === 'process started again' && child === 'api 1'),
    'it is started again',
  )
  assert.ok(since().some(({ child, reason }) => child === 'api 1' && reason === 'exit code 1'))
  await untilAnswering(server, 'api 1', 'api 2')
})

test('a bug in the supervisor: its place goes to the log, its message does not', async () => {
  const bug = `import cluster from 'node:cluster'
    cluster.on('fork', () => { throw new TypeError(['some', 'body'].join('')) })`
  const { code, stdout, stderr } = await startIngot(
    { ...settings, PORT: '0', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` },
    'serve',
  )
  const { event, process, error, stack } = JSON.parse(stdout)
  assert.deepEqual([code, event, process, error], [1, 'crashed', 'supervisor', 'TypeError'])
  assert.match(stack, /^at /)
  assert.doesNotMatch(stdout + stderr, /somebody/)
})

test('kill -9 of the supervisor: every process ends, and the service starts again in the same place', async () => {
  const pids = [...processesOf(server).values()]
  assert.equal(pids.length, 3)
  assert.equal(await server.kill('SIGKILL'), 'SIGKILL')
  await until(() => !pids.some(isAlive), 'no process is left')
  server = await startServer(settings)
  assert.equal((await call(`${url}/readyz`)).status, 200)
  assert.equal(await server.kill('SIGTERM'), 0)
  const events = lines().map(({ event }) => event)
  assert.equal(events.filter((event) => event === 'ready').length, 1)
  assert.deepEqual([events.includes('process ended'), events.at(-1)], [false, 'stopped'])
})

test('without a worker role nothing is said of a worker; a second signal leaves no frozen process behind', async () => {
  server = await startServer({ ...settings, INGOT_ROLES: 'api' })
  await untilAnswering(server, 'api 1', 'api 2')
  for (let i = 0; i < 2; i += 1) {
    assert.equal((await ask('/readyz'))?.statusCode, 200)
    assert.deepEqual((await call(`${url}/readyz`)).body, { status: 'ready' })
    const { text } = await call(`${url}/metrics`)
    assert.doesNotMatch(text, /^ingot_worker_status\{/m)
    assert.deepEqual(rolesIn(text), ['api"} 1'])
  }
  const pids = [...processesOf(server).values()]
  process.kill(processesOf(server).get('api 2')!, 'SIGSTOP')
  await until(
    () => !server.child.kill('SIGTERM') || server.child.exitCode !== null,
    'a second signal ends it',
  )
  assert.equal(await server.ended, 1)
  await until(() => !pids.some(isAlive), 'no process is left')
})

test('Ctrl-C while a process loads is no error', async () => {
  server = await launchServer(settings)
  const loading = await until(() => processesOf(server).get('api 1'))
  server.child.kill('SIGINT')
  process.kill(loading, 'SIGINT')
  assert.equal(await server.ended, 0)
  assert.deepEqual(
    lines().filter(({ level }) => level > 30),
    [],
  )
})

test('a process that leaves before the service is ready ends it with 1', async () => {
  const proxy = await startPostgresProxy(aside.on)
  proxy.goAway('ingot worker')
  server = await launchServer({ ...settings, DATABASE_URL: proxy.url })
  await until(async () => (await ask('/readyz'))?.statusCode === 503)
  process.kill(processesOf(server).get('api 1')!, 'SIGTERM')
  assert.equal(await server.ended, 1)
})
