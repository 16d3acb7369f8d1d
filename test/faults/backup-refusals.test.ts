import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LogArchiver } from '#app/backup/archive-log.ts'
import { slotOf } from '#app/backup/chain.ts'
import { chooseBackup, refuseUnusable } from '#app/backup/choose-backup.ts'
import { readKeyFile } from '#app/backup/key-file.ts'
import { type Manifest, readBase, readManifest } from '#app/backup/manifest.ts'
import { oldestFirst } from '#app/backup/order.ts'
import { readPlan } from '#app/backup/plan.ts'
import { prune } from '#app/backup/prune.ts'
import { restoreFiles } from '#app/backup/restore.ts'
import { runBackup } from '#app/backup/run-backup.ts'
import { openSource, withClient } from '#app/backup/source.ts'
import { listBackups } from '#app/backup/verify.ts'
import { openFeed } from '#app/backup/wal-feed.ts'
import { archiveSegment } from '#app/backup/wal-segment.ts'
import { findLocation } from '#app/embedded-postgres/cluster-location.ts'
import { claimCluster, isAdopted } from '#app/embedded-postgres/folder.ts'
import { readConfig } from '#app/settings/config.ts'
import { install } from '#test/installed-folder.ts'
import { until } from '#test/patience.ts'
import { ingot, temporaryFolder } from '#test/process.ts'

// One installation, one backup with two segments after it, and everything that can be wrong with it.
const folder = temporaryFolder()
const at = (...names: string[]) => join(folder.path, ...names)
const original = { DATA_DIR: at('data') }
const target = { DATA_DIR: at('target') }
const PLACE = ['--from', at('out'), '--key', at('key')]

async function refused(settings: Record<string, string>, words: RegExp, ...argv: string[]) {
  const run = await ingot(settings, ...argv, '--json')
  assert.notEqual(run.code, 0, run.stdout)
  // Progress comes before it, on a slow machine.
  assert.match(JSON.parse(run.stderr.trim().split('\n').at(-1)!).error, words)
}

async function done(settings: Record<string, string>, ...argv: string[]) {
  const run = await ingot(settings, ...argv, '--json')
  assert.equal(run.code, 0, run.stderr)
  return JSON.parse(run.stdout)
}

const isUntouched = () => !existsSync(target.DATA_DIR)

install(original.DATA_DIR)
await done(original, 'backup', 'key', at('key'))
const key = readKeyFile(at('key'))
const NO_PROGRESS = () => {}

/** The archive and the database are made once, by what the commands and the worker call. */
await done(original, 'migrate')
const source = await openSource(readConfig(original))
const wish = { dir: at('out'), keyFile: at('key'), keep: 2, once: false }
const { manifest } = await runBackup(source, wish, NO_PROGRESS)
const chain = manifest.chain!
const archive = {
  dir: at('out'),
  chain,
  key,
  cluster: source.location.cluster,
  systemId: manifest.installation.systemId,
}
await withClient(source.embedded, async (client) => {
  const archiver = new LogArchiver(archive)
  await archiver.step(client, { finish: true })
  await client.query('create table late (id int)')
  await archiver.step(client, { finish: true })
})
const base = at('out', 'backups', manifest.id, 'base')
const manifestFile = at('out', 'backups', manifest.id, 'manifest')
const segments = readdirSync(at('out', 'wal', chain)).sort()
const last = at('out', 'wal', chain, segments.at(-1)!)

test.after(async () => {
  await source.embedded.leave()
  folder.remove()
})

test('a changed byte, a cut and a gap anywhere: refused by name, and nothing is touched', async () => {
  assert.ok(segments.length >= 2)
  for (const path of [base, manifestFile, last]) {
    const whole = readFileSync(path)
    for (const bytes of [
      changed(whole, Math.floor(whole.length / 2)),
      changed(whole, whole.length - 1),
      whole.subarray(0, whole.length - 1),
    ]) {
      writeFileSync(path, bytes)
      await refused(target, /was changed|is cut off|cannot be read after the segment/, 'restore', ...PLACE)
      assert.ok(isUntouched())
    }
    writeFileSync(path, whole)
  }
  renameSync(last, `${last}.away`)
  writeFileSync(at('out', 'wal', chain, following(segments.at(-1)!)), readFileSync(`${last}.away`))
  const { listed } = await listBackups(at('out'), key)
  assert.equal(listed[0]?.range.gapAfter, segments.at(-2), 'what is after a gap cannot be reached')
  rmSync(at('out', 'wal', chain, following(segments.at(-1)!)))
  renameSync(`${last}.away`, last)
})

