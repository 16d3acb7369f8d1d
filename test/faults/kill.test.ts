import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { patiently, until } from '#test/patience.ts'
import { ingot, type ServerProcess, startServer, temporaryFolder } from '#test/process.ts'
import { type Answer, BUY, call } from '#test/service.ts'

// A client writes down each purchase and its outcome, and the service is killed under it. Afterwards the invariants
// hold: an acknowledged purchase exists once, and an unknown one resolves one way.
const ROUNDS = 6
const USAGE = '/v2/partner/usage?startDate=2026-1-1&endDate=2026-12-31'
const CLIENTS = 12

interface Wish {
  idempotencyKey: string
  phoneNumber: string
  amount: number
  // The acknowledged answer; undefined while the outcome is unknown.
  giftId?: string
}

const folder = temporaryFolder()
const settings = { DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn', INGOT_ROLES: 'api' }
test.after(() => folder.remove())

const PID_FILE = join(settings.DATA_DIR, 'postgres', 'data', 'postmaster.pid')

function postmasterPid(): number {
  return Number(readFileSync(PID_FILE, 'utf8').split('\n')[0])
}

function request(url: string, key: string, wish: Wish): Promise<Answer | undefined> {
  const { idempotencyKey, ...body } = wish
  return call(`${url}${BUY}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  }).catch(() => undefined)
}

let serial = 0

async function buyUntilItFalls(server: ServerProcess, key: string, wishes: Wish[]): Promise<void> {
  let alive = true
  void server.ended.then(() => {
    alive = false
  })
  async function client(): Promise<void> {
    while (alive) {
      serial += 1
      const phoneNumber = `010-2${String(serial).padStart(3, '0').slice(-3)}-5678`
      const wish: Wish = { idempotencyKey: `k${serial}`, phoneNumber, amount: 1 + (serial % 9973) }
      wishes.push(wish)
      const answer = await request(server.url, key, wish)
      if (answer?.status === 200) wish.giftId = answer.body.data.giftId
      // A server that is alive never says anything but yes or "not now".
      else if (answer)
        assert.deepEqual([answer.status, answer.text], [503, '{"error":"Service unavailable"}'])
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

async function assertKept(url: string, key: string, wishes: readonly Wish[]): Promise<void> {
  const seen = new Set<string>()
  for (const wish of wishes) {
    const known = wish.giftId
    const answer = await request(url, key, wish)
    assert.ok(answer?.status === 200, answer?.text ?? 'no answer')
    const { giftId } = answer.body.data
    if (known) assert.equal(giftId, known, 'an acknowledged purchase is answered with its own card')
    wish.giftId = giftId
    assert.ok(!seen.has(giftId), 'one key, one card')
    seen.add(giftId)
    const card = await call(`${url}${BUY}/${giftId}`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(card.body.data.amount, wish.amount)
  }
}

const acknowledgedOf = (wishes: readonly Wish[]) => wishes.filter((wish) => wish.giftId).length

async function issueKey(): Promise<string> {
  const run = await ingot(settings, 'key', 'issue', 'hanbit-pay', '--json')
  assert.equal(run.code, 0, run.stderr)
  return JSON.parse(run.stdout).key
}

test(`${ROUNDS} rounds of kill -9 under load lose and double nothing`, async (t) => {
  let server = await startServer(settings)
  const limits = await ingot(settings, 'partner', 'set', 'hanbit-pay', '--rate-limit', '0')
  assert.equal(limits.code, 0, limits.stderr)
  const key = await issueKey()
  const wishes: Wish[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const load = buyUntilItFalls(server, key, wishes)
    const before = acknowledgedOf(wishes)
    await until(() => acknowledgedOf(wishes) > before + 20, 'purchases go on')
    await sleep(Math.random() * 300)
    // In turn: the server alone, and everything at once.
    const everything = round % 2 === 1
    const postmaster = postmasterPid()
    server.child.kill('SIGKILL')
    if (everything) process.kill(postmaster, 'SIGKILL')
    await load
    assert.equal(await server.ended, 'SIGKILL')
    // With one API process and with two. Each is killed alone and with its PostgreSQL.
    server = await startServer({ ...settings, INGOT_PROCESSES: round % 4 < 2 ? '1' : '2' })
    if (!everything) assert.equal(postmasterPid(), postmaster, 'PostgreSQL left running is found and used')
    const verified = await ingot(settings, 'verify', '--json')
    assert.equal(verified.code, 0, verified.stdout)
  }
  const acknowledged = acknowledgedOf(wishes)
  await assertKept(server.url, key, wishes)
  t.diagnostic(`${acknowledged} acknowledged, ${wishes.length - acknowledged} unknown, in ${ROUNDS} kills`)
  assert.ok(acknowledged > 100)
  assert.equal(await server.kill('SIGTERM'), 0)
  const alone = await ingot(settings, 'verify', '--json')
  assert.equal(alone.code, 0, alone.stdout)
})

test('the database killed under a running server: 503 with Retry-After, then it recovers by itself', async (t) => {
  const server = await startServer(settings)
  const key = await issueKey()
  const wish = (): Wish => {
    serial += 1
    return { idempotencyKey: `d${serial}`, phoneNumber: '010-1234-5678', amount: 10 }
  }
  // Under load: a connection must also be able to break in the middle of a statement.
  let stop = false
  const load = Array.from({ length: 8 }, async () => {
    while (!stop) {
      const answer = await request(server.url, key, wish())
      assert.ok(answer && [200, 503].includes(answer.status), answer?.text ?? 'the server itself stays up')
      if (answer.status === 503) await sleep(10)
    }
  })
  assert.equal((await request(server.url, key, wish()))?.status, 200)
  process.kill(postmasterPid(), 'SIGKILL')
  const began = performance.now()
  const statuses = new Map<number, number>()
  let recoveredMs = Number.POSITIVE_INFINITY
  while (performance.now() - began < patiently(60_000)) {
    const answer = await request(server.url, key, wish())
    assert.ok(answer, 'the server itself stays up')
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 200) {
      recoveredMs = performance.now() - began
      break
    }
    for (const path of [`${BUY}/019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55`, USAGE]) {
      const read = await call(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      assert.ok([200, 404, 503].includes(read.status), read.text)
    }
    assert.deepEqual([answer.status, answer.text], [503, '{"error":"Service unavailable"}'])
    assert.equal(answer.headers.get('retry-after'), '1')
    await sleep(20)
  }
  stop = true
  await Promise.all(load)
  // Ten seconds on a quiet machine: the time is printed.
  assert.ok(Number.isFinite(recoveredMs), 'writes are back')
  assert.equal((await call(`${server.url}/readyz`)).status, 200)
  t.diagnostic(`back after ${Math.round(recoveredMs)} ms, ${statuses.get(503) ?? 0} answers of 503 meanwhile`)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('a second server on the same DATA_DIR joins the running database, and the last one stops it', async () => {
  const first = await startServer(settings)
  const second = await startServer(settings)
  const key = await issueKey()
  const wish: Wish = { idempotencyKey: 'two', phoneNumber: '010-1234-5678', amount: 77 }
  const one = await request(first.url, key, wish)
  const two = await request(second.url, key, wish)
  assert.equal(one?.text, two?.text)
  assert.equal(two?.headers.get('idempotency-replayed'), 'true')

  // Each replay commits something of its own, so that with replication it waits as the purchase did.
  const { databasePassword } = JSON.parse(readFileSync(join(settings.DATA_DIR, 'secrets.json'), 'utf8'))
  const member = await joinEmbeddedPostgres({ dataDir: settings.DATA_DIR, password: databasePassword })
  const client = new pg.Client({ ...member.connection })
  await client.connect()
  const nextTransaction = async () =>
    BigInt((await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text as x')).rows[0].x)
  const before = await nextTransaction()
  for (let i = 0; i < 5; i += 1) await request(second.url, key, wish)
  assert.ok((await nextTransaction()) - before >= 5n)
  await client.end()
  await member.leave()
  assert.equal(await first.kill('SIGTERM'), 0)
  assert.equal((await request(second.url, key, wish))?.status, 200)
  assert.equal(await second.kill('SIGTERM'), 0)
  assert.ok(!existsSync(PID_FILE), 'PostgreSQL is stopped with the last of them')
})
