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
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sameUid, tryAs, uidOf } from './account.ts'
import { type ClusterLocation, updateRecord } from './cluster-location.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'

// With the byte that ends it, a socket's path fits in 104 bytes on macOS and 108 on Linux. One limit for both.
const PATH_MAX_BYTES = 103
const INSIDE = 'socket'

const socketIn = (location: ClusterLocation, socketDir: string) =>
  join(socketDir, `.s.PGSQL.${location.record.port}`)

/** Beside the cluster: every process that can use the data folder sees it there, also with a /tmp of its own. */
export function socketDirInside(home: string): string {
  return join(home, INSIDE)
}

/** False: DATA_DIR has too long a path, and the socket has to be in a temporary folder. */
export function fitsInside(location: ClusterLocation): boolean {
  return fits(location, socketDirInside(location.home))
}

function fits(location: ClusterLocation, socketDir: string): boolean {
  return Buffer.byteLength(socketIn(location, socketDir)) <= PATH_MAX_BYTES
}

/**
 * A postmaster's socket folder by the name that it has here. The data folder may have another path for the server: in a
 * container, or since it was moved. A socket inside is beside the cluster in each of them.
 */
export function socketDirHere(location: ClusterLocation, cluster: string, socketDir: string): string {
  const isInside = socketDir === socketDirInside(dirname(cluster)) && fitsInside(location)
  return isInside ? socketDirInside(location.home) : socketDir
}

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
 * Where the next postmaster has its socket: inside the data folder if that works, else in the recorded folder. Both are made
 * again if they vanished, so that connection details stay. Where a server answers, whose ever it is, another one is made.
 */
export async function ensureSocketDir(location: ClusterLocation): Promise<string> {
  const inside = socketDirInside(location.home)
  const recorded = location.record.socketDir
  if (await isUsableInside(location, inside)) {
    if (recorded && !isSameFolder(recorded, inside)) await removeUnused(location, recorded)
    return keep(location, inside)
  }
  if (recorded && !isSameFolder(recorded, inside) && (await isUsable(location, recorded))) return recorded
  return keep(location, makeSocketDir(location))
}

async function isUsableInside(location: ClusterLocation, inside: string): Promise<boolean> {
  if (!fits(location, inside) || !(await isUsable(location, inside))) return false
  if (await takesSockets(inside)) return true
  removeIfEmpty(inside)
  return false
}

// By a link to DATA_DIR the folder has another path.
function isSameFolder(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => lstatSync(each, { throwIfNoEntry: false }))
  return path === other || (one !== undefined && one.ino === two?.ino && one.dev === two.dev)
}

function keep(location: ClusterLocation, socketDir: string): string {
  if (socketDir !== location.record.socketDir) updateRecord(location, { socketDir })
  return socketDir
}

async function isUsable(location: ClusterLocation, path: string): Promise<boolean> {
  return (isPrivateDir(location, path) || remake(location, path)) && (await clearStaleSocket(location, path))
}

/** Some file systems have no sockets: folders that a virtual machine shares with its host, for one. */
export async function takesSockets(folder: string): Promise<boolean> {
  const path = join(folder, '.probe')
  const server = createServer((socket) => socket.destroy())
  try {
    rmSync(path, { force: true }) // of a start that was killed
    server.listen({ path, exclusive: true })
    await once(server, 'listening')
    return await answers(path)
  } catch {
    return false
  } finally {
    server.close() // removes it
  }
}

// Of a release that had it in a temporary folder.
async function removeUnused(location: ClusterLocation, socketDir: string): Promise<void> {
  if (!isPrivateDir(location, socketDir) || !(await clearStaleSocket(location, socketDir))) return
  removeIfEmpty(socketDir)
}

/** A server may answer in the data folder although no postmaster can be seen: it is in another PID namespace, or hidden. */
export async function answersInside(location: ClusterLocation): Promise<boolean> {
  const inside = socketDirInside(location.home)
  return (
    fits(location, inside) && isPrivateDir(location, inside) && (await answers(socketIn(location, inside)))
  )
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
  const bases = [tmpdir(), '/tmp'].filter((base) => fits(location, join(base, 'ingot-XXXXXX')))
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
  const socket = socketIn(location, socketDir)
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
  const socket = socketIn(location, socketDir ?? '')
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
  if (location.record.socketDir) removeIfEmpty(location.record.socketDir)
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Gone already, or not empty: it does no harm.
  }
}
