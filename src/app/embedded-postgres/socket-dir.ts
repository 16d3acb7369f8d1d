import { once } from 'node:events'
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sameUid, tryAs, uidOf } from './account.ts'
import { type ClusterLocation, updateRecord } from './cluster-location.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'

// A socket's whole path must fit in 104 bytes on macOS and 108 on Linux; ours adds 30 to the folder.
const BASE_MAX_BYTES = 60

/** A folder that only PostgreSQL's account (and root) can enter; its owner could pose as the server. */
function isPrivateDir(location: ClusterLocation, path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  return sameUid(found.uid, uidOf(location.account)) && (found.mode & 0o777) === 0o700
}

/** Where a running postmaster has its socket, unless others could have put theirs there. */
export function trustedSocketDir(location: ClusterLocation, found: string | undefined): string | undefined {
  if (!found || !isPrivateDir(location, found)) return undefined
  if (found !== location.record.socketDir) updateRecord(location, { socketDir: found })
  return found
}

/**
 * The recorded folder, made again under its old name if it vanished, so that connection details stay; another one if
 * a server answers there, whose ever it is.
 */
export async function ensureSocketDir(location: ClusterLocation): Promise<string> {
  const recorded = location.record.socketDir
  if (recorded && (isPrivateDir(location, recorded) || remake(location, recorded))) {
    if (await clearStaleSocket(location, recorded)) return recorded
  }
  const made = makeSocketDir(location)
  updateRecord(location, { socketDir: made })
  return made
}

function remake(location: ClusterLocation, path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 }) // fails if anything has that name
    return handOver(location, path)
  } catch {
    return false
  }
}

function makeSocketDir(location: ClusterLocation): string {
  const preferred = tmpdir()
  const bases = Buffer.byteLength(preferred) < BASE_MAX_BYTES ? [preferred, '/tmp'] : ['/tmp']
  for (const base of bases) {
    const path = mkdtempIn(base)
    if (path && handOver(location, path)) return path
  }
  throw new EmbeddedPostgresError(
    `found no folder for PostgreSQL's socket: cannot make a usable one in ${bases.join(' or ')}`,
  )
}

function mkdtempIn(base: string): string | undefined {
  try {
    return mkdtempSync(join(base, 'ingot-'))
  } catch {
    return undefined
  }
}

// New and owned by root until now, so no other account can have put anything in it or in its place.
function handOver(location: ClusterLocation, path: string): boolean {
  if (!location.account) return true
  chownSync(path, location.account.uid, location.account.gid)
  if (tryAs(location.account, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', path]).ok) return true
  rmdirSync(path)
  return false
}

/**
 * A killed postmaster leaves its socket and that one's lock file, which holds its number and stops the next
 * postmaster if another process has the number now. False, and nothing removed, if somebody listens there.
 */
async function clearStaleSocket(location: ClusterLocation, socketDir: string): Promise<boolean> {
  const socket = join(socketDir, `.s.PGSQL.${location.record.port}`)
  if (await answers(socket)) return false
  for (const path of [socket, `${socket}.lock`]) rmSync(path, { force: true })
  return true
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    // Any other error (a full queue, no permission) does not prove that no server is there.
    return !['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')
  } finally {
    socket.destroy()
  }
}

/**
 * PostgreSQL removes its socket by name when it stops, also where another server has put its own there since. That one
 * gets a name of its own meanwhile.
 */
export async function sparingOthersSocket(
  location: ClusterLocation,
  pid: number,
  socketDir: string | undefined,
  stop: () => Promise<void>,
): Promise<void> {
  const socket = join(socketDir ?? '', `.s.PGSQL.${location.record.port}`)
  const holder = lockHolder(`${socket}.lock`)
  const others = socketDir && holder && holder !== pid ? [socket, `${socket}.lock`] : []
  const spared = others.filter((path) => lstatSync(path, { throwIfNoEntry: false }))
  for (const path of spared) renameSync(path, `${path}.spared`)
  try {
    await stop()
  } finally {
    for (const path of spared) renameSync(`${path}.spared`, path)
  }
}

function lockHolder(path: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

export function removeSocketDir(location: ClusterLocation): void {
  try {
    if (location.record.socketDir) rmdirSync(location.record.socketDir)
  } catch {
    // Gone already, or not empty: it does no harm.
  }
}
