import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeOnce } from '#app/data-dir.ts'
import { isRoot } from '#app/embedded-postgres/account.ts'
import { TEMPORARY_PREFIX } from '#app/embedded-postgres/cluster.ts'
import { type ClusterLocation, updateRecord } from '#app/embedded-postgres/cluster-location.ts'
import { folderWriter } from '#app/embedded-postgres/copy-to-folder.ts'
import { claimAsCopy } from '#app/embedded-postgres/folder.ts'
import { settleLocation } from '#app/embedded-postgres/placement.ts'
import { syncFolder } from '#app/embedded-postgres/placement-record.ts'
import type { SecretsFile } from '#app/keys/secrets-file.ts'
import { freeBytesAt } from '#base/disk.ts'
import { withFileLock } from '#base/file-lock.ts'
import { BackupError, DamagedBackup } from './error.ts'
import { bytesOf, readBase } from './manifest.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { megabytes } from './progress.ts'
import { recover } from './recover.ts'
import {
  emptyRestored,
  markRestore,
  RESTORE_LOCK,
  refuseUsedTarget,
  removeRestored,
  unmarkRestore,
} from './restore-marker.ts'
import type { BackupKey } from './sealed-format.ts'
import { explainSpace } from './take-backup.ts'
import type { Listed } from './verify.ts'
import { openFeed } from './wal-feed.ts'

export interface RestoreTask {
  readonly dataDir: string
  readonly dir: string
  readonly key: BackupKey
  readonly chosen: Listed
  /** How many segments of its log were checked, and are surely read. */
  readonly needed: number
  /** Up to and with this moment. Undefined: to the end of the archive. */
  readonly time: Temporal.Instant | undefined
  readonly onFiles: (done: number, total: number) => void
  readonly onLog: (done: number, total: number) => void
}

const CLUSTER = 'cluster/'

/**
 * Puts a backup's files into DATA_DIR and recovers the database. The folder is marked until `finish` has recorded the restore
 * in the database. If this fails, what it wrote is removed; if it is killed, the mark shows it.
 */
export async function restoreFiles(task: RestoreTask, finish: () => Promise<void>): Promise<void> {
  const { dataDir, chosen } = task
  refuseUsedTarget(dataDir)
  refuseSmallDisk(dataDir, chosen)
  // Root lets PostgreSQL's account pass through.
  mkdirSync(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  await oneAtATime(join(dataDir, RESTORE_LOCK), `another restore into ${dataDir} is under way`, () =>
    restoreAlone(task, finish),
  )
}

// Nobody else restores into the folder from here to the end. A mark is that of a restore that was killed.
async function restoreAlone(task: RestoreTask, finish: () => Promise<void>): Promise<void> {
  const { dataDir, dir, chosen } = task
  refuseUsedTarget(dataDir)
  markRestore(dataDir, { from: dir, backup: chosen.manifest.id })
  try {
    await withFileLock(join(dataDir, 'embedded-postgres.lock'), async () => {
      await emptyRestored(dataDir) // of a restore that was killed
      const location = settleLocation(dataDir)
      const password = await writeFiles(task, location)
      await recoverLog(task, location, password)
    })
    await finish()
  } catch (error) {
    await removeRestored(dataDir)
    throw explainSpace(error, dataDir)
  }
  unmarkRestore(dataDir)
}

export function refuseSmallDisk(dataDir: string, { manifest }: Listed, freeAt = freeBytesAt): void {
  const free = freeAt(dataDir)
  // A few segments more: those that are being read, and those that PostgreSQL writes at its start.
  const needed = bytesOf(manifest) + 8 * manifest.segmentBytes
  if (free >= needed) return
  throw new BackupError(
    `${dataDir} has room for ${megabytes(free)}, and the restore needs ${megabytes(needed)}: nothing was touched`,
  )
}

async function writeFiles(task: RestoreTask, location: ClusterLocation): Promise<string> {
  const { dataDir, dir, key, chosen, onFiles } = task
  const { manifest } = chosen
  const temporary = join(location.home, TEMPORARY_PREFIX + randomBytes(6).toString('hex'))
  const writer = folderWriter(temporary, location.account)
  const total = bytesOf(manifest)
  let done = 0
  for (const path of manifest.folders) await writer.folder(path.slice(CLUSTER.length))
  const beside = new Map<string, string>()
  await readBase(dir, manifest, key, async (path, content) => {
    const counted = count(content, (bytes) => {
      done += bytes
      onFiles(done, total)
    })
    refuseStrangePath(path)
    if (path.startsWith(CLUSTER)) await writer.file(path.slice(CLUSTER.length), counted)
    else beside.set(path, await textOf(counted))
  })
  await writer.file('recovery.signal', none())
  await writer.finish()
  renameSync(temporary, location.cluster)
  syncFolder(location.home)
  updateRecord(location, { initialised: true })
  for (const [name, content] of beside) writeOnce(join(dataDir, name), content)
  const { databasePassword }: SecretsFile = JSON.parse(beside.get('secrets.json')!)
  return databasePassword
}

// The list is sealed, so only this program wrote it. It costs nothing to be sure.
function refuseStrangePath(path: string): void {
  const isPlain = path.startsWith(CLUSTER) || !path.includes('/')
  if (isPlain && !path.startsWith('/') && !path.split('/').includes('..')) return
  throw new DamagedBackup(`the backup holds a file outside its folder: ${path}`)
}

async function recoverLog(task: RestoreTask, location: ClusterLocation, password: string): Promise<void> {
  const { dir, key, chosen, needed, time, onLog } = task
  const { manifest, range } = chosen
  const feed = openFeed(location, { dir, manifest, key }, { segments: range.segments, needed }, (done) => {
    onLog(done * manifest.segmentBytes, range.segments.length * manifest.segmentBytes)
  })
  try {
    await recover(location, {
      password,
      restoreCommand: feed.command,
      time: time?.toString(),
      failed: feed.failed,
    })
  } finally {
    await feed.close()
  }
  // The original may go on sending, here or on another machine, so this one must not begin by itself.
  if (manifest.installation.mode === 'live') claimAsCopy(location)
}

async function* count(
  content: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    yield bytes
    onBytes(bytes.length)
  }
}

async function* none(): AsyncGenerator<Buffer> {}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const bytes of content) parts.push(bytes)
  return Buffer.concat(parts).toString('utf8')
}
