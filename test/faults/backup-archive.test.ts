import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LogArchiver } from '#app/backup/archive-log.ts'
import { slotOf } from '#app/backup/chain.ts'
import { chooseBackup } from '#app/backup/choose-backup.ts'
import { isFullDue, startBackups } from '#app/backup/keep-backups.ts'
import { readKeyFile } from '#app/backup/key-file.ts'
import { countNeeded } from '#app/backup/log-range.ts'
import { addBackupGauges } from '#app/backup/metrics.ts'
import { readPlan, readStatus } from '#app/backup/plan.ts'
import { prune } from '#app/backup/prune.ts'
import { refuseSmallDisk } from '#app/backup/restore.ts'
import { runBackup } from '#app/backup/run-backup.ts'
import { openSource, withClient } from '#app/backup/source.ts'
import { type Listed, listBackups } from '#app/backup/verify.ts'
import { readConfig } from '#app/settings/config.ts'
import { createLog } from '#base/log.ts'
import { createRegistry } from '#base/metrics.ts'
import { install } from '#test/installed-folder.ts'
import { until } from '#test/patience.ts'
import { ingot, temporaryFolder } from '#test/process.ts'

// What keeps an archive whole over the years: copies that fail, disks that are away, damage, clocks, several copies in one folder.
const folder = temporaryFolder()
const at = (...names: string[]) => join(folder.path, ...names)
const original = { DATA_DIR: at('data') }
const NO_PROGRESS = () => {}
const run = (...argv: string[]) => ingot(original, ...argv, '--json')

install(original.DATA_DIR)
assert.equal((await run('backup', 'key', at('key'))).code, 0)
assert.equal((await run('migrate')).code, 0)
const key = readKeyFile(at('key'))
const source = await openSource(readConfig(original))
const wish = { dir: at('out'), keyFile: at('key'), keep: 7, once: false }
const { manifest } = await runBackup(source, wish, NO_PROGRESS)
const chain = manifest.chain!
const place = readPlan(original.DATA_DIR)!.place
const target = {
  ...{ dir: at('out'), place, chain, key },
  ...{ cluster: source.location.cluster, systemId: manifest.installation.systemId },
}
const segments = () => readdirSync(at('out', 'wal', chain)).sort()

// A small disk, as root and where a container allows it.
const small = at('small')
mkdirSync(small)
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', small])

test.after(async () => {
  spawnSync('umount', ['-l', small])
  await source.embedded.leave()
  folder.remove()
})

const slots = () =>
  withClient(source.embedded, async (client) => {
    const { rows } = await client.query('select slot_name from pg_replication_slots order by 1')
    return rows.map((row) => row.slot_name as string)
  })

test('a full copy is due after a day, after a clock that ran ahead, and after new secrets', () => {
  const copy = (hours: number) => {
    const endedAt = Temporal.Now.instant().subtract({ minutes: Math.round(hours * 60) })
    const id = `${endedAt.round('second').toString().replaceAll(/[-:]/g, '')}-00000000`
    return { id, endedAt: endedAt.toString() }
  }
  const before = 0
  const now = Date.now()
  assert.deepEqual(
    [isFullDue(copy(23), before), isFullDue(copy(25), before), isFullDue(copy(-1), before)],
    [false, true, true],
  )
  assert.deepEqual([isFullDue(copy(1), now - 2 * 3_600_000), isFullDue(copy(1), now)], [false, true])
})

test('a segment ends each minute, also if the clock of the machine is set', async () => {
  let nowMs = 0
  const archiver = new LogArchiver(target, () => nowMs)
  await withClient(source.embedded, async (client) => {
    await archiver.step(client)
    nowMs = 59_000
    assert.deepEqual(await archiver.step(client), { kind: 'archived', segments: 0, until: null })
    nowMs = 61_000
    const step = await archiver.step(client)
    assert.ok(step.kind === 'archived' && step.segments > 0 && step.until)
    await archiver.step(client, { finish: true })
    await archiver.step(client, { finish: true })
  })
  assert.ok(segments().length >= 3)
})

test('a copy that fails, to the same folder or to another one: the archive goes on as before', async () => {
  const lost = { ...source, location: { ...source.location, cluster: at('nowhere') } }
  for (const dir of [at('out'), at('elsewhere')]) {
    await assert.rejects(runBackup(lost, { ...wish, dir }, NO_PROGRESS))
    const plan = readPlan(original.DATA_DIR)!
    assert.deepEqual([plan.dir, plan.chain, plan.last?.id], [at('out'), chain, manifest.id])
    assert.deepEqual(await slots(), [slotOf(chain)])
  }
})