function changed(whole: Buffer, position: number): Buffer {
  const copy = Buffer.from(whole)
  copy[position]! ^= 1
  return copy
}

function following(segment: string): string {
  return (
    segment.slice(0, 16) +
    (Number.parseInt(segment.slice(16), 16) + 1).toString(16).toUpperCase().padStart(8, '0')
  )
}

test('a wrong key, a wrong place, a wrong time: refused by name', async () => {
  await done({}, 'backup', 'key', at('other-key'))
  await refused(target, /sealed with another key/, 'restore', '--from', at('out'), '--key', at('other-key'))
  await refused(target, /exists already/, 'backup', 'key', at('key'))
  writeFileSync(at('no-key'), 'a line\n', { mode: 0o600 })
  await refused(target, /holds no backup key/, 'restore', '--from', at('out'), '--key', at('no-key'))
  cpSync(at('key'), at('open-key'))
  chmodSync(at('open-key'), 0o644)
  await refused(target, /others can read/, 'restore', '--from', at('out'), '--key', at('open-key'))
  await refused(original, /belongs to an installation/, 'restore', ...PLACE)
  await refused(
    { DATABASE_URL: 'postgres://127.0.0.1:9/x' },
    /pgBackRest/,
    'backup',
    ...PLACE.with(0, '--to'),
  )
  await refused({ DATABASE_URL: 'postgres://127.0.0.1:9/x' }, /pgBackRest/, 'restore', ...PLACE)
  symlinkSync(at('out'), at('link'))
  await refused(target, /is a link/, 'restore', '--from', at('link'), '--key', at('key'))
  await refused(target, /takes a moment with its zone/, 'restore', ...PLACE, '--time', '2026-11-16')
  for (const time of ['2001-01-01T00:00:00Z', '2101-01-01T00:00:00Z'])
    await refused(target, /do not reach .* can be restored to\n.* to /, 'restore', ...PLACE, '--time', time)
  assert.ok(isUntouched())
})

test('a folder that is no place for a backup: refused by name, and no copy is made', async () => {
  const backup = (dir: string, keyFile = at('key')) =>
    runBackup(source, { ...wish, dir, keyFile }, NO_PROGRESS)
  mkdirSync(at('strange'))
  writeFileSync(at('strange', 'letter'), '')
  mkdirSync(at('open'), { mode: 0o777 })
  chmodSync(at('open'), 0o777)
  cpSync(at('key'), at('out', 'wal', 'key'))
  for (const [dir, words] of [
    [at('data', 'out'), /is inside DATA_DIR/],
    [folder.path, /holds DATA_DIR/],
    [at('link'), /is a link/],
    [at('strange'), /something else than backups \(letter\)/],
    [at('open'), /other accounts can write/],
    [at('key'), /is not a folder/],
    [at('missing', 'below'), /cannot be made \(ENOENT\)/],
  ] as const)
    await assert.rejects(backup(dir), words)
  await assert.rejects(backup(at('out'), at('out', 'wal', 'key')), /is inside/)
  rmSync(at('out', 'wal', 'key'))
  await assert.rejects(backup(at('out'), at('other-key')), /sealed with another key/)
  assert.equal(readPlan(original.DATA_DIR)?.chain, chain, 'the archive goes on as before')
  const stranger = { ...source, installation: { ...source.installation, systemId: '1' } }
  await assert.rejects(runBackup(stranger, wish, NO_PROGRESS), /backups of another installation/)
})

