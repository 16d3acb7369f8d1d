import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createTestDatabase } from '#test/postgres.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal}: every request under way is answered, then the process ends with 0`, async () => {
    const database = await createTestDatabase('empty')
    const folder = temporaryFolder()
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path }
    const server = await startServer(settings)
    await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme', '--rate-limit', '0')
    const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const buy = (amount: number) =>
      call(`${server.url}${BUY}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ phoneNumber: PHONE, amount }),
      })
    assert.equal((await buy(1)).status, 200)

    // Held at the database, so that all of them are under way when the signal comes.
    const holder = new pg.Client(database.connection)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from account where partner_id is not null for update')
    const answers = Array.from({ length: 50 }, (_, i) => buy(10 + i))
    await sleep(400)
    const ended = server.kill(signal)
    await sleep(200)
    await holder.query('commit')
    await holder.end()
    const statuses = (await Promise.all(answers)).map((answer) => answer.status)
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal(await ended, 0)
    await assert.rejects(call(`${server.url}/healthz`), 'the port is closed')
    await database.drop()
    folder.remove()
  })
}
