import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import {
  type ClusterLocation,
  findLocation,
  hasCluster,
  locationOf,
  updateRecord,
} from './cluster-location.ts'
import { EmbeddedPostgresError } from './error.ts'
import { readRecord, writeWhole } from './placement-record.ts'

/**
 * Which DATA_DIR a cluster belongs to. The file is beside the cluster, so a copy or a move takes it along, and it no longer
 * fits its place. The system identifier and the rows are the same in a copy, so they cannot tell the two apart.
 */
interface Owner {
  /** The real path of DATA_DIR. */
  readonly path: string
  readonly device: string
  readonly inode: string
  /** The inode of the cluster's folder: a backup may be put back into a DATA_DIR that stayed. */
  readonly cluster: string
  /**
   * The inode of pg_control, which PostgreSQL writes in place: a backup copied over the files replaces it. Absent where
   * an earlier start wrote the file.
   */
  readonly control?: string
  /** A disk image keeps path and inodes on another machine. Null where the machine has no id. */
  readonly machine: string | null
}

interface OwnerFile extends Owner {
  /** False from the start that found another owner until `ingot adopt`. */
  readonly adopted: boolean
}

const ownerPath = (location: ClusterLocation) => join(location.home, 'owner.json')

function readOwner(location: ClusterLocation): OwnerFile | undefined | 'damaged' {
  if (!lstatSync(ownerPath(location), { throwIfNoEntry: false })) return undefined
  // Not within the block below: what cannot be read at this moment, since no file may be opened, is not damaged.
  const text = readFileSync(ownerPath(location), 'utf8')
  try {
    const value = JSON.parse(text)
    return typeof value?.path === 'string' ? value : 'damaged'
  } catch {
    return 'damaged'
  }
}

function writeOwner(location: ClusterLocation, owner: OwnerFile): void {
  writeWhole(ownerPath(location), owner)
}

function currentOwner(location: ClusterLocation): Owner {
  const folder = statSync(location.dataDir, { bigint: true })
  // If it is missing, PostgreSQL itself reports it.
  const control = statSync(join(location.cluster, 'global/pg_control'), {
    bigint: true,
    throwIfNoEntry: false,
  })
  return {
    path: realpathSync(location.dataDir),
    device: String(folder.dev),
    inode: String(folder.ino),
    cluster: String(statSync(location.cluster, { bigint: true }).ino),
    ...(control ? { control: String(control.ino) } : {}),
    machine: readMachineId(),
  }
}

function readMachineId(): string | null {
  try {
    return readFileSync('/etc/machine-id', 'utf8').match(/^[0-9a-f]{32}$/m)?.[0] ?? null
  } catch {
    return null
  }
}

/**
 * The device alone may change: its number is given out anew at a boot or a mount. The path alone may change if the old
 * one still leads here: a bind mount, or a link where the folder used to be.
 */
function isSame(recorded: Owner, now: Owner): boolean {
  if (recorded.inode !== now.inode || recorded.cluster !== now.cluster) return false
  if (recorded.control && now.control && recorded.control !== now.control) return false
  if (recorded.machine && now.machine && recorded.machine !== now.machine) return false
  return recorded.path === now.path || leadsTo(recorded.path, now)
}

function leadsTo(path: string, { device, inode }: Owner): boolean {
  try {
    const found = statSync(path, { bigint: true })
    return String(found.dev) === device && String(found.ino) === inode
  } catch {
    return false
  }
}

/**
 * Makes the cluster this DATA_DIR's own. One that was another's waits for `ingot adopt` from now on, and forgets the
 * socket folder, which may still be in use. Call it under the lock.
 */
export function claimCluster(location: ClusterLocation): void {
  const now = currentOwner(location)
  const recorded = readOwner(location)
  if (recorded === undefined) {
    // Made just now, or by a release that wrote none.
    writeOwner(location, { ...now, adopted: true })
  } else if (recorded === 'damaged' || !isSame(recorded, now)) {
    updateRecord(location, { socketDir: null })
    writeOwner(location, { ...now, adopted: false })
  } else if (recorded.device !== now.device) {
    writeOwner(location, { ...recorded, device: now.device })
  }
}

/** Makes a new cluster this DATA_DIR's own, which waits for `ingot adopt`: its original is still there. */
export function claimAsCopy(location: ClusterLocation): void {
  writeOwner(location, { ...currentOwner(location), adopted: false })
}

export function isAdopted(location: ClusterLocation): boolean {
  const recorded = readOwner(location)
  return recorded !== undefined && recorded !== 'damaged' && recorded.adopted
}

/** Call it under the lock. */
export function adoptCluster(location: ClusterLocation): void {
  if (!isAdopted(location)) writeOwner(location, { ...currentOwner(location), adopted: true })
}

/** The recorded location, if there is one and it is ours. Only reads, so a refusal leaves all as it was. */
export function findOwnLocation(dataDir: string): ClusterLocation | undefined {
  const location = findLocation(dataDir)
  if (location) refuseOthersCluster(location)
  return location
}

// A copied DATA_DIR whose database is elsewhere has only copied the way to it.
function refuseOthersCluster(location: ClusterLocation): void {
  if (!isAbsolute(location.record.home) || !hasCluster(location)) return
  const recorded = readOwner(location)
  if (recorded === undefined || recorded === 'damaged' || leadsTo(recorded.path, currentOwner(location)))
    return
  if (!pointsTo(recorded.path, location.home)) return // it was moved here
  throw new EmbeddedPostgresError(
    `the database in ${location.home} belongs to ${recorded.path}: ${location.dataDir} is a copy that points to it and has ` +
      `none of its own. Nothing was touched. Start with DATA_DIR=${recorded.path}, or remove that folder first if ` +
      'this one takes its place',
  )
}

function pointsTo(dataDir: string, home: string): boolean {
  try {
    const record = readRecord(dataDir)
    return record !== undefined && locationOf(dataDir, record).home === home
  } catch {
    return true // there, and not to be read: in doubt it is the owner
  }
}
