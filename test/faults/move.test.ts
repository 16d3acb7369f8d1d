import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { claimTarget, openTarget } from '#app/move/open-target.ts'
import type { Runtime } from '#app/runtime.ts'
import { LOCKS } from '#base/db/locks.ts'
import { newId } from '#base/ids.ts'
import { install } from '#test/installed-folder.ts'
import { until } from '#test/patience.ts'
import { noPostgres15, type Postgres15, startPostgres15 } from '#test/postgres-15.ts'
import { ingot, MAIN, type ServerProcess, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

const SECRET = 'hunter2'

// A purchase under its own key, and what was answered.
async function buy(service: { url: string }, apiKey: string, key: string) {
  return call(`${service.url}${BUY}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ phoneNumber: PHONE, amount: 10_000 }),
  })
}

// Buys one card after the other until writes are stopped. What it returns was acknowledged. It rests while moves are
// tried that change nothing, since each card has to be copied and sent. Before the stop it does not rest.
async function buyUntilStopped(service: ServerProcess, apiKey: string, rests: { ms: number }) {
  const bought: string[] = []
  for (let i = 0; ; i += 1) {
    if (rests.ms > 0) await sleep(rests.ms)
    const answer = await buy(service, apiKey, `load-${i}`)
    if (answer.status === 200) bought.push(answer.body.data.giftId)
    // One that waited too long for its table wrote nothing either, and is told to try again sooner.
    else if (answer.headers.get('retry-after') !== '1') return { bought, refusal: answer }
  }
}

async function one(url: string, sql: string, values: unknown[] = []): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result = await (values.length > 0 ? client.query(sql, values) : client.query(sql))
    return Object.values(result.rows?.[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

// A connection to the embedded database of a folder.
async function inside<Result>(
  dataDir: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { databasePassword: password } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  const joined = await joinEmbeddedPostgres({ dataDir, password })
  const client = new pg.Client(joined.connection)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
    await joined.leave()
  }
}

// A move during whose stop of writes something happens. Its archiver's lock is taken, as where backups are set up.
function moveWhile(home: { DATA_DIR: string }, target: string, meanwhile: () => Promise<unknown>) {
  return inside(home.DATA_DIR, async (source) => {
    await source.query(`select pg_advisory_lock(${LOCKS.archiver})`)
    await source.query('begin; lock table partner in row exclusive mode')
    const moved = ingot(home, 'move', '--to', target)
    await until(
      async () =>
        (await source.query(`select from pg_locks where relation = 'partner'::regclass and not granted`))
          .rowCount,
      'the mover stops writes',
    )
    await meanwhile()
    await source.query('rollback')
    return moved
  })
}

// A move that loses its lock while it copies.
async function moveWithoutLock(home: { DATA_DIR: string }, target: string) {
  const holder = new pg.Client({ connectionString: target })
  await holder.connect()
  await holder.query(`begin; insert into ingot_move.chunk values ('gift_card 0', 0)`)
  const moved = ingot(home, 'move', '--to', target)
  await until(
    async () =>
      (await holder.query(`select from pg_locks where locktype = 'transactionid' and not granted`)).rowCount,
    'the mover waits for the cards',
  )
  const state = await inside(home.DATA_DIR, async (source) => {
    const [space, number] = LOCKS.move.split(', ')
    const { rowCount } = await source.query(
      `select pg_terminate_backend(pid) from pg_locks where classid = ${space} and objid = ${number}`,
    )
    assert.equal(rowCount, 1)
    await holder.query('rollback')
    await holder.end()
    await moved
    return (await source.query('select state from installation_move')).rows[0].state
  })
  return { ...(await moved), state }
}

// Killed while it waits for one piece, which this test holds. The other tables are copied by then.
async function killMidway(settings: Record<string, string>, target: string): Promise<void> {
  const mover = spawn(process.execPath, [MAIN, 'move', '--to', target], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  })
  const ended = once(mover, 'close')
  await until(
    () => one(target, `select to_regclass('ingot_move.chunk') is not null`),
    'the mover has claimed the target',
  )
  const holder = new pg.Client({ connectionString: target })
  await holder.connect()
  await holder.query(`begin; insert into ingot_move.chunk values ('gift_card 0', 0)`)
  await until(async () => {
    // By connections of their own: a transaction sees the activity of its first look.
    const waits = await one(
      target,
      `select count(*)::int from pg_stat_activity where application_name = 'ingot move' and wait_event_type = 'Lock'`,
    )
    const copied = await one(target, 'select count(*)::int from ingot_move.chunk')
    return Number(waits) === 1 && Number(copied) > 10
  }, 'the mover waits for the cards')
  mover.kill('SIGKILL')
  await ended
  await holder.query('rollback')
  await holder.end()
}

// Those that are bought between the parts of the test.
const CARDS_BESIDE = 4

// What PostgreSQL says when a file cannot grow, after the rows were copied.
const FULL_AT_INDEX = `
  create schema elsewhere;
  create function elsewhere.refuse() returns event_trigger language plpgsql as $$
    begin
      if exists (select from ingot_move.chunk) then raise exception 'could not extend file' using errcode = '53100'; end if;
    end $$;
  create event trigger full_disk on ddl_command_start when tag in ('CREATE INDEX') execute function elsewhere.refuse()`

test('a move to PostgreSQL 15 and back, killed half way, undone and resumed', {
  skip: noPostgres15,
}, async (t) => {
  const folder = temporaryFolder()
  const postgres = await startPostgres15()
  t.after(() => postgres.stop().then(folder.remove))
  const home = { DATA_DIR: join(folder.path, 'a'), LOG_LEVEL: 'warn' }
  install(home.DATA_DIR)
  // Messages wait for a worker, which is only there after the move.
  const source = await startServer({ ...home, INGOT_ROLES: 'api' })
  const { key: apiKey } = JSON.parse((await ingot(home, 'key', 'issue', 'moa-bank', '--json')).stdout)
  const first = await buy(source, apiKey, 'kept')
  assert.equal(first.status, 200)

  await t.test('a target that cannot be used changes nothing', async () => {
    const full = join(folder.path, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'letter.txt'), 'mine')
    await one(postgres.url, 'create table mine (id int)')
    await one(postgres.url, 'create role plain login')
    const refusals = {
      [full]: /is not empty/,
      [postgres.url]: /is not empty: it has public\.mine\. Give an empty database/,
      [`${postgres.url.replace('user=ingot', 'user=plain')}`]: /may not create schemas/,
      [`postgresql://x:${SECRET}@127.0.0.1:1/none`]:
        /postgresql:\/\/x@127\.0\.0\.1:1\/none: the database cannot be reached/,
      'mysql://x': /takes a postgresql:\/\/ address or a data folder/,
      [home.DATA_DIR]: /is where this installation is/,
    }
    for (const [to, expected] of Object.entries(refusals)) {
      const { code, stderr } = await ingot(home, 'move', '--to', to)
      assert.notEqual(code, 0, to)
      assert.match(stderr, expected)
      assert.ok(!stderr.includes(SECRET))
    }
    await one(postgres.url, 'drop table mine')
    assert.match((await ingot(home, 'move', '--undo')).stderr, /nothing is being moved/)
    assert.equal((await buy(source, apiKey, 'after refusals')).status, 200)
  })

  const rests = { ms: 50 }
  const load = buyUntilStopped(source, apiKey, rests)
  const target = `${postgres.url}&password=${SECRET}`
  const place = `postgresql://ingot@/postgres?host=${new URL(postgres.url).searchParams.get('host')}&port=5432`
  await t.test('a target that came into use while writes were stopped is left as it is', async () => {
    const { code, stderr } = await moveWhile(home, target, () => one(target, 'create table mine (id int)'))
    assert.equal(code, 1)
    assert.match(
      stderr,
      /is not empty: it has public\.mine\. Give an empty database\. Nothing was moved, and this installation is open/,
    )
    assert.equal(await one(target, `select to_regnamespace('ingot_move')`), null)
    await one(target, 'drop table mine')
    assert.equal((await buy(source, apiKey, 'after the target was in use')).status, 200)
  })
  await t.test('a target whose disk is full is cleared, and the source is open again', async () => {
    await one(target, FULL_AT_INDEX)
    const { code, stderr } = await ingot(home, 'move', '--to', target)
    assert.equal(code, 1)
    assert.match(stderr, /the target is cleared/)
    assert.match(stderr, /or its disk is full\. Nothing was moved, and this installation is open again/)
    await one(target, 'drop schema elsewhere cascade')
    assert.equal(await one(target, `select to_regclass('gift_card')`), null)
    assert.equal((await buy(source, apiKey, 'after the full disk')).status, 200)
  })
  rests.ms = 0
  await killMidway(home, target)
  const { bought, refusal } = await load

  await t.test('stopped: writes get 503 and are told when to retry, reads go on', async () => {
    assert.equal(refusal.status, 503)
    assert.deepEqual(refusal.body, { error: 'Service unavailable' })
    assert.equal(refusal.headers.get('retry-after'), '30')
    const card = await call(`${source.url}${BUY}/${first.body.data.giftId}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    assert.equal(card.status, 200)
    assert.equal((await call(`${source.url}/readyz`)).status, 200)
    const added = await ingot(home, 'partner', 'add', 'late', '--name', 'Late')
    assert.equal(added.code, 1)
    assert.match(added.stderr, /writes are stopped.*ingot move --undo/)
    assert.equal((await ingot(home, 'verify')).code, 0)
    const half = await ingot({ ...home, DATABASE_URL: target }, 'partner', 'list')
    assert.match(half.stderr, /target of a move that has not ended/)
    const other = await ingot(home, 'move', '--to', join(folder.path, 'full'))
    assert.match(other.stderr, /is not empty/)
  })

  await t.test('the copy of one move is neither used nor cleared by another', async () => {
    const client = new pg.Client({ connectionString: target })
    await client.connect()
    const id = newId<'move'>()
    await assert.rejects(claimTarget(client, { id, place }), /the unfinished copy of another move/)
    await client.end()
    const open = await openTarget({ config: {} } as Runtime, { kind: 'server', url: target, place }, id)
    assert.equal(await open.clear(), false)
    await open.close()
    assert.ok(Number(await one(target, 'select count(*) from ingot_move.chunk')) > 10)
  })

  await t.test('a backup that ends in the move is restored, and open', async () => {
    const [key, to] = [join(folder.path, 'key'), join(folder.path, 'backups')]
    const restored = { DATA_DIR: join(folder.path, 'restored'), LOG_LEVEL: 'warn' }
    for (const words of [
      ['key', key],
      ['--to', to, '--key', key],
    ])
      assert.equal((await ingot(home, 'backup', ...words)).code, 0)
    const { code, stderr } = await ingot(restored, 'restore', '--from', to, '--key', key)
    assert.equal(code, 0, stderr)
    assert.ok(stderr.includes(`a move to ${place} was under way: it is undone here`), stderr)
    assert.equal((await ingot(restored, 'partner', 'add', 'late', '--name', 'Late')).code, 0)
    const isEarlier = `select certain_until < (select max(at) from audit_entry where action = 'installation.move_undone') as yes
      from restoration`
    const { rows } = await inside(restored.DATA_DIR, (client) => client.query(isEarlier))
    assert.deepEqual(rows, [{ yes: true }], 'the undo does not count as something that was restored')
  })

  await t.test('a mover that lost its lock ends nothing', async () => {
    const { code, stderr, state } = await moveWithoutLock(home, target)
    assert.equal(code, 1)
    assert.match(stderr, /the connection that keeps other moves out was lost/)
    assert.equal(state, 'stopped')
  })

  await t.test(
    'resumed: what was copied is not copied again, and nothing acknowledged is missing',
    async () => {
      const copiedBy = await one(target, 'select xmin::text from installation')
      const moved = await ingot(home, 'move', '--to', target, '--json')
      assert.equal(moved.code, 0, moved.stderr)
      assert.deepEqual(JSON.parse(moved.stdout), { moved: true, target: place, notCopied: [] })
      assert.equal(await one(target, 'select xmin::text from installation'), copiedBy)
      const found = await one(target, 'select count(*)::int from gift_card where id = any ($1)', [bought])
      assert.equal(found, bought.length)
      assert.equal(await one(target, 'select count(*)::int from gift_card'), bought.length + CARDS_BESIDE)
    },
  )

  await t.test('the source says where it moved to, without the password', async () => {
    await until(async () => (await call(`${source.url}/readyz`)).status === 503, 'the source closes')
    assert.equal((await call(`${source.url}/readyz`)).headers.get('x-not-ready'), 'moved')
    const read = await call(`${source.url}${BUY}/${first.body.data.giftId}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    assert.equal(read.status, 503)
    await source.kill('SIGTERM')
    const refused = await ingot(home, 'partner', 'list')
    assert.ok(refused.stderr.includes(`was moved to ${place}`), refused.stderr)
    assert.ok(!(source.output() + refused.stderr).includes(SECRET))
  })

  await t.test('the target serves: old keys replay, waiting messages go out once', () =>
    serveTarget(
      { ...home, DATABASE_URL: target },
      { postgres, apiKey, first, cards: bought.length + CARDS_BESIDE },
    ),
  )
  await t.test('and back to a data folder of another major version', () =>
    moveBack({ ...home, DATABASE_URL: target }, join(folder.path, 'b'), { apiKey, first }),
  )
  await t.test('undo opens the place that was left', async () => {
    assert.match((await ingot(home, 'move', '--undo')).stdout, /open again/)
    for (const action of ['installation.move', 'installation.move_undone']) {
      const listed = await ingot(home, 'audit', 'list', '--action', action, '--json')
      const [entry] = JSON.parse(listed.stdout).entries
      assert.match(entry.actor, /^cli:/, action)
      assert.equal(entry.from.by, 'command line', action)
    }
    assert.equal((await ingot(home, 'partner', 'add', 'back', '--name', 'Back')).code, 0)
    const verified = await ingot(home, 'verify')
    assert.equal(verified.code, 0, verified.stdout)
  })
})

