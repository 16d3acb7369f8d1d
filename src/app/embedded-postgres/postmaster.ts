import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterLocation } from './cluster-location.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { isAlive, isHidden, isPostmaster } from './is-postmaster.ts'
import { START_ID } from './settings.ts'
import { socketDirHere, sparingOthersSocket } from './socket-dir.ts'

const POLL_MS = 20
// A fast shutdown writes at most shared_buffers (512 MB) to disk, and a slow disk takes 10 MB/s.
const FAST_SHUTDOWN_MS = 60_000
const IMMEDIATE_SHUTDOWN_MS = 15_000

/** A live postmaster on this location's cluster, as its postmaster.pid describes it. */
export interface Postmaster {
  readonly pid: number
  readonly status: 'starting' | 'ready' | 'stopping'
  /** By the name it has here, if it is inside the data folder. */
  readonly socketDir: string | undefined
  readonly port: number | undefined
}

export function findPostmaster(location: ClusterLocation): Postmaster | undefined {
  const lines = readPidFile(location)
  const pid = Number(lines?.[0])
  if (!lines || !Number.isSafeInteger(pid) || pid <= 1 || !isPostmaster(location, pid)) return undefined
  const status = lines[7]?.trim()
  return {
    pid,
    // The line is missing at first.
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
    socketDir: socketDirHere(location, lines[1] ?? '', lines[4] ?? '') || undefined,
    port: Number(lines[3]) || undefined,
  }
}

/** The id that the running postmaster was started with; null if an older release started it. */
export function startIdOf(location: ClusterLocation): string | null {
  // PostgreSQL writes its own command line there, once it has the folder to itself.
  const options = readParts(location, 'postmaster.opts', '"') ?? []
  return options.find((option) => option.startsWith(`${START_ID}=`))?.slice(START_ID.length + 1) ?? null
}

function readPidFile(location: ClusterLocation): string[] | undefined {
  return readParts(location, 'postmaster.pid', '\n')
}

function readParts(location: ClusterLocation, name: string, separator: string): string[] | undefined {
  try {
    return readFileSync(join(location.cluster, name), 'utf8').split(separator)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * PostgreSQL itself clears the file of a dead postmaster, after it looked for surviving backends. In two cases it refuses to
 * start instead: the number now belongs to another process of its account, or a power cut left the file empty. A process
 * that is hidden from us may be the postmaster itself, so there PostgreSQL's refusal stands.
 */
export function clearStalePidFile(location: ClusterLocation, options: { evenIfEmpty: boolean }): void {
  const lines = readPidFile(location)
  if (!lines || findPostmaster(location)) return
  const pid = Number(lines[0])
  if (pid > 1 ? isAlive(pid) && !isHidden(pid) : options.evenIfEmpty)
    rmSync(join(location.cluster, 'postmaster.pid'), { force: true })
}

/** Fast shutdown, and when that hangs an immediate one, after which the next start replays the log. */
export async function stopPostmaster(location: ClusterLocation, pid: number): Promise<void> {
  const socketDir = findPostmaster(location)?.socketDir
  await sparingOthersSocket(location, pid, socketDir, () => endPostmaster(location, pid))
}

async function endPostmaster(location: ClusterLocation, pid: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    signalPostmaster(location, pid, signal)
    if (await isGoneWithin(location, pid, waitMs)) return
  }
  // Never SIGKILL: its backends would live on and keep writing for a moment.
  throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not stop; see ${location.log}`)
}

export function signalPostmaster(location: ClusterLocation, pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (!isPostmaster(location, pid)) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

async function isGoneWithin(location: ClusterLocation, pid: number, waitMs: number): Promise<boolean> {
  const began = performance.now()
  while (isPostmaster(location, pid)) {
    if (performance.now() - began > waitMs) return false
    await sleep(POLL_MS)
  }
  return true
}
