import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chooseAccount, isRoot, sameUid, uidOf } from './account.ts'
import { type ClusterLocation, locationOf, updateRecord } from './cluster-location.ts'
import { newRecord } from './placement-record.ts'
import {
  answersInside,
  ensureSocketDir,
  fitsInside,
  socketDirHere,
  socketDirInside,
  takesSockets,
  trustedSocketDir,
} from './socket-dir.ts'

const SOCKET = '.s.PGSQL.5432'
const account = isRoot() ? chooseAccount() : null

function makeLocation(t: TestContext, below = 'data'): ClusterLocation {
  const folder = mkdtempSync(join(tmpdir(), 's-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  const dataDir = join(folder, below)
  const location = locationOf(dataDir, newRecord('postgres', account))
  for (const path of [dataDir, location.home]) {
    mkdirSync(path)
    chmodSync(path, 0o711) // a strict umask counts for mkdir
  }
  return location
}

/** Another folder in which PostgreSQL could have its socket, as the record of an earlier release names one. */
function recordElsewhere(location: ClusterLocation): string {
  const path = mkdtempSync(join(dirname(location.dataDir), 'old-'))
  if (account) chownSync(path, account.uid, account.gid)
  updateRecord(location, { socketDir: path })
  return path
}

async function listen(t: TestContext, folder: string): Promise<void> {
  const server = createServer((socket) => socket.destroy()).listen(join(folder, SOCKET))
  t.after(() => server.close())
  await once(server, 'listening')
}

test('the socket is inside the data folder, closed to all but the account of PostgreSQL', async (t) => {
  const location = makeLocation(t)
  const inside = socketDirInside(location.home)
  assert.equal(await ensureSocketDir(location), inside)
  assert.equal(location.record.socketDir, inside)
  assert.equal(statSync(inside).mode & 0o777, 0o700)
  assert.ok(sameUid(statSync(inside).uid, uidOf(account)))
  rmSync(inside, { recursive: true })
  assert.equal(await ensureSocketDir(location), inside, 'made again under its name')
})

test('a path too long for a socket: a temporary folder', async (t) => {
  const bytes = Buffer.byteLength(join(socketDirInside(makeLocation(t).home), SOCKET))
  const exact = makeLocation(t, 'data'.padEnd('data'.length + 103 - bytes, '-'))
  assert.equal(await ensureSocketDir(exact), socketDirInside(exact.home))
  const long = makeLocation(t, 'data'.padEnd('data'.length + 104 - bytes, '-'))
  assert.equal(fitsInside(long), false)
  const made = await ensureSocketDir(long)
  t.after(() => rmSync(made, { recursive: true, force: true }))
  assert.equal(dirname(made), tmpdir())
  assert.equal(await ensureSocketDir(long), made, 'the recorded one stays')
})

test('a recorded folder elsewhere is left for the one inside, and removed unless a server answers there', async (t) => {
  const location = makeLocation(t)
  const old = recordElsewhere(location)
  writeFileSync(join(old, `${SOCKET}.lock`), '1\n')
  assert.equal(await ensureSocketDir(location), socketDirInside(location.home))
  assert.ok(!existsSync(old))

  const used = recordElsewhere(location)
  await listen(t, used)
  assert.equal(await ensureSocketDir(location), socketDirInside(location.home))
  assert.ok(existsSync(join(used, SOCKET)), 'another server may be there')
})

test('by a link to the data folder it is the same folder', async (t) => {
  const location = makeLocation(t)
  await ensureSocketDir(location)
  const link = join(dirname(location.dataDir), 'link')
  symlinkSync(location.dataDir, link)
  const linked = locationOf(link, location.record)
  assert.equal(await ensureSocketDir(linked), socketDirInside(linked.home))
  assert.ok(existsSync(socketDirInside(location.home)))
})

test('what is in the way inside is left alone: the recorded folder stays', async (t) => {
  const plant: Record<string, (path: string, location: ClusterLocation) => void> = {
    'a file': (path) => writeFileSync(path, ''),
    'a link': (path, location) => symlinkSync(recordElsewhere(location), path),
    'open to others': (path) => {
      mkdirSync(path)
      chmodSync(path, 0o777)
    },
  }
  for (const [name, put] of Object.entries(plant)) {
    const location = makeLocation(t)
    put(socketDirInside(location.home), location)
    const old = recordElsewhere(location)
    assert.equal(await ensureSocketDir(location), old, name)
  }
})

test('a server that answers inside keeps its socket', async (t) => {
  const location = makeLocation(t)
  const inside = await ensureSocketDir(location)
  assert.equal(await answersInside(location), false)
  await listen(t, inside)
  assert.equal(await answersInside(location), true)
  const made = await ensureSocketDir(location)
  t.after(() => rmSync(made, { recursive: true, force: true }))
  assert.notEqual(made, inside)
  assert.ok(existsSync(join(inside, SOCKET)))
})

test('whether a folder takes sockets is tried', async (t) => {
  const { home } = makeLocation(t)
  assert.equal(await takesSockets(home), true)
  assert.equal(await takesSockets(join(home, 'missing')), false)
  assert.ok(!existsSync(join(home, '.probe')))
})

test('a server that knows the data folder by another path has its socket in ours', async (t) => {
  const location = makeLocation(t)
  const inside = await ensureSocketDir(location)
  const here = (socketDir: string) => socketDirHere(location, '/data/postgres/data', socketDir)
  assert.equal(here('/data/postgres/socket'), inside)
  assert.equal(here('/tmp/ingot-abc'), '/tmp/ingot-abc')
  assert.equal(trustedSocketDir(location, inside), inside)
  chmodSync(inside, 0o755)
  assert.equal(trustedSocketDir(location, inside), undefined)
})
