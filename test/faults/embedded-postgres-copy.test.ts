import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Pool } from 'pg'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { credentials, isRoot, unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { prepareBinaries } from '#app/embedded-postgres/binaries.ts'
import { findLocation } from '#app/embedded-postgres/cluster-location.ts'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { BoundedClient } from '#base/db/client.ts'
import { openDatabase } from '#base/db/db.ts'
import { openPool } from '#base/db/pool.ts'
import { withSettings } from '#base/db/settings.ts'
import {
  ask,
  clusterOf,
  copyDataDir,
  enter,
  isPostgres,
  isStopped,
  makeDataDir,
  PASSWORD,
  postmasterOf,
  recordOf,
  refusal,
} from '#test/embedded-postgres.ts'
import { copyOwned } from '#test/installed-folder.ts'
import { until } from '#test/patience.ts'
import { TEST_RING } from '#test/postgres.ts'

const account = isRoot() ? (unprivilegedAccounts()[0] ?? null) : null
const socketIn = (folder: string | null) => join(folder ?? '', '.s.PGSQL.5432')

test('a copy of a running folder has a server and a socket of its own, and leaves the other alone', async (t) => {
  const dataDir = await copyDataDir(t)
  const copied = makeDataDir(t)
  const original = await enter(dataDir)
  const pid = postmasterOf(dataDir)
  const socket = statSync(socketIn(original.connection.host)).ino
  copyOwned(`${dataDir}/.`, copied)
  assert.equal(postmasterOf(copied), pid, 'the copied file names the process of the original')

  const copy = await enter(copied)
  assert.notEqual(postmasterOf(copied), pid)
  assert.notEqual(copy.connection.host, original.connection.host)
  await ask(copy.connection, 'create table of_the_copy ()')
  await copy.leave()
  assert.ok(isPostgres(pid))
  assert.equal(statSync(socketIn(original.connection.host)).ino, socket)
  assert.equal(await ask(original.connection, `select to_regclass('of_the_copy') is null`), true)
  await original.leave()
  assert.ok(isStopped(dataDir))
})

test('a copy by a release that removes the socket: its rows are never taken for ours, and we go on elsewhere', async (t) => {
  const dataDir = await copyDataDir(t)
  const copied = makeDataDir(t)
  const events: string[] = []
  const original = await enter(dataDir, events)
  const pool = new Pool({ ...original.connection, max: 2 })
  pool.on('error', () => {})
  t.after(() => pool.end())
  await pool.query('create table acknowledged as select 1 as of_the_original')
  await ask(original.connection, 'checkpoint')
  copyOwned(`${dataDir}/.`, copied)

  // As releases before this one did: the recorded socket folder, whoever listens there.
  const socketDir = original.connection.host
  for (const path of [socketIn(socketDir), `${socketIn(socketDir)}.lock`]) rmSync(path)
  rmSync(join(clusterOf(copied), 'postmaster.pid'))
  // Where PostgreSQL's account can reach it: the checkout may be in a home of mode 700.
  const bin = join(prepareBinaries(findLocation(dataDir)!), 'postgres')
  const hijacker = spawn(bin, ['-D', clusterOf(copied), '-c', 'listen_addresses=', '-k', socketDir], {
    ...credentials(account),
    env: { LC_ALL: 'C' },
    stdio: 'ignore',
  })
  t.after(() => hijacker.kill('SIGQUIT'))
  await until(() => existsSync(socketIn(socketDir)))

  await until(() => events.includes('restarted'))
  assert.equal(hijacker.exitCode, null)
  assert.notEqual(original.connection.host, socketDir)
  await pool.query('insert into acknowledged values (2)')
  assert.ok(existsSync(socketIn(socketDir)), 'a socket that answers is not removed')
  hijacker.kill('SIGINT')
  await once(hijacker, 'exit')

  const copy = await enter(copied)
  assert.equal(await ask(copy.connection, 'select count(*)::int from acknowledged'), 1)
  await copy.leave()
  assert.equal(await ask(original.connection, 'select count(*)::int from acknowledged'), 2)
  await original.leave()
})

test('every way to a connection refuses a server of another start', async (t) => {
  const [ours, theirs] = [await enter(await copyDataDir(t)), await enter(await copyDataDir(t))]
  const connection = { ...theirs.connection, onConnect: ours.connection.onConnect }
  const database = openDatabase({ connection, maxConnections: 2, onIdleError: () => {} })
  const jobs = openPool({ ...withSettings(connection), max: 1 }, () => {})
  const refused = /another PostgreSQL answers on its socket/
  const ways: Record<string, () => Promise<unknown>> = {
    read: () => database.read({ name: 'one', text: 'select 1' }, []),
    write: () => database.writeOnce({ name: 'two', text: 'create table planted ()' }, []),
    transaction: () => database.withTransaction(async () => assert.fail('it began')),
    'job queue': () => jobs.pool.connect(),
    'single client': () => new BoundedClient(withSettings(connection)).open(),
    migration: () => migrate(connection, stampOf('sandbox', TEST_RING)),
  }
  for (const [name, way] of Object.entries(ways)) await assert.rejects(way, refused, name)
  assert.equal(
    await ask(
      theirs.connection,
      `select count(*)::int from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    ),
    0,
  )
  await database.close()
  await jobs.pool.end()
  await ours.leave()
  await theirs.leave()
})

test('copied, moved and put back folders wait to be adopted; the same folder by another name does not', async (t) => {
  const dataDir = await copyDataDir(t) // the copy of a template, or the template itself
  const first = await enter(dataDir)
  await first.adopt()
  await first.leave()
  const isAdoptedIn = async (folder: string) => {
    const postgres = await enter(folder)
    const adopted = postgres.isAdopted()
    await postgres.leave()
    return adopted
  }
  assert.equal(await isAdoptedIn(dataDir), true)

  const link = `${dataDir}-link`
  symlinkSync(dataDir, link)
  assert.equal(await isAdoptedIn(link), true, 'by a link')
  rmSync(link)

  const moved = `${dataDir}-moved`
  renameSync(dataDir, moved)
  symlinkSync(moved, dataDir)
  assert.equal(await isAdoptedIn(dataDir), true, 'its old path leads to it')
  rmSync(dataDir)
  assert.equal(await isAdoptedIn(moved), false, 'moved')
  assert.equal(await isAdoptedIn(moved), false, 'until somebody adopts it')
  const postgres = await enter(moved)
  await Promise.all([postgres.adopt(), postgres.adopt()])
  assert.equal(postgres.isAdopted(), true)
  await postgres.leave()
  renameSync(moved, dataDir)
  const owner = join(dataDir, 'postgres/owner.json')
  const adopted = { ...JSON.parse(readFileSync(owner, 'utf8')), path: dataDir }
  writeFileSync(owner, JSON.stringify({ ...adopted, device: '1' }))
  assert.equal(await isAdoptedIn(dataDir), true, 'another device: mounted anew')
  writeFileSync(owner, JSON.stringify({ ...adopted, machine: '0'.repeat(32) }))
  assert.equal(await isAdoptedIn(dataDir), !existsSync('/etc/machine-id'), 'on another machine')
  writeFileSync(owner, JSON.stringify(adopted))
  copyOwned(clusterOf(dataDir), `${clusterOf(dataDir)}.restored`)
  rmSync(clusterOf(dataDir), { recursive: true })
  renameSync(`${clusterOf(dataDir)}.restored`, clusterOf(dataDir))
  assert.equal(await isAdoptedIn(dataDir), false, 'a cluster put back in place')
  writeFileSync(owner, JSON.stringify({ ...JSON.parse(readFileSync(owner, 'utf8')), adopted: true }))
  assert.equal(await isAdoptedIn(dataDir), true)
  const control = join(clusterOf(dataDir), 'global/pg_control')
  copyOwned(control, `${control}.restored`)
  renameSync(`${control}.restored`, control)
  assert.equal(await isAdoptedIn(dataDir), false, 'files copied over those of the cluster')
  writeFileSync(owner, '{"path": "/srv')
  assert.equal(await isAdoptedIn(dataDir), false, 'who owns it cannot be read')
})

test('root: a copy that points to a database outside of it is refused, and a moved one is not', {
  skip: !isRoot(),
}, async (t) => {
  const dataDir = makeDataDir(t, { mode: 0o700 })
  const original = await enter(dataDir)
  const { home } = recordOf(dataDir)
  assert.match(home, /^\/var\/lib\/ingot\//)
  const copied = join(dirname(dataDir), 'copied')
  copyOwned(dataDir, copied)
  for (const running of [true, false]) {
    await assert.rejects(enter(copied), refusal(new RegExp(`in ${home} belongs to ${dataDir}: `)))
    if (running) await original.leave()
  }
  renameSync(dataDir, `${dataDir}-gone`)
  const moved = await enter(copied)
  assert.equal(moved.isAdopted(), false)
  await moved.leave()
  renameSync(`${dataDir}-gone`, dataDir)
  await assert.rejects(enter(dataDir), refusal(new RegExp(`belongs to ${copied}`)))
  rmSync(copied, { recursive: true })
  await (await enter(dataDir)).leave()

  copyOwned(dataDir, copied)
  rmSync(dataDir, { recursive: true })
  renameSync(copied, dataDir)
  const restored = await enter(dataDir)
  assert.equal(restored.isAdopted(), false, 'put back in place from a backup')
  await restored.leave()
})

test('a folder that is replaced while its process runs is not followed', async (t) => {
  const dataDir = await copyDataDir(t)
  const reasons: string[] = []
  const postgres = await joinEmbeddedPostgres({
    dataDir,
    password: PASSWORD,
    onEvent: (_event, detail) => detail && reasons.push(detail),
  })
  const pid = postmasterOf(dataDir)
  const kept = `${dataDir}-kept`
  renameSync(dataDir, kept)
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o711)
  process.kill(pid, 'SIGINT')
  await until(() => reasons.some((reason) => /was replaced by another folder/.test(reason)))
  rmSync(dataDir, { recursive: true })
  renameSync(kept, dataDir)
  await until(() => existsSync(join(clusterOf(dataDir), 'postmaster.pid')))
  await postgres.leave()
})

test("callers' values stay out of the log, which is emptied while it is written", async (t) => {
  const dataDir = await copyDataDir(t)
  const postgres = await enter(dataDir)
  const log = join(clusterOf(dataDir), '../postgres.log')
  for (const statement of [
    `select 'urn:uuid:caller-value'::uuid`,
    `select pg_catalog.date_in('caller-value')`,
    `do $$ begin raise warning 'caller-value'; raise exception 'caller-value' using detail = 'caller-value'; end $$`,
    `select 1/length('') as "caller-value"`,
  ]) {
    await assert.rejects(ask(postgres.connection, statement))
  }
  await ask(postgres.connection, 'checkpoint')
  assert.doesNotMatch(readFileSync(log, 'utf8'), /caller-value/)
  assert.match(readFileSync(log, 'utf8'), /LOG: {2}/)

  const file = openSync(log, 'r+')
  ftruncateSync(file, 30 * 1024 * 1024)
  closeSync(file)
  await until(() => statSync(log).size < 1024 * 1024)
  assert.ok(statSync(`${log}.1`).size <= 10 * 1024 * 1024)
  await ask(postgres.connection, 'checkpoint')
  const size = statSync(log).size
  assert.ok(size > 0 && size < 1024 * 1024, `${size} bytes: PostgreSQL goes on at the end`)
  await postgres.leave()
})
