import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertArrived, settleAll } from '#test/killed-worker.ts'
import { messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { freePort, ingot, startServer, temporaryFolder } from '#test/process.ts'
import { addressOf, ReplicatedPostgres } from '#test/replicated-postgres.ts'
import { BUY, call } from '#test/service.ts'

// A primary is lost and its synchronous standby takes its place, under purchases. The client's own record decides.
const CLIENTS = 8
const folder = temporaryFolder()
test.after(() => folder.remove())

interface Wish {
  key: string
  phoneNumber: string
  amount: number
  // The acknowledged card; undefined while the outcome is unknown.
  giftId?: string
}

const port = await freePort()
const standIns = await startStandIns(`http://127.0.0.1:${port}`, { reports: {}, nhn: false })
const wishes: Wish[] = []
let apiKey = ''
let isBuying = true

const acknowledged = () => wishes.filter(({ giftId }) => giftId !== undefined)
const cardIds = (at: ReplicatedPostgres) =>
  at.ask('select id from gift_card').then((rows) => rows.map(({ id }) => id))
const messageKeys = (giftId: string) => ['alimtalk', 'text'].map((channel) => `${giftId}.${channel}.gift.0`)

async function buy({ key, phoneNumber, amount }: Wish): Promise<string | undefined> {
  const answer = await call(`http://127.0.0.1:${port}${BUY}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ phoneNumber, amount }),
  })
  if (answer.status === 200) return answer.body.data.giftId
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], answer.text)
  return undefined
}

// Each client repeats a purchase with its key until it is acknowledged, as a partner does.
async function buyOn(): Promise<void> {
  while (isBuying) {
    const n = wishes.length
    const phoneNumber = `010-4${String(n % 900).padStart(3, '0')}-${String(n % 10_000).padStart(4, '0')}`
    const wish: Wish = { key: `wish-${n}`, phoneNumber, amount: 1_000 + n }
    wishes.push(wish)
    while (isBuying && wish.giftId === undefined) {
      const giftId = await buy(wish)
      if (giftId !== undefined) wish.giftId = giftId
      await sleep(50) // enough is bought to lose some
    }
  }
}

async function morePurchases(): Promise<void> {
  const before = acknowledged().length
  await until(() => acknowledged().length >= before + 40, 'purchases go on')
}

test('a standby is promoted, twice: nothing acknowledged is lost or doubled, and every message arrives once', async (t) => {
  const [firstPort, secondPort] = [await freePort(), await freePort()]
  const first = await ReplicatedPostgres.create(join(folder.path, 'first'), firstPort)
  const settings = {
    ...messagingSettings(standIns),
    DATABASE_URL: addressOf(firstPort, secondPort),
    DATA_DIR: join(folder.path, 'data'),
    PORT: String(port),
    LOG_LEVEL: 'warn',
  }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await ingot(settings, ...args)
    assert.equal(code, 0, stderr + stdout)
    return stdout
  }
  const server = await startServer(settings)
  await run('template', 'set', 'solapi', 'gift', 'ko', 'card_gift_ko_2')
  await run('partner', 'add', 'shop', '--name', 'Shop', '--rate-limit', '0')
  apiKey = JSON.parse(await run('key', 'issue', 'shop', '--json')).key
  const second = await first.addStandby(join(folder.path, 'second'), secondPort)

  const load = Promise.all(Array.from({ length: CLIENTS }, buyOn))
  await morePurchases()
  await first.kill()
  await second.promote()
  await morePurchases()

  // The next standby takes the place of the lost server, and is itself away when commits wait for it.
  const third = await second.addStandby(join(folder.path, 'third'), firstPort)
  await morePurchases()
  await third.kill()
  // First the purchases that waited, then their replays: the rows are visible by now, and on no other disk.
  for (let cancelled = 0; cancelled < 3; ) {
    if ((await second.cancelWaits()) > 0) cancelled += 1
    await sleep(20)
  }
  await until(async () => (await second.cancelWaits()) > 0, 'replays wait too')
  const seen = await cardIds(second)
  await second.kill()
  await third.start()
  await third.promote()
  await morePurchases()
  isBuying = false
  await load

  const kept = new Set(await cardIds(third))
  const vanished = seen.filter((id) => !kept.has(id))
  assert.ok(vanished.length > 0, 'some rows were on the lost server only')
  const count = acknowledged().length
  for (const { key, giftId } of acknowledged())
    assert.ok(kept.has(giftId), `${key} was acknowledged and is lost`)
  const asked = wishes.values()
  const askAgain = async () => {
    for (const wish of asked) {
      const giftId = await until(() => buy(wish), 'a server that is well says yes')
      assert.equal(giftId, wish.giftId ?? giftId, `${wish.key} is answered with its own card`)
      wish.giftId = giftId
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, askAgain))
  assert.equal(new Set(wishes.map(({ giftId }) => giftId)).size, wishes.length, 'one key, one card')
  assert.equal((await cardIds(third)).length, wishes.length, 'no card without a key')

  const client = new pg.Client({ ...third.connection() })
  await client.connect()
  await settleAll({ client })
  await assertArrived(
    { client, standIns: [standIns.solapi] },
    wishes.flatMap(({ giftId }) => messageKeys(giftId!)),
  )
  await client.end()
  for (const key of vanished.flatMap(messageKeys))
    assert.equal(standIns.solapi.phones.byKey(key).length, 0, key)
  await run('verify')
  t.diagnostic(
    `${count} acknowledged, ${wishes.length - count} unknown, ${vanished.length} rows vanished unacknowledged`,
  )
  assert.equal(await server.kill('SIGTERM'), 0)
})