test('another mode, key ring, PostgreSQL or a newer release: refused by name', async () => {
  const known = { schema: manifest.schema, keyRing: manifest.installation.keyRing }
  const check = (change: object, mode: 'sandbox' | 'live' = 'sandbox', ring = known.keyRing) =>
    refuseUnusable({ ...manifest, ...change }, { mode }, { ...known, keyRing: ring })
  check({})
  assert.throws(() => check({ schema: manifest.schema + 1 }), /newer release/)
  assert.throws(() => check({ postgresMajor: '19' }), /is of PostgreSQL 19/)
  assert.throws(() => check({}, 'live'), /of a sandbox installation, and INGOT_MODE is live/)
  assert.throws(() => check({}, 'sandbox', 'another'), /key ring .* is not the one/)
  assert.deepEqual(await readManifest(at('out'), manifest.id, key), JSON.parse(JSON.stringify(manifest)))
  const { listed } = await listBackups(at('out'), key)
  assert.equal(chooseBackup(listed, {}).manifest.id, manifest.id)
})

test("a sandbox's ring is in the backup, a live one never", async () => {
  const secretsIn = async (dir: string, backup: Manifest) => {
    let found = ''
    await readBase(dir, backup, key, async (path, content) => {
      for await (const bytes of content) if (path === 'secrets.json') found += bytes
    })
    return Object.keys(JSON.parse(found))
  }
  assert.deepEqual(await secretsIn(at('out'), manifest), ['databasePassword', 'keyRing'])
  const live = { ...source, installation: { ...source.installation, mode: 'live' } } as const
  const once = { ...wish, dir: at('live'), once: true }
  const { manifest: ofLive } = await runBackup(live, once, NO_PROGRESS)
  assert.deepEqual(await secretsIn(at('live'), ofLive), ['databasePassword'])
  assert.ok(ofLive.files.every(({ path }) => path === 'secrets.json' || path.startsWith('cluster/')))
  assert.equal(ofLive.chain, null)
})

test('a live folder waits to be adopted; a second restore into it is refused, and a failed one leaves nothing', async () => {
  const chosen = (await listBackups(at('live'), key)).listed.find(
    ({ manifest: { installation } }) => installation.mode === 'live',
  )!
  const dataDir = at('restored')
  const task = { dataDir, dir: at('live'), key, chosen, needed: 0, time: undefined, onFiles() {}, onLog() {} }
  const cut = restoreFiles(task, async () => {
    const location = findLocation(dataDir)!
    claimCluster(location) // as a start does
    assert.equal(isAdopted(location), false)
    await assert.rejects(
      restoreFiles(task, async () => assert.fail()),
      /another restore .* is under way/,
    )
    assert.ok(existsSync(join(dataDir, 'secrets.json')) && existsSync(join(dataDir, 'restore.json')))
    throw new Error('cut off')
  })
  await assert.rejects(cut, /^Error: cut off$/)
  assert.deepEqual(readdirSync(dataDir), ['restore.lock'], 'which counts as nothing')
  await restoreFiles(task, async () => {})
  await assert.rejects(
    restoreFiles(task, async () => assert.fail()),
    /belongs to an installation/,
  )
})

test('a link where PostgreSQL is answered is not followed', async () => {
  mkdirSync(at('home'))
  writeFileSync(at('victim'), 'kept')
  const feed = openFeed(
    { ...source.location, home: at('home') },
    { dir: at('out'), manifest, key },
    { segments: [], needed: 0 },
    NO_PROGRESS,
  )
  try {
    const answer = at('home', 'restore-feed', 'none.x')
    symlinkSync(at('victim'), answer)
    const want = at('home', 'restore-feed', 'want.x')
    writeFileSync(want, '')
    await until(() => !existsSync(want) && existsSync(answer), 'it is answered')
    await feed.close()
    assert.equal(readFileSync(at('victim'), 'utf8'), 'kept')
  } finally {
    await feed.close()
  }
})

