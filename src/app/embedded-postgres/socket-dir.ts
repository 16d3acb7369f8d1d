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
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { type Site, updateRecord } from './site.ts'

// A socket's whole path must fit in 104 bytes on macOS and 108 on Linux; ours adds 30 to the folder.
const BASE_MAX_BYTES = 60

/** A folder that only PostgreSQL's account (and root) can enter; whoever owns it could pose as the server. */
function isPrivateDir(site: Site, path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  return sameUid(found.uid, uidOf(site.account)) && (found.mode & 0o777) === 0o700
}

/** Where a running postmaster has its socket, unless others could have put theirs there. */
export function trustedSocketDir(site: Site, found: string | undefined): string | undefined {
  if (!found || !isPrivateDir(site, found)) return undefined
  if (found !== site.record.socketDir) updateRecord(site, { socketDir: found })
  return found
}

/**
 * The recorded folder, made again under its old name if it vanished, so that connection details stay; another one if
 * a server answers there, whose ever it is.
 */
export async function ensureSocketDir(site: Site): Promise<string> {
  const recorded = site.record.socketDir
  if (recorded && (isPrivateDir(site, recorded) || remake(site, recorded))) {
    if (await clearStaleSocket(site, recorded)) return recorded
  }
  const made = makeSocketDir(site)
  updateRecord(site, { socketDir: made })
  return made
}

function remake(site: Site, path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 }) // fails if anything has that name
    return handOver(site, path)
  } catch {
    return false
  }
}

function makeSocketDir(site: Site): string {
  const preferred = tmpdir()
  const bases = Buffer.byteLength(preferred) < BASE_MAX_BYTES ? [preferred, '/tmp'] : ['/tmp']
  for (const base of bases) {
    const path = mkdtempIn(base)
    if (path && handOver(site, path)) return path
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
function handOver(site: Site, path: string): boolean {
  if (!site.account) return true
  chownSync(path, site.account.uid, site.account.gid)
  if (tryAs(site.account, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', path]).ok) return true
  rmdirSync(path)
  return false
}

/**
 * A killed postmaster leaves its socket and that one's lock file, which holds its number and stops the next
 * postmaster if another process has the number now. False, and nothing removed, if somebody listens there.
 */
async function clearStaleSocket(site: Site, socketDir: string): Promise<boolean> {
  const socket = join(socketDir, `.s.PGSQL.${site.record.port}`)
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
  site: Site,
  pid: number,
  socketDir: string | undefined,
  stop: () => Promise<void>,
): Promise<void> {
  const socket = join(socketDir ?? '', `.s.PGSQL.${site.record.port}`)
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

export function removeSocketDir(site: Site): void {
  try {
    if (site.record.socketDir) rmdirSync(site.record.socketDir)
  } catch {
    // Gone already, or not empty: it does no harm.
  }
}
