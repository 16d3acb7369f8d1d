import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { writeSecrets } from '#test/installed-folder.ts'
import { deliveriesOf } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE, startService } from '#test/service.ts'

test('a worker alone: health and no API, its jobs scheduled, and back to work after its connections are cut', async () => {
  const database = await createTestDatabase()
  const folder = temporaryFolder()
  writeSecrets(folder.path)
  const server = await startServer({
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    INGOT_ROLES: 'worker',
  })
  assert.equal((await call(`${server.url}/healthz`)).status, 200)
  assert.equal((await call(`${server.url}${BUY}`, { method: 'POST' })).status, 404)

  await until(() => server.output().includes('"event":"ready"'))

  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await client.query(`select graphile_worker.add_job('forget_old_keys')`)
  await until(async () => {
    // Of this kind: one that was under way when it was cut off stays locked for hours, which is harmless.
    const { rows } = await client.query(
      `select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'forget_old_keys'`,
    )
    return rows[0].waiting === 0 && server.output().includes('"job":"forget_old_keys"')
  }, 'the job is done')
  await client.end()
  assert.equal(await server.kill('SIGTERM'), 0)
  await database.drop()
  folder.remove()
})

test('messages without a job, as an earlier release left them, are found when a worker starts', async () => {
  const service = await startService()
  const partner = await service.addPartner()
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 1_000 })).body.data
  await service.database.pool.query('delete from graphile_worker._private_jobs')
  await service.database.pool.query(`update delivery set due_at = due_at - interval '1 minute'`)
  await startService({ beside: service, environment: { INGOT_ROLES: 'worker' } })
  await until(async () => (await deliveriesOf(partner, giftId)).every(({ status }) => status === 'delivered'))
})

// Thousands of jobs about messages that have left long ago: so many wait after an hour on a full machine.
const BACKLOG = `select graphile_worker.add_jobs(array_agg(json_populate_record(null::graphile_worker.job_spec,
    json_build_object('identifier', 'send_deliveries', 'payload', json_build_object('channel', 'text', 'ids', '[]'::json)))))
  from generate_series(1, 3000)`
const WAITING = `select count(*) filter (where task_identifier = 'send_deliveries')::int as messages,
    count(*) filter (where task_identifier = 'poll_prices')::int as prices from graphile_worker.jobs`

test('what runs by the clock does not wait behind a backlog of messages', async () => {
  const service = await startService()
  const { pool } = service.database
  await pool.query('delete from metal_price')
  await pool.query(BACKLOG)
  await startService({ beside: service, environment: { INGOT_ROLES: 'worker' } })
  const left = await until(async () => {
    const { rows } = await pool.query('select from metal_price limit 1')
    return rows.length > 0 && (await pool.query(WAITING)).rows[0]
  }, 'there is a price')
  assert.ok(left.messages > 0, JSON.stringify(left))
})

// Minutes that were worked off while the clock was ahead: the job library would wait until they have come.
test('a worker begins anew with the clock as it is, after it was an hour ahead', async () => {
  const service = await startService()
  const { pool } = service.database
  await startService({ beside: service, environment: { INGOT_ROLES: 'worker' } })
  const KNOWN = 'graphile_worker._private_known_crontabs'
  await pool.query(`update ${KNOWN} set last_execution = now() + interval '1 hour'`)
  await startService({ beside: service, environment: { INGOT_ROLES: 'worker' } })
  const { rows } = await pool.query(
    `select count(*)::int as known, count(*) filter (where last_execution > now() + interval '2 minutes')::int as ahead from ${KNOWN}`,
  )
  assert.ok(rows[0].known > 10)
  assert.equal(rows[0].ahead, 0)
})
