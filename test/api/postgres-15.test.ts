import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { noPostgres15, startPostgres15 } from '#test/postgres-15.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

// As it comes, JIT is on. Every plan goes to the log, also of statements inside functions, with what was compiled for it.
const EXPLAINED = {
  jit: 'on',
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_nested_statements': 'on',
  log_line_prefix: '%a: ',
}

test('the same code on PostgreSQL 15, and nothing it asks is compiled', { skip: noPostgres15 }, async () => {
  const postgres = await startPostgres15(EXPLAINED)
  const folder = temporaryFolder()
  try {
    const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder.path, LOG_LEVEL: 'warn' }
    await exerciseService(settings)
    const plans = plansIn(postgres.log())
    for (const name of ['ingot', 'ingot worker', 'ingot migrate']) {
      const own = plans.filter(({ application }) => application === name)
      assert.ok(own.length > 0, `plans of ${name}`)
      assert.deepEqual(
        own.filter(({ text }) => /^\s*JIT:/m.test(text)).map(({ text }) => text),
        [],
      )
    }
    const bought = plans.filter(({ text }) => /write_purchases|insert into gift_card/i.test(text))
    assert.ok(bought.length > 1, 'the purchase, and what its function asks')

    // The same on a plain connection is compiled: this test can fail.
    const plain = new pg.Client({
      connectionString: postgres.url,
      options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
    })
    await plain.connect()
    const { rows } = await plain.query<{ 'QUERY PLAN': string }>(
      'explain select * from partner where name = name',
    )
    await plain.end()
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /^JIT:/m)
  } finally {
    await postgres.stop()
    folder.remove()
  }
})

test('guards are known again after pg_dump and a restore', { skip: noPostgres15 }, async () => {
  const postgres = await startPostgres15()
  const folder = temporaryFolder()
  try {
    const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder.path }
    assert.equal((await ingot(settings, 'migrate')).code, 0)
    const restored = postgres.copy()
    const verified = await ingot({ ...settings, DATABASE_URL: restored }, 'verify')
    assert.equal(verified.code, 0, verified.stdout)
  } finally {
    await postgres.stop()
    folder.remove()
  }
})

// A purchase, a look at it, its use and its end, by the server, its worker and the command line.
async function exerciseService(settings: Record<string, string>): Promise<void> {
  const server = await startServer(settings)
  await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme')
  const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': 'k',
  }
  const body = JSON.stringify({ phoneNumber: PHONE, amount: 1000 })
  const [bought, replayed] = [
    await call(`${server.url}${BUY}`, { method: 'POST', headers, body }),
    await call(`${server.url}${BUY}`, { method: 'POST', headers, body }),
  ]
  assert.equal(bought.status, 200, bought.text)
  assert.equal(replayed.text, bought.text)
  const { giftId } = bought.body.data
  assert.equal((await call(`${server.url}${BUY}/${giftId}`, { headers })).body.data.amount, 1000)
  assert.equal((await ingot(settings, 'card', 'void', giftId, '--reason', 'test')).code, 0)
  const usage = await call(`${server.url}/v2/partner/usage?startDate=2026-1-1&endDate=2030-1-1`, { headers })
  assert.equal(usage.body.totalIssued, 0)
  const verified = await ingot(settings, 'verify')
  assert.equal(verified.code, 0, verified.stdout)
  assert.equal(await server.kill('SIGTERM'), 0)
}

// Entries begin with the name of the application; their other lines are indented.
function plansIn(log: string): { application: string; text: string }[] {
  return log
    .split(/\n(?!\t)/)
    .map((text) => ({ application: text.slice(0, text.indexOf(':')), text }))
    .filter(({ text }) => text.includes('plan:'))
}
