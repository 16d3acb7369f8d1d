import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { writeSecrets } from '#test/installed-folder.ts'
import { until } from '#test/patience.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { ingot, startServer, temporaryFolder, untilAnswering } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

const HOLD = `
  create table hold as select true as on;
  create function wait_for_release() returns trigger language plpgsql as $$
    begin
      while exists (select from hold) loop perform pg_sleep(0.02); end loop;
      return null;
    end $$;
  create trigger wait_for_release after insert on idempotency_key execute function wait_for_release()`
const HELD = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`

// By a connection of its own: on those that are open a server that drains still answers.
async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}

// By two processes and a worker, by the default of one and a worker, and by one process alone.
const LAYOUTS = { SIGTERM: '2', SIGINT: '', SIGHUP: '0' }

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal}: every request under way is answered, then the service ends with 0`, async () => {
    const database = await createTestDatabase()
    const folder = temporaryFolder()
    writeSecrets(folder.path)
    const layout = LAYOUTS[signal]
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path, INGOT_PROCESSES: layout }
    const server = await startServer(settings)
    if (layout === '2') await untilAnswering(server, 'api 1', 'api 2')
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

    // Held at the database, so that all of them are under way when the signal comes. Where they have no lock yet: the
    // others would wait for it a second and a half, and no longer.
    const holder = new pg.Client(database.connection)
    await holder.connect()
    await holder.query(HOLD)
    const answers = Array.from({ length: 50 }, (_, i) => buy(10 + i))
    const held = layout === '2' ? 2 : 1
    await until(async () => (await holder.query(HELD)).rows.length >= held, 'each process has some')
    // Connections are accepted in turn: once a later one is answered, the server has all of them.
    for (let i = 0; i < 5; i += 1) assert.equal((await call(`${server.url}/healthz`)).status, 200)
    const ended = server.kill(signal)
    await until(async () => !(await isListening(server.url)), 'the port is closed')
    await holder.query('delete from hold')
    await holder.end()
    const statuses = (await Promise.all(answers)).map((answer) => answer.status)
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal(await ended, 0)
    await assert.rejects(call(`${server.url}/healthz`), 'the port is closed')
    await database.drop()
    folder.remove()
  })
}
