import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { errorCode } from '#app/embedded-postgres/error.ts'
import { syncFolder, writeWhole } from '#app/embedded-postgres/placement-record.ts'
import { isSegmentName } from '#app/embedded-postgres/wal-names.ts'
import { BackupError } from './error.ts'

// The folder of backups:
//   backups/ID/manifest, backups/ID/base    one full copy each
//   wal/CHAIN/SEGMENT                       the log since then, as long as one slot kept it without a gap
const BACKUP_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/
const CHAIN_ID = /^[0-9a-f]{12}$/
/** What has such a name was cut off, and may be removed by the next backup. */
export const PARTIAL = '.partial-'
/** Held while a backup is made. */
export const LOCK_NAME = '.lock'

export const backupsIn = (dir: string) => join(dir, 'backups')
export const backupPath = (dir: string, id: string) => join(dir, 'backups', id)
export const chainPath = (dir: string, chain: string) => join(dir, 'wal', chain)
export const segmentPath = (dir: string, chain: string, segment: string) => join(dir, 'wal', chain, segment)

/** Names that files are sealed by. */
export const manifestName = (id: string) => `backups/${id}/manifest`
export const baseName = (id: string) => `backups/${id}/base`
export const segmentSealName = (chain: string, segment: string) => `wal/${chain}/${segment}`

/** Makes the folder if there is none, and refuses one that is no place for backups. */
export function prepareBackupFolder(dir: string, dataDir: string): void {
  refuseInside(dir, dataDir)
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw new BackupError(`${dir} cannot be made (${errorCode(error)})`)
  }
  checkFolder(dir)
  refuseInside(realpathSync(dir), realpathSync(dataDir))
  refuseStrangers(dir)
  try {
    for (const path of [backupsIn(dir), join(dir, 'wal')]) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      checkFolder(path)
    }
    syncFolder(dir)
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`this account cannot write to ${dir} (${errorCode(error)})`)
  }
}

// Which folder this is. In `backups`, where a release before this one takes no notice of it.
const placeFile = (dir: string) => join(backupsIn(dir), '.place')

/** The folder's own id, made when backups are set up there. */
export function settlePlace(dir: string): string {
  const known = readPlace(dir)
  if (known !== undefined) return known
  const id = randomBytes(16).toString('hex')
  writeWhole(placeFile(dir), { id })
  return id
}

function readPlace(dir: string): string | undefined {
  try {
    return JSON.parse(readFileSync(placeFile(dir), 'utf8')).id
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw new BackupError(`${placeFile(dir)} cannot be read: run \`ingot backup --to DIR --key FILE\` again`)
  }
}

/**
 * Refuses a folder that only has the name of the one that was set up. When a disk is not mounted, what is written goes to
 * the disk below it, and is out of sight once it is mounted again.
 */
export function refuseOtherPlace(dir: string, place: string | undefined): void {
  if (place === undefined || readPlace(dir) === place) return
  throw new BackupError(
    `${dir} is not the folder that backups were set up in: is its disk mounted? If it was replaced for good, run ` +
      '`ingot backup --to DIR --key FILE` again',
  )
}

/** A backup beside what it protects is lost with it. */
export function refuseInside(dir: string, dataDir: string): void {
  if (contains(dataDir, dir)) {
    throw new BackupError(`${dir} is inside DATA_DIR (${dataDir}): a backup there is lost with it`)
  }
  if (contains(dir, dataDir)) throw new BackupError(`${dir} holds DATA_DIR (${dataDir}): use another folder`)
}

/** Whether a path is the folder or inside it. */
export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith('../') || isAbsolute(way))
}

/** Refuses what another account could exchange under our hands. */
export function checkFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) throw new BackupError(`${path} does not exist`)
  if (found.isSymbolicLink()) throw new BackupError(`${path} is a link: name the folder that it leads to`)
  if (!found.isDirectory()) throw new BackupError(`${path} is not a folder`)
  if ((found.mode & 0o022) !== 0) throw new BackupError(`other accounts can write to ${path}: chmod 700`)
  const self = process.geteuid?.()
  if (self !== undefined && found.uid !== self && found.uid !== 0) {
    throw new BackupError(`${path} belongs to uid ${found.uid}, and this is uid ${self}`)
  }
}

// A home folder by mistake, or somebody else's files.
function refuseStrangers(dir: string): void {
  const strange = readdirSync(dir).find((name) => !['backups', 'wal', 'lost+found', LOCK_NAME].includes(name))
  if (strange) {
    throw new BackupError(
      `${dir} holds something else than backups (${strange}): name a new or an empty folder`,
    )
  }
}

/** Ids of finished backups, oldest first. */
export function listBackupIds(dir: string): string[] {
  return listNames(backupsIn(dir)).filter((name) => BACKUP_ID.test(name))
}

export function listChains(dir: string): string[] {
  return listNames(join(dir, 'wal')).filter((name) => CHAIN_ID.test(name))
}

/** Segments of a chain in order. */
export function listSegments(dir: string, chain: string): string[] {
  return listNames(chainPath(dir, chain)).filter(isSegmentName)
}

export function listNames(path: string): string[] {
  try {
    checkFolder(path)
    return readdirSync(path).sort()
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || !lstatSync(path, { throwIfNoEntry: false })) return []
    throw error
  }
}
