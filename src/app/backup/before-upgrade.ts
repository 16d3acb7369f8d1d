import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listClusterFiles } from '#app/embedded-postgres/cluster-files.ts'
import type { Config } from '#app/settings/config.ts'
import { freeBytesAt } from '#base/disk.ts'
import type { Log } from '#base/log.ts'
import { backupPath, backupsIn, checkFolder, listBackupIds } from './backup-folder.ts'
import { BackupError } from './error.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'
import { readManifest } from './manifest.ts'
import { megabytes } from './progress.ts'
import type { BackupKey } from './sealed-format.ts'
import { openSource, type Source } from './source.ts'
import { takeBackup } from './take-backup.ts'

const TOLD_MS = 5_000
// The log that makes the copy consistent, and what others write meanwhile.
const SPARE_BYTES = 128 * 1024 * 1024

const folderOf = (dataDir: string) => join(dataDir, 'before-upgrade')
// What was served by both releases while an upgrade was half way. Apart, so that `restore` takes no one for the other.
const resumedOf = (dataDir: string) => join(dataDir, 'before-upgrade-resumed')
const keyOf = (dataDir: string) => join(dataDir, 'before-upgrade.key')
// The schema that the upgrade leads to.
const targetOf = (dataDir: string) => join(dataDir, 'before-upgrade.to')

/**
 * A copy of the embedded database beside it, before a release changes its schema. It is the way back to the release before,
 * and no backup: it is lost with the disk, and its key lies beside it. Only the last one is kept. If an upgrade was cut off
 * half way, the copy from before it stays. The service may have gone on for weeks since, so another one is made beside it.
 */
export async function copyBeforeUpgrade(
  config: Config,
  log: Log,
  target: number,
  free = freeBytesAt(config.dataDir),
): Promise<void> {
  const { dataDir } = config
  const source = await openSource(config)
  try {
    const key = existsSync(keyOf(dataDir)) ? readKeyFile(keyOf(dataDir)) : makeKeyFile(keyOf(dataDir))
    const isResumed = await isHalfWay(source, key)
    const dir = isResumed ? resumedOf(dataDir) : folderOf(dataDir)
    const before = listBackupIds(dir)
    refuseWithoutRoom(source, dir, free)
    mkdirSync(backupsIn(dir), { recursive: true, mode: 0o700 })
    checkFolder(dir)
    log.info('copying the database before the upgrade', { reason: `schema ${source.schema}, to ${dir}` })
    const { manifest } = await takeBackup(source, dir, key, null, { onProgress: telling(log) })
    writeFileSync(targetOf(dataDir), `${target}\n`, { flush: true })
    if (!isResumed) rmSync(resumedOf(dataDir), { recursive: true, force: true })
    for (const id of before) rmSync(backupPath(dir, id), { recursive: true, force: true })
    log.info('the database was copied before the upgrade', {
      reason:
        `${manifest.id}; the way back is \`ingot restore --from ${dir} --key ${keyOf(dataDir)}\`` +
        (isResumed
          ? `, with this release: the schema was half way. The copy from before the upgrade stays in ${folderOf(dataDir)}`
          : ''),
    })
  } finally {
    await source.embedded.leave()
  }
}

// An upgrade that was cut off has applied something since the copy, and not all. A copy of that would be no way back.
async function isHalfWay({ dataDir, schema }: Source, key: BackupKey): Promise<boolean> {
  const dir = folderOf(dataDir)
  const last = listBackupIds(dir).at(-1)
  if (last === undefined || !existsSync(targetOf(dataDir))) return false
  const target = Number(readFileSync(targetOf(dataDir), 'utf8'))
  const copied = await readManifest(dir, last, key).catch(() => undefined)
  return copied !== undefined && copied.schema < schema && schema < target
}

function telling(log: Log): (done: number, total: number) => void {
  let toldAt = performance.now()
  return (done, total) => {
    if (performance.now() - toldAt < TOLD_MS) return
    toldAt = performance.now()
    log.info('copying the database before the upgrade', {
      reason: `${megabytes(done)} of ${megabytes(total)}`,
    })
  }
}

// Before PostgreSQL itself would run out of space.
function refuseWithoutRoom({ dataDir, location }: Source, dir: string, free: number): void {
  const needed = listClusterFiles(location.cluster).files.reduce((sum, { size }) => sum + size, SPARE_BYTES)
  if (free >= needed) return
  const former = existsSync(dir)
    ? ` The copy of the upgrade before is in ${dir}; remove it if you no longer need it.`
    : ''
  throw new BackupError(
    `the database is copied before its schema is upgraded, and there is no room for it: ${megabytes(needed)} are needed in ` +
      `${dataDir}, and ${megabytes(free)} are free. Nothing was changed. Make room, or make a backup elsewhere and set ` +
      `COPY_BEFORE_UPGRADE=off.${former}`,
  )
}