test('copies are ordered by the log where a clock ran ahead', () => {
  const copy = (id: string, of: string | null, stopLsn: string, endedAt: string) => ({
    id,
    chain: of,
    stopLsn,
    endedAt,
  })
  const copies = [
    copy('third', 'x', '0/A0000000', '2026-11-12T00:00:00Z'),
    copy('ahead', 'x', '0/9000000', '2036-11-11T00:00:00Z'),
    copy('fourth', 'y', '0/1000000', '2026-11-13T00:00:00Z'),
    copy('first', 'x', '0/8000000', '2026-11-10T00:00:00Z'),
    copy('alone', null, '0/9500000', '2026-11-11T12:00:00Z'),
  ]
  assert.deepEqual(
    oldestFirst(copies, (one) => one).map(({ id }) => id),
    ['first', 'alone', 'ahead', 'third', 'fourth'],
  )
})

test('a segment is archived once: the same is no error, another is never replaced', async () => {
  const segment = segments[0]!
  const info = { segment, systemId: archive.systemId, until: '' }
  const pgWal = at('pg_wal')
  mkdirSync(pgWal)
  const content = randomBytes(manifest.segmentBytes)
  writeFileSync(join(pgWal, segment), content)
  const from = { pgWal, info, segmentBytes: manifest.segmentBytes }
  await assert.rejects(archiveSegment(from, at('out'), chain, key), /not what it should be/)
  // Page heads that fit, and other records.
  content.fill(0)
  const start = BigInt(Number.parseInt(segment.slice(16), 16)) * BigInt(manifest.segmentBytes)
  content.writeUInt32LE(1, 4)
  content.writeBigUInt64LE(start, 8)
  content.writeBigUInt64LE(BigInt(archive.systemId), 24)
  writeFileSync(join(pgWal, segment), content)
  const before = statSync(at('out', 'wal', chain, segment)).mtimeMs
  await assert.rejects(archiveSegment(from, at('out'), chain, key), /is there already and differs/)
  assert.equal(statSync(at('out', 'wal', chain, segment)).mtimeMs, before)
})

test('a slot that is gone ends the chain; the next copy begins another, and old copies go by policy', async () => {
  await withClient(source.embedded, async (client) => {
    await client.query('select pg_drop_replication_slot($1)', [slotOf(chain)])
    assert.deepEqual(await new LogArchiver(archive).step(client), { kind: 'broken' })
  })
  const second = await runBackup(source, wish, NO_PROGRESS)
  assert.notEqual(second.manifest.chain, chain)
  assert.deepEqual(second.pruned.backups, [])
  // What a killed backup left behind goes too.
  mkdirSync(at('out', 'backups', '.partial-20200101T000000Z-00000000'))
  const third = await runBackup(source, { ...wish, keep: 1 }, NO_PROGRESS)
  assert.equal(third.manifest.chain, second.manifest.chain)
  assert.deepEqual(third.pruned.backups, [second.manifest.id, manifest.id])
  assert.deepEqual(readdirSync(at('out', 'backups')), ['.place', third.manifest.id])
  assert.ok(!existsSync(at('out', 'wal', chain)), 'the log of removed copies goes with them')
  // Whatever the order says, the one that was taken just now stays.
  const fourth = await runBackup(source, wish, NO_PROGRESS)
  assert.deepEqual((await prune(at('out'), key, 1, third.manifest)).backups, [])
  assert.deepEqual((await prune(at('out'), key, 1, fourth.manifest)).backups, [third.manifest.id])
})

test('a restore that was cut off: nothing opens the folder, and the same command begins anew', async () => {
  mkdirSync(join(target.DATA_DIR, 'postgres', 'data.new-0'), { recursive: true })
  chmodSync(target.DATA_DIR, 0o711)
  writeFileSync(join(target.DATA_DIR, 'restore.json'), '{}')
  await refused(target, /its restore was cut off/, 'partner', 'list')
  const restored = await done(target, 'restore', ...PLACE)
  assert.equal(restored.dataDir, target.DATA_DIR)
  assert.ok(!existsSync(join(target.DATA_DIR, 'restore.json')))
  assert.equal((await done(target, 'partner', 'list')).length, 5)
  await refused(target, /belongs to an installation/, 'restore', ...PLACE)
})
