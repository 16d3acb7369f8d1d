import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '#app/embedded-postgres/placement-record.ts'
import { BackupError } from './error.ts'

/** Where an installation's backups go, in DATA_DIR. The service reads it again and again, so no restart is needed. */
export interface BackupPlan {
  readonly format: 1
  readonly dir: string
  readonly keyFile: string
  readonly keyId: string
  /** The id of that folder; absent in a plan of a release before this one. */
  readonly place?: string
  /** How many full copies are kept. */
  readonly keep: number
  /** The folder that made the plan: a copy of it must not write into the archive of the original. */
  readonly folder: { readonly path: string; readonly inode: string }
  /** The slot's and the archive's name; null until the first copy. */
  readonly chain: string | null
  readonly last: { readonly id: string; readonly endedAt: string } | null
}

const planPath = (dataDir: string) => join(dataDir, 'backup.json')
const statusPath = (dataDir: string) => join(dataDir, 'backup-status.json')

export function folderOf(dataDir: string): BackupPlan['folder'] {
  const path = realpathSync(dataDir)
  return { path, inode: String(statSync(path, { bigint: true }).ino) }
}

export function readPlan(dataDir: string): BackupPlan | undefined {
  if (!existsSync(planPath(dataDir))) return undefined
  let plan: BackupPlan
  try {
    plan = JSON.parse(readFileSync(planPath(dataDir), 'utf8'))
  } catch {
    throw new BackupError(`${planPath(dataDir)} is damaged: run \`ingot backup --to DIR --key FILE\` again`)
  }
  if (plan.format !== 1) throw new BackupError(`${planPath(dataDir)} was written by a newer release`)
  const { path, inode } = folderOf(dataDir)
  if (plan.folder.path === path && plan.folder.inode === inode) return plan
  throw new BackupError(
    `${dataDir} was copied or moved since its backups were set up, and ${plan.dir} may be another's: ` +
      'run `ingot backup --to DIR --key FILE` again',
  )
}

/** Undefined also for a folder that was copied or moved, and for a damaged plan: a new plan takes its place. */
export function knownPlan(dataDir: string): BackupPlan | undefined {
  try {
    return readPlan(dataDir)
  } catch {
    return undefined
  }
}

export function writePlan(dataDir: string, plan: BackupPlan): void {
  writeWhole(planPath(dataDir), plan)
}

export function removePlan(dataDir: string): void {
  rmSync(planPath(dataDir), { force: true })
  rmSync(statusPath(dataDir), { force: true })
}

/** What the archive does, for the metrics and for `backup list`. Written by the worker. */
export interface ArchiveStatus {
  /** Everything that was acknowledged before this moment is in the archive. */
  readonly archivedUntil: string | null
  /** The first moment of the present trouble. */
  readonly failingSince: string | null
  readonly reason: string | null
  /** The archive has a gap: only the next full copy mends it. */
  readonly givenUp: boolean
}

export function readStatus(dataDir: string): ArchiveStatus | undefined {
  try {
    return JSON.parse(readFileSync(statusPath(dataDir), 'utf8'))
  } catch {
    return undefined // none yet
  }
}

export function writeStatus(dataDir: string, status: ArchiveStatus): void {
  writeWhole(statusPath(dataDir), status)
}