test('a folder that only has the name of the one that was set up: nothing is written there', async () => {
  renameSync(at('out'), at('unmounted'))
  const archiver = new LogArchiver(target)
  const archive = () => withClient(source.embedded, (client) => archiver.step(client, { finish: true }))
  await assert.rejects(archive(), /is its disk mounted/)
  await assert.rejects(runBackup(source, { ...wish, asPlanned: true }, NO_PROGRESS), /is its disk mounted/)
  assert.ok(!readdirSync(folder.path).includes('out'))
  // A new folder of the same name.
  const { code, stderr } = await run('backup', '--to', at('out'), '--key', at('key'), '--once')
  assert.equal(code, 0, stderr)
  await assert.rejects(archive(), /is its disk mounted/)
  rmSync(at('out'), { recursive: true })
  renameSync(at('unmounted'), at('out'))
  assert.equal((await archive()).kind, 'archived')
  assert.equal((await runBackup(source, { ...wish, asPlanned: true }, NO_PROGRESS)).manifest.chain, chain)
})

test('a plan that is damaged, or of a folder that was moved, is replaced by the next backup', async () => {
  const file = join(original.DATA_DIR, 'backup.json')
  const plan = JSON.parse(readFileSync(file, 'utf8'))
  for (const text of ['{', JSON.stringify({ ...plan, folder: { path: '/elsewhere', inode: '1' } })]) {
    writeFileSync(file, text)
    assert.equal((await run('backup', '--to', at('other'), '--key', at('key'))).code, 0)
    const { chain: begun } = readPlan(original.DATA_DIR)!
    assert.deepEqual(await slots(), [slotOf(begun!)])
  }
  writeFileSync(file, '{')
  assert.equal((await run('backup', 'stop')).code, 0)
  assert.deepEqual(await slots(), [])
})

test('a segment that is missing or damaged: verify fails, and a restore to the end names the time that can be reached', async () => {
  const path = at('out', 'wal', chain, segments().at(-2)!)
  const whole = readFileSync(path)
  const verify = async () => {
    const { code, stdout } = await run('backup', 'verify', '--from', at('out'), '--key', at('key'))
    const { ok, damaged, backups } = JSON.parse(stdout)
    assert.deepEqual([code === 0, backups.length], [ok, 2])
    return damaged.join('\n')
  }
  writeFileSync(path, whole.subarray(0, 20))
  assert.match(await verify(), /is no file of a backup, or was changed/)
  rmSync(path)
  assert.match(await verify(), /the log is missing or damaged after/)
  const oldest = (await listBackups(at('out'), key)).listed[0]!
  const { until } = oldest.range
  assert.throws(() => chooseBackup([oldest], {}), new RegExp(`give --time ${until}`))
  assert.equal(chooseBackup([oldest], { time: Temporal.Instant.from(until) }), oldest)
  writeFileSync(path, whole)
  assert.equal(await verify(), '')
})

test('a restore to a time needs the log up to it, and no more', async () => {
  const [{ range }] = (await listBackups(at('out'), key)).listed as [Listed]
  const needed = (time: string) => countNeeded(at('out'), manifest, range, key, Temporal.Instant.from(time))
  assert.ok(range.segments.length >= 3)
  assert.equal(await needed(range.from), 1)
  assert.equal(await needed(range.until), range.segments.length)
})

test('a copy whose list is damaged: the others are listed, checked and used, and nothing old is removed', async () => {
  const path = at('out', 'backups', manifest.id, 'manifest')
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, whole.length - 1))
  const { listed, damaged } = await listBackups(at('out'), key)
  assert.deepEqual(
    damaged.map(({ id }) => id),
    [manifest.id],
  )
  assert.notEqual(chooseBackup(listed, {}).manifest.id, manifest.id)
  const verified = await run('backup', 'verify', '--from', at('out'), '--key', at('key'))
  assert.deepEqual([verified.code, JSON.parse(verified.stdout).backups.length], [1, 1])
  assert.deepEqual(await prune(at('out'), key, 1, listed[0]!.manifest), {
    ...{ backups: [], segments: 0, unreadable: [manifest.id] },
  })
  writeFileSync(path, whole)
})

// As a list of copies shows them, oldest first: of which chain, from and until which hour.
function copies(...given: [id: string, chain: string | null, from: number, until: number][]): Listed[] {
  const hour = (n: number) => `2026-11-16T${String(n).padStart(2, '0')}:00:00Z`
  return given.map(([id, of, from, until]) => ({
    manifest: { ...manifest, id, chain: of },
    range: { segments: [], from: hour(from), until: hour(until), gapAfter: null },
  }))
}

test('without a time the copy whose log reaches furthest is restored, not the newest', () => {
  const chosen = (...given: Parameters<typeof copies>) => chooseBackup(copies(...given), {}).manifest.id
  assert.equal(chosen(['daily', 'a', 3, 23], ['once', null, 12, 12]), 'daily')
  assert.equal(chosen(['first', 'a', 1, 23], ['second', 'a', 3, 23], ['once', null, 12, 12]), 'second')
  assert.equal(chosen(['daily', 'a', 3, 9], ['once', null, 12, 12]), 'once', 'the archive had ended')
  assert.equal(chosen(['old', 'a', 3, 9], ['new', 'b', 10, 20]), 'new')
})

