import '#test/leash.ts'
import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isRoot, unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { enter, isStopped, makeDataDir, postmasterOf, recordOf } from '#test/embedded-postgres.ts'
import { install } from '#test/installed-folder.ts'
import { canReachCheckout, killMember, startMember } from '#test/members.ts'
import { CONTAINER, cannotRunIn, nodeIn, PRIVATE_TMP, unitOf } from '#test/namespaces.ts'
import { until } from '#test/patience.ts'
import { ingot, MAIN, startServer, temporaryFolder } from '#test/process.ts'
import { call } from '#test/service.ts'

// A service whose /tmp is its own, and processes beside it that see another one. They share the database, and none takes
// it from the others.
const REFUSED =
  /socket folder \S+ cannot be seen from here.* The server was left alone\. Restart the service once/
const LOST = /embedded database (lost|restarted)/

const insideOf = (dataDir: string) => join(dataDir, 'postgres', 'socket')

function makeTmp(path: string): string {
  mkdirSync(path)
  chmodSync(path, 0o1777)
  return path
}

function installed(t: TestContext) {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const settings = { DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'info', INGOT_ROLES: 'api' }
  install(settings.DATA_DIR)
  const inUnit = { ...settings, TMPDIR: makeTmp(join(folder.path, 'tmp')) }
  const start = () => startServer(inUnit, { node: nodeIn(folder.path, PRIVATE_TMP), main: MAIN })
  return { settings, tmp: inUnit.TMPDIR, start }
}

type How = Parameters<typeof startMember>[1]

// The second joins the server of the first, which stays the same one.
async function startAndJoin(dataDir: string, first: How, second: How): Promise<void> {
  const starter = startMember(dataDir, first)
  assert.equal(await starter.event, 'started')
  const pid = postmasterOf(dataDir)
  const joiner = startMember(dataDir, second)
  assert.equal(await joiner.event, 'joined')
  await joiner.leave()
  assert.equal(postmasterOf(dataDir), pid)
  await starter.leave()
}

// As an earlier release did it: something in the way keeps the socket out of the data folder.
async function keepingSocketOut<T>(dataDir: string, start: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(insideOf(dataDir)), { recursive: true })
  chmodSync(dirname(insideOf(dataDir)), isRoot() ? 0o711 : 0o700)
  writeFileSync(insideOf(dataDir), '')
  const started = await start()
  rmSync(insideOf(dataDir))
  return started
}

const noPrivateTmp = cannotRunIn(PRIVATE_TMP)

test('commands work beside a service with a private /tmp', { skip: noPrivateTmp }, async (t) => {
  const { settings, start } = installed(t)
  const service = await start()
  const pid = postmasterOf(settings.DATA_DIR)
  assert.equal(recordOf(settings.DATA_DIR).socketDir, insideOf(settings.DATA_DIR))
  const [key, to] = ['backup.key', 'backup'].map((name) => join(dirname(settings.DATA_DIR), name)) as [
    string,
    string,
  ]
  for (const command of [
    ['partner', 'list'],
    ['doctor'],
    ['backup', 'key', key],
    ['backup', '--to', to, '--key', key],
  ]) {
    const { code, stderr } = await ingot(settings, ...command)
    assert.equal(code, 0, stderr)
    assert.equal(postmasterOf(settings.DATA_DIR), pid, command.join(' '))
  }
  assert.equal((await call(`${service.url}/readyz`)).status, 200)
  assert.doesNotMatch(service.output(), LOST)
  assert.equal(await service.kill('SIGTERM'), 0)
  assert.ok(isStopped(settings.DATA_DIR))
})

