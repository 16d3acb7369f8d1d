import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { install } from '#test/installed-folder.ts'
import { assertArrived, buyCard, settleAll } from '#test/killed-worker.ts'
import { messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { freePort, ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call } from '#test/service.ts'

const KILLS = 3
const folder = temporaryFolder()
test.after(() => {
  // Should the test fail half way, its PostgreSQL is left without anyone to stop it.
  killPostmaster()
  folder.remove()
})
const port = await freePort()
const standIns = await startStandIns(`http://127.0.0.1:${port}`, {
  reports: { delayMs: 100, twice: true },
  solapi: { onRequest: () => sleep(30) },
  nhn: false,
})
const settings = {
  ...messagingSettings(standIns),
  DATA_DIR: join(folder.path, 'data'),
  PORT: String(port),
  INGOT_ROLES: 'api,worker',
}

install(settings.DATA_DIR)

const PID_FILE = join(settings.DATA_DIR, 'postgres', 'data', 'postmaster.pid')

// False if there is none, or only the file of one that is dead.
function killPostmaster(): boolean {
  try {
    const [pid] = /^\d+/.exec(readFileSync(PID_FILE, 'utf8')) ?? []
    return pid !== undefined && process.kill(Number(pid), 'SIGKILL')
  } catch {
    return false
  }
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await ingot(settings, ...args)
  assert.equal(code, 0, stderr)
  return stdout
}

async function connect(): Promise<{ client: pg.Client; leave(): Promise<void> }> {
  const { databasePassword } = JSON.parse(readFileSync(join(settings.DATA_DIR, 'secrets.json'), 'utf8'))
  const member = await joinEmbeddedPostgres({ dataDir: settings.DATA_DIR, password: databasePassword })
  const client = new pg.Client({ ...member.connection })
  await client.connect()
  return {
    client,
    async leave() {
      await client.end()
      await member.leave()
    },
  }
}

test(`the database killed ${KILLS} times while messages are under way: all arrive, once, from the same process`, async (t) => {
  const server = await startServer(settings)
  await run('template', 'set', 'solapi', 'gift', 'ko', 'card_gift_ko_2')
  await run('partner', 'set', 'hanbit-pay', '--rate-limit', '0')
  const { key } = JSON.parse(await run('key', 'issue', 'hanbit-pay', '--json'))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const partner = {
    buy: (body: unknown, more?: Record<string, string>) =>
      call(`${server.url}${BUY}`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      }),
  }
  const keys: string[] = []
  let kills = 0
  const buying = Promise.all(
    Array.from({ length: 6 }, async () => {
      while (kills < KILLS) {
        keys.push(...(await buyCard({ partner })))
        await sleep(20)
      }
    }),
  )
  for (; kills < KILLS; kills += 1) {
    const before = keys.length
    while (keys.length < before + 60) {
      assert.equal(server.child.exitCode, null, 'the process lives')
      await sleep(10)
    }
    // What the last one started may have outlived it for a moment, and sold these cards.
    await until(killPostmaster)
  }
  await buying
  const { client, leave } = await connect()
  await settleAll({ client })
  await assertArrived({ client, standIns: [standIns.solapi] }, keys)
  t.diagnostic(`${keys.length} messages over ${kills} kills of the database`)
  await leave()
  await run('verify')
  assert.equal(await server.kill('SIGTERM'), 0, 'the process has lived through all of it')
})
