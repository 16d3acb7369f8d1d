import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { locationOf } from '#app/embedded-postgres/cluster-location.ts'
import { readRecord, syncFolder, writeWhole } from '#app/embedded-postgres/placement-record.ts'
import { findPostmaster, stopPostmaster } from '#app/embedded-postgres/postmaster.ts'
import { removeSocketDir } from '#app/embedded-postgres/socket-dir.ts'
import { BackupError } from './error.ts'

const MARKER = 'restore.json'
const markerPath = (dataDir: string) => join(dataDir, MARKER)
/** Stays when a restore failed, and counts as nothing: another may be waiting at it, and would hold a file without a name. */
export const RESTORE_LOCK = 'restore.lock'
const SERVER_LOCK = 'embedded-postgres.lock'

/** A folder that is being restored into. While its marker is there nothing else opens the folder. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(markerPath(dataDir))) return
  throw new BackupError(
    `${dataDir} is being restored, or its restore was cut off: run the same \`ingot restore\` again. It begins anew`,
  )
}

export function markRestore(dataDir: string, about: { from: string; backup: string }): void {
  writeWhole(markerPath(dataDir), about)
}

export function unmarkRestore(dataDir: string): void {
  rmSync(markerPath(dataDir), { force: true })
  syncFolder(dataDir)
}

/** Empty, missing, or left by a restore that was cut off: nothing else is written to. */
export function refuseUsedTarget(dataDir: string): void {
  const found = lstatSync(dataDir, { throwIfNoEntry: false })
  if (!found || existsSync(markerPath(dataDir))) return
  if (!found.isDirectory()) throw new BackupError(`DATA_DIR (${dataDir}) is not a folder`)
  const something = readdirSync(dataDir).find((name) => name !== RESTORE_LOCK)
  if (something === undefined) return
  const whose = existsSync(join(dataDir, 'secrets.json')) ? 'belongs to an installation' : 'is not empty'
  throw new BackupError(
    `DATA_DIR (${dataDir}) ${whose} (${something}): nothing was touched. Restore into an empty or a new folder`,
  )
}

/** Removes what a restore has written, and its mark last. Only for a folder that has one. */
export async function removeRestored(dataDir: string): Promise<void> {
  await emptyRestored(dataDir)
  unmarkRestore(dataDir)
  rmSync(join(dataDir, SERVER_LOCK), { force: true })
}

/** The same, but the folder stays marked: the restore begins anew. */
export async function emptyRestored(dataDir: string): Promise<void> {
  const record = readRecord(dataDir)
  if (record) {
    const location = locationOf(dataDir, record)
    const seen = findPostmaster(location)
    if (seen) await stopPostmaster(location, seen.pid)
    removeSocketDir(location)
    if (isAbsolute(record.home)) rmSync(record.home, { recursive: true, force: true })
  }
  for (const name of readdirSync(dataDir)) {
    if (![MARKER, RESTORE_LOCK, SERVER_LOCK].includes(name))
      rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}