test('a socket that an earlier release left in a private /tmp: commands refuse, until a restart moves it', {
  skip: noPrivateTmp,
}, async (t) => {
  const { settings, tmp, start } = installed(t)
  const service = await keepingSocketOut(settings.DATA_DIR, start)
  const pid = postmasterOf(settings.DATA_DIR)
  assert.equal(dirname(recordOf(settings.DATA_DIR).socketDir ?? ''), tmp)
  for (const command of ['list', 'list']) {
    const { code, stderr } = await ingot(settings, 'partner', command)
    assert.notEqual(code, 0)
    assert.match(stderr, REFUSED)
    assert.match(stderr, new RegExp(`process ${pid}`))
  }
  assert.equal(postmasterOf(settings.DATA_DIR), pid)
  assert.equal((await call(`${service.url}/readyz`)).status, 200)
  assert.doesNotMatch(service.output(), LOST)
  assert.equal(await service.kill('SIGTERM'), 0)

  const again = await start()
  assert.equal(recordOf(settings.DATA_DIR).socketDir, insideOf(settings.DATA_DIR))
  assert.equal((await ingot(settings, 'partner', 'list')).code, 0)
  assert.equal(await again.kill('SIGTERM'), 0)
})

test('a socket that was swept out of a private /tmp: a process outside restarts the server', {
  skip: noPrivateTmp,
}, async (t) => {
  const dataDir = makeDataDir(t)
  const env = { ...process.env, TMPDIR: makeTmp(join(dirname(dataDir), 'tmp')) }
  const node = nodeIn(dirname(dataDir), PRIVATE_TMP)
  const member = await keepingSocketOut(dataDir, async () => {
    const started = startMember(dataDir, { node, env })
    assert.equal(await started.event, 'started')
    return started
  })
  const pid = postmasterOf(dataDir)
  const socketDir = recordOf(dataDir).socketDir ?? ''
  await killMember(member)
  await assert.rejects(enter(dataDir), REFUSED)
  rmSync(join('/proc', String(pid), 'root', socketDir), { recursive: true })
  const postgres = await enter(dataDir)
  assert.equal(postgres.connection.host, insideOf(dataDir))
  assert.notEqual(postmasterOf(dataDir), pid)
  await postgres.leave()
})

const noContainer = isRoot() ? cannotRunIn(CONTAINER) : 'this is not root'

test('two containers with one data folder share a server, whose process one of them cannot see', {
  skip: noContainer,
}, async (t) => {
  const dataDir = makeDataDir(t)
  const env = { ...process.env, TMPDIR: makeTmp(join(dirname(dataDir), 'tmp')) }
  const contained = { node: nodeIn(dirname(dataDir), CONTAINER), env }
  for (const [first, second] of [
    [contained, {}],
    [{}, contained],
    [contained, contained],
  ]) {
    await startAndJoin(dataDir, first, second)
    assert.ok(isStopped(dataDir))
  }
})

const account = unprivilegedAccounts().find(({ name }) => name === 'nobody')
const noUnit =
  isRoot() && account && canReachCheckout(account)
    ? cannotRunIn(unitOf(account.uid))
    : 'this is not root with an account nobody that can reach this checkout'

test('a unit with users and processes of its own, and the same account outside', {
  skip: noUnit,
}, async (t) => {
  const { uid } = account!
  const dataDir = makeDataDir(t)
  for (const folder of [dirname(dataDir), dataDir]) chownSync(folder, uid, uid)
  const tmp = makeTmp(join(dirname(dataDir), 'tmp'))
  const inUnit = { node: nodeIn(dirname(dataDir), unitOf(uid)), env: { ...process.env, TMPDIR: tmp } }
  const outside = { uid, gid: uid }
  for (const [first, second] of [
    [inUnit, outside],
    [outside, inUnit],
  ]) {
    await startAndJoin(dataDir, first, second)
    await until(() => isStopped(dataDir), 'PostgreSQL stops')
  }

  writeFileSync(insideOf(dataDir), '')
  const old = startMember(dataDir, inUnit)
  assert.equal(await old.event, 'started')
  rmSync(insideOf(dataDir))
  const pid = postmasterOf(dataDir)
  await assert.rejects(startMember(dataDir, outside).event, REFUSED)
  assert.equal(postmasterOf(dataDir), pid)
  await old.leave()
})
