import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { install } from '#test/installed-folder.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call } from '#test/service.ts'

const folder = temporaryFolder()
const settings = { DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn', INGOT_ROLES: 'api' }
test.after(() => folder.remove())
install(settings.DATA_DIR)

const PID_FILE = join(settings.DATA_DIR, 'postgres', 'data', 'postmaster.pid')

test('a second server on the same DATA_DIR joins the running database, and the last one stops it', async () => {
  const first = await startServer(settings)
  const second = await startServer(settings)
  const issued = await ingot(settings, 'key', 'issue', 'hanbit-pay', '--json')
  const { key } = JSON.parse(issued.stdout)
  const buy = (url: string) =>
    call(`${url}${BUY}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': 'two',
      },
      body: JSON.stringify({ phoneNumber: '010-1234-5678', amount: 77 }),
    })
  const one = await buy(first.url)
  const two = await buy(second.url)
  assert.equal(one.text, two.text)
  assert.equal(two.headers.get('idempotency-replayed'), 'true')

  // Each replay commits something of its own, so that with replication it waits as the purchase did.
  const { databasePassword } = JSON.parse(readFileSync(join(settings.DATA_DIR, 'secrets.json'), 'utf8'))
  const member = await joinEmbeddedPostgres({ dataDir: settings.DATA_DIR, password: databasePassword })
  const client = new pg.Client({ ...member.connection })
  await client.connect()
  const nextTransaction = async () =>
    BigInt((await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text as x')).rows[0].x)
  const before = await nextTransaction()
  for (let i = 0; i < 5; i += 1) await buy(second.url)
  assert.ok((await nextTransaction()) - before >= 5n)
  await client.end()
  await member.leave()
  assert.equal(await first.kill('SIGTERM'), 0)
  assert.equal((await buy(second.url)).status, 200)

  // Killed, the last one leaves PostgreSQL running. The next finds it and uses it.
  const postmaster = readFileSync(PID_FILE, 'utf8')
  assert.equal(await second.kill('SIGKILL'), 'SIGKILL')
  const third = await startServer(settings)
  assert.equal(readFileSync(PID_FILE, 'utf8'), postmaster)
  assert.equal(await third.kill('SIGTERM'), 0)
  assert.ok(!existsSync(PID_FILE), 'PostgreSQL is stopped with the last of them')
})
