import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { install } from '#test/installed-folder.ts'
import { until } from '#test/patience.ts'
import { ingot, type ServerProcess, startServer, temporaryFolder } from '#test/process.ts'
import { type Answer, BUY, call } from '#test/service.ts'

// A DATA_DIR is copied while its service runs, and the copy is started beside it: each stays with its own database.
const CLIENTS = 4
const REST_MS = 100 // of a client between two purchases: each card is looked up at both in the end
const SOME = 20 // purchases, before and after each thing that happens

const folder = temporaryFolder()
const settingsOf = (name: string) => ({
  DATA_DIR: join(folder.path, name),
  LOG_LEVEL: 'warn',
  INGOT_ROLES: 'api',
})
const original = settingsOf('data')
const copy = settingsOf('copy')
test.after(() => folder.remove())
install(original.DATA_DIR)

// fs.cp keeps no owners. Files that vanish while they are copied are of no matter: the write-ahead log has them.
function copyFolder(from: string, to: string): void {
  spawnSync('cp', ['-a', from, to])
  assert.ok(existsSync(join(to, 'embedded-postgres.json')))
}

function postmasterOf({ DATA_DIR }: { DATA_DIR: string }): number {
  const path = join(DATA_DIR, 'postgres', 'data', 'postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : 0
}

const headers = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

function buy(server: ServerProcess, key: string, idempotencyKey: string): Promise<Answer | undefined> {
  return call(`${server.url}${BUY}`, {
    method: 'POST',
    headers: { ...headers(key), 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ phoneNumber: '010-2345-5678', amount: 1_000 }),
  }).catch(() => undefined)
}

let serial = 0

/** Clients that buy until told to stop; every acknowledged card by its idempotency key. */
function startBuying(t: TestContext, server: ServerProcess, key: string) {
  const bought = new Map<string, string>()
  let buying = true
  async function client(): Promise<void> {
    while (buying) {
      serial += 1
      const idempotencyKey = `order-${serial}`
      const answer = await buy(server, key, idempotencyKey)
      if (answer?.status === 200) bought.set(idempotencyKey, answer.body.data.giftId)
      await sleep(REST_MS)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  const stop = async () => {
    buying = false
    await clients
  }
  t.after(stop) // also when an assertion failed before it
  return { bought, stop }
}

async function findCard(server: ServerProcess, key: string, giftId: string): Promise<number> {
  return until(async () => {
    const answer = await call(`${server.url}${BUY}/${giftId}`, { headers: headers(key) }).catch(
      () => undefined,
    )
    return answer?.status !== 503 && answer?.status
  }, 'an answer to a lookup')
}

async function assertApart(bought: ReadonlyMap<string, string>, at: ServerProcess, notAt: ServerProcess) {
  for (const [idempotencyKey, giftId] of bought) {
    assert.deepEqual([await findCard(at, key, giftId), await findCard(notAt, key, giftId)], [200, 404])
    assert.equal((await buy(at, key, idempotencyKey))?.body.data.giftId, giftId, 'a retry gets its own card')
  }
}

const first = await startServer(original)
const { key } = JSON.parse((await ingot(original, 'key', 'issue', 'hanbit-pay', '--json')).stdout)

test('the copy of a running folder is started beside it: no card goes to the other', async (t) => {
  const before = startBuying(t, first, key)
  await until(() => before.bought.size > SOME, 'some purchases')
  copyFolder(original.DATA_DIR, copy.DATA_DIR)
  await before.stop()

  const here = startBuying(t, first, key)
  const second = await startServer(copy)
  const enough = here.bought.size + SOME
  await until(() => here.bought.size > enough, 'purchases beside the copy')
  assert.notEqual(postmasterOf(original), postmasterOf(copy))
  assert.match(second.output(), /was copied or moved/)

  // Every connection is new after this one, and finds its way back to its own server.
  for (const folder of [original, copy]) {
    const killed = postmasterOf(folder)
    process.kill(killed, 'SIGKILL')
    await until(() => ![0, killed].includes(postmasterOf(folder)), 'a restart')
    const more = here.bought.size + SOME
    await until(() => here.bought.size > more, 'purchases after the kill')
  }
  const there = startBuying(t, second, key)
  await until(() => there.bought.size > SOME, 'purchases at the copy')
  await Promise.all([here.stop(), there.stop()])
  await assertApart(here.bought, first, second)
  await assertApart(there.bought, second, first)
  assert.equal(await second.kill('SIGTERM'), 0)
})

test('the original is stopped, the copy started, then the original: each has a socket of its own', async (t) => {
  assert.equal(await first.kill('SIGTERM'), 0)
  const second = await startServer(copy)
  const again = await startServer(original)
  const here = startBuying(t, again, key)
  const there = startBuying(t, second, key)
  await until(() => here.bought.size > SOME && there.bought.size > SOME, 'purchases at both')
  await Promise.all([here.stop(), there.stop()])
  await assertApart(here.bought, again, second)
  await assertApart(there.bought, second, again)
  assert.equal(await second.kill('SIGTERM'), 0)
  assert.equal(await again.kill('SIGTERM'), 0)
  rmSync(copy.DATA_DIR, { recursive: true })
})
