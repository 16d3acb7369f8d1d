import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, chooseAccount, isRoot, sameUid, tryAs, unprivilegedAccounts } from './account.ts'
import { TEMPORARY_PREFIX } from './cluster.ts'
import { type ClusterLocation, hasCluster, locationOf, refuseOtherMajor } from './cluster-location.ts'
import { EmbeddedPostgresError, errorCode, messageOf } from './error.ts'
import { findOwnLocation } from './folder.ts'
import { newRecord, writeRecord } from './placement-record.ts'

const INSIDE = 'postgres'
const SHARED = '/var/lib/ingot'

/** The recorded location, or a new one. Call it under the lock. */
export function settleLocation(dataDir: string): ClusterLocation {
  const location =
    findOwnLocation(dataDir) ??
    recoverLocation(dataDir) ??
    (isRoot() ? placeForRoot(dataDir) : placeInside(dataDir))
  if (!hasCluster(location)) makeHome(location.home)
  return location
}

// The record is lost, but the usual place has a cluster: use it rather than hide it.
function recoverLocation(dataDir: string): ClusterLocation | undefined {
  const found = locationOf(dataDir, newRecord(INSIDE, null))
  const owner = statSync(found.cluster, { throwIfNoEntry: false })?.uid
  if (owner === undefined || !hasCluster(found)) return undefined
  const account = isRoot() ? unprivilegedAccounts().find(({ uid }) => sameUid(uid, owner)) : null
  if (account === undefined || (account === null && owner !== process.geteuid?.())) {
    throw new EmbeddedPostgresError(
      `${found.cluster} belongs to uid ${owner}. Start as the account that made it, or choose another DATA_DIR`,
    )
  }
  refuseOtherMajor(found)
  return record(dataDir, INSIDE, account)
}

function placeInside(dataDir: string): ClusterLocation {
  return record(dataDir, INSIDE, null)
}

function placeForRoot(dataDir: string): ClusterLocation {
  const account = chooseAccount()
  const id = randomBytes(6).toString('hex')
  const reasons: string[] = []
  for (const home of [INSIDE, `${SHARED}/${id}`]) {
    const location = locationOf(dataDir, newRecord(home, account))
    const reason = whyUnusable(location.home, account)
    if (!reason) return record(dataDir, home, account)
    reasons.push(`${location.home}: ${reason}`)
  }
  throw new EmbeddedPostgresError(
    `found no place where the account ${account.name} could keep a database. ${reasons.join('; ')}`,
  )
}

// Recorded before anything is made there, so that a kill leaves no cluster that nothing points to.
function record(dataDir: string, home: string, account: Account | null): ClusterLocation {
  const made = newRecord(home, account)
  writeRecord(dataDir, made)
  return locationOf(dataDir, made)
}

/** Tries as the account itself, since modes, ACLs and mounts of every folder above have a say. */
function whyUnusable(home: string, account: Account): string | undefined {
  try {
    makeHome(home)
    const probe = mkdtempSync(join(home, TEMPORARY_PREFIX))
    try {
      chownSync(probe, account.uid, account.gid)
      const tried = tryAs(account, '/bin/sh', ['-c', 'cd "$1" && : > file && rm file', 'sh', probe])
      if (tried.ok) return undefined
      return tried.detail
    } finally {
      rmSync(probe, { recursive: true, force: true })
      rmdirIfEmpty(home)
    }
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * As root the home stays root's own, and the account may only pass through it. Root writes the log and the binaries there.
 * An account that owned the folder could turn them into links to anything.
 */
function makeHome(home: string): void {
  if (home.startsWith(`${SHARED}/`)) makeOwnFolder(SHARED)
  makeOwnFolder(home)
}

function makeOwnFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  const found = lstatSync(path)
  if (!found.isDirectory() || found.uid !== process.geteuid?.()) {
    throw new EmbeddedPostgresError(`${path} exists, but is not a folder of this account`)
  }
  chmodSync(path, isRoot() ? 0o711 : 0o700)
}

function rmdirIfEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Not empty, so it was there before.
  }
}