interface Left {
  postgres: Postgres15
  apiKey: string
  first: { body: { data: { giftId: string } } }
  cards: number
}

async function serveTarget(settings: Record<string, string>, { postgres, apiKey, first, cards }: Left) {
  const service = await startServer(settings)
  const replayed = await buy(service, apiKey, 'kept')
  assert.equal(replayed.status, 200)
  assert.deepEqual(replayed.body, first.body)
  assert.equal((await buy(service, apiKey, 'new')).status, 200)
  const messages = (cards + 1) * 2
  await until(
    async () =>
      Number(await one(postgres.url, `select count(*) from delivery where status = 'delivered'`)) ===
      messages,
    'every message is delivered',
  )
  assert.equal(await one(postgres.url, 'select max(attempt)::int from delivery'), 1)
  await service.kill('SIGTERM')
}

async function moveBack(
  settings: Record<string, string>,
  dataDir: string,
  { apiKey, first }: Pick<Left, 'apiKey' | 'first'>,
) {
  const moved = await ingot(settings, 'move', '--to', dataDir)
  assert.equal(moved.code, 0, moved.stderr)
  const again = await ingot(settings, 'move', '--to', dataDir)
  assert.match(again.stdout, /moved and verified/, 'said again, nothing happens')
  assert.match((await ingot(settings, 'verify')).stderr, new RegExp(`was moved to ${dataDir}`))
  const home = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const service = await startServer({ ...home, INGOT_ROLES: 'api' })
  assert.deepEqual((await buy(service, apiKey, 'kept')).body, first.body)
  await service.kill('SIGTERM')
  assert.equal((await ingot(home, 'verify')).code, 0)
}
