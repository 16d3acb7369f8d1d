import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { deliveriesOf } from '#test/messaged-service.ts'
import { patiently, until } from '#test/patience.ts'
import { TEST_RING_FILE } from '#test/postgres.ts'
import { startPostgresProxy } from '#test/postgres-proxy.ts'
import { startServer, temporaryFolder } from '#test/process.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

const BACK_MS = patiently(30_000) // what is promised, on a quiet machine

// The API of this file has a sound connection; the process under test reaches PostgreSQL through the proxy.
const service = await startService()
const partner = await service.addPartner()

async function startBehindProxy(roles: string) {
  const proxy = await startPostgresProxy(service.on)
  const folder = temporaryFolder()
  const ring = join(folder.path, 'ring.json')
  writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
  after(() => folder.remove())
  const server = await startServer({
    DATABASE_URL: proxy.url,
    DATA_DIR: folder.path,
    KEY_RING_FILE: ring,
    INGOT_ROLES: roles,
  })
  return { proxy, server }
}

// How long until it works. However many answers of 503 there are meanwhile, there is no other refusal.
async function untilBought(buy: () => Promise<{ status: number; text: string }>): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status, text } = await buy()
    if (status === 200) return performance.now() - began
    assert.equal(status, 503, text)
    await sleep(50)
  }
}

test('connections that neither answer nor close: purchases are back within 30 s', async (t) => {
  const { proxy, server } = await startBehindProxy('api')
  const { buy } = partner.at(server)
  const purchase = () => buy({ phoneNumber: PHONE, amount: 1_000 })
  // Twelve at once: another partner each, so that every connection of the pool is there.
  const others = await Promise.all(Array.from({ length: 12 }, () => service.addPartner()))
  await Promise.all(others.map((other) => other.at(server).buy({ phoneNumber: PHONE, amount: 1 })))
  assert.equal((await purchase()).status, 200)

  proxy.killExisting()
  const ms = await untilBought(purchase)
  t.diagnostic(`back after ${Math.round(ms)} ms`)
  assert.ok(ms < BACK_MS, `purchases were away for ${Math.round(ms)} ms`)

  await t.test('also when new connections are swallowed for a while', async () => {
    proxy.killExisting()
    proxy.swallowNew(true)
    const answers = await Promise.all([purchase(), purchase()])
    for (const { status } of answers) assert.equal(status, 503)
    proxy.swallowNew(false)
    proxy.killExisting()
    const back = await untilBought(purchase)
    assert.ok(back < BACK_MS, `purchases were away for ${Math.round(back)} ms`)
  })

  await t.test('and the process ends in time with dead connections in its pool', async () => {
    proxy.killExisting()
    assert.equal(await server.kill('SIGTERM'), 0)
  })
})

test('members and partners whose calls are transactions are served again within 30 s', async (t) => {
  const { proxy, server } = await startBehindProxy('api')
  const { post, buy } = partner.at(server)
  const { giftId } = (await buy({ phoneNumber: PHONE, amount: 1_000 })).body.data
  // A cancellation is a transaction of several statements. It hangs in one of them when the connections die.
  const holder = new pg.Client(service.on.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from gift_card where id = $1 for update', [giftId])
  const cancelled = post(`${BUY}/${giftId}/cancel`, { reason: 'test' })
  await untilBlocked(holder)
  proxy.killExisting()
  await holder.end()
  const { status } = await cancelled
  assert.equal(status, 503)
  const ms = await untilBought(() => post(`${BUY}/${giftId}/cancel`, { reason: 'test' }))
  t.diagnostic(`back after ${Math.round(ms)} ms`)
  assert.ok(ms < BACK_MS, `cancellations were away for ${Math.round(ms)} ms`)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('the worker: messages go out again within 30 s, and its listener is replaced', async (t) => {
  const { proxy, server } = await startBehindProxy('api,worker')
  const { buy } = partner.at(server)
  const bought = async () => (await buy({ phoneNumber: PHONE, amount: 1_000 })).body.data.giftId as string
  const first = await bought()
  await untilDelivered(first)

  const killedAt = (await service.database.pool.query('select now()::text as at')).rows[0].at
  proxy.killExisting()
  const began = performance.now()
  // Bought beside the dead connections, as by another process: this one's worker has to find the message.
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 1_000 })).body.data
  await untilDelivered(giftId)
  const ms = performance.now() - began
  t.diagnostic(`back after ${Math.round(ms)} ms`)
  assert.ok(ms < BACK_MS, `messages were away for ${Math.round(ms)} ms`)
  assert.equal(server.child.exitCode, null)
  await untilListening(killedAt)
  assert.equal(await server.kill('SIGTERM'), 0)
})

function untilDelivered(giftId: string): Promise<boolean> {
  return until(async () =>
    (await deliveriesOf(partner, giftId)).every(({ status }) => status === 'delivered'),
  )
}

function untilBlocked(client: pg.Client): Promise<boolean> {
  return until(async () => {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n > 0
  })
}

// PostgreSQL still has the dead one. The new one has listened, or given its sign of life since.
function untilListening(since: string): Promise<boolean> {
  return until(async () => {
    const { rows } = await service.database.pool.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and application_name = 'ingot worker' and backend_start > $1
          and (query ilike 'listen%' or query = 'select 1')`,
      [since],
    )
    return rows[0].n > 0
  })
}