test('two copies of an installation that archived into one folder at once: the one to restore has to be named', () => {
  const both = copies(['original', 'a', 3, 20], ['drill', 'b', 10, 21])
  const time = (n: number) => Temporal.Instant.from(`2026-11-16T${n}:00:00Z`)
  assert.throws(
    () => chooseBackup(both, {}),
    /two copies of this installation .*--backup ID:\n.*\(drill\)\n.*\(original\)/s,
  )
  assert.throws(() => chooseBackup(both, { time: time(12) }), /two copies/)
  assert.equal(chooseBackup(both, { id: 'original' }).manifest.id, 'original')
  assert.equal(chooseBackup(both, { id: 'drill', time: time(12) }).manifest.id, 'drill')
  assert.throws(() => chooseBackup(both, { id: 'drill', time: time(22) }), /do not reach/)
  assert.throws(() => chooseBackup(both, { id: 'none' }), /there is no backup none/)
})

const failing = async () => {
  const registry = createRegistry()
  addBackupGauges(registry, original.DATA_DIR)
  return Number(/^ingot_backup_archive_failing (\d)$/m.exec(await registry.metrics())?.[1])
}

test('an archive that fails is told, works again, and is given up before the log fills the disk; a full copy mends it', async (t) => {
  const fresh = { ...wish, dir: at('fresh') }
  const begun = (await runBackup(source, fresh, NO_PROGRESS)).manifest.chain!
  const [archive, away] = [at('fresh', 'wal', begun), at('archive-away')]
  const breakArchive = () => {
    renameSync(archive, away)
    writeFileSync(archive, '')
  }
  const write = () =>
    withClient(source.embedded, (client) =>
      client.query(`select pg_logical_emit_message(true, 'test', repeat('x', 40000000))`),
    )
  let free = 10e9
  const backups = startBackups({
    dataDir: original.DATA_DIR,
    connection: source.embedded.connection,
    log: createLog('silent'),
    mayArchive: () => true,
    freeAt: () => free,
  })
  t.after(() => backups.stop())
  // For the full copy, which a process of its own makes.
  process.env.DATA_DIR = original.DATA_DIR
  t.after(() => delete process.env.DATA_DIR)

  await write()
  await until(() => existsSync(archive) && readdirSync(archive).length > 1, 'the archive works')
  breakArchive()
  await write()
  await until(async () => (await failing()) === 1, 'the archive is said to fail')
  assert.ok(readStatus(original.DATA_DIR)!.failingSince)
  rmSync(archive)
  renameSync(away, archive)
  await until(async () => (await failing()) === 0, 'the archive works again')

  breakArchive()
  await write()
  await write()
  await until(async () => (await failing()) === 1, 'the archive fails again')
  assert.deepEqual(await slots(), [slotOf(begun)], 'the log waits while there is room')
  free = 50e6
  const reasons = new Set<string>()
  await until(async () => {
    reasons.add(readStatus(original.DATA_DIR)?.reason ?? '')
    return readPlan(original.DATA_DIR)?.chain !== begun
  }, 'a full copy begins another archive')
  assert.match([...reasons].join(), /given up, to keep the disk of the database from filling/)
  await until(async () => (await failing()) === 0, 'which works')
  assert.deepEqual(await slots(), [slotOf(readPlan(original.DATA_DIR)!.chain!)])
})

test('a copy on the disk of the database stops before that is full, and leaves nothing', async () => {
  const before = readdirSync(at('fresh', 'backups'))
  let asked = 0
  const shrinking = () => {
    asked += 1
    return asked < 3 ? 300e6 : 200e6
  }
  await assert.rejects(
    runBackup(source, { ...wish, dir: at('fresh'), once: true }, NO_PROGRESS, shrinking),
    /is on the disk of the database, and only 200 MB are left there: nothing of this was kept/,
  )
  assert.deepEqual(readdirSync(at('fresh', 'backups')), before)
})

test('a disk of backups that is full: nothing of the copy is kept', {
  skip: mounted.status !== 0 && 'a small file system cannot be mounted here',
}, async () => {
  await assert.rejects(
    runBackup(source, { ...wish, dir: join(small, 'out'), once: true }, NO_PROGRESS),
    /there is no room left in .*: nothing of this was kept/,
  )
  assert.deepEqual(readdirSync(join(small, 'out', 'backups')), [])
})

test('a restore that has no room is refused before anything is touched', () => {
  const listed = { manifest } as Listed
  const refuse = (free: number) => refuseSmallDisk(at('new'), listed, () => free)
  assert.throws(() => refuse(1e6), /has room for 1\.0 MB, and the restore needs \d+ MB: nothing was touched/)
  refuse(1e12)
})
