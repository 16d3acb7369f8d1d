import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { isAlive, isPostmaster } from './is-postmaster.ts'
import { START_ID } from './settings.ts'
import type { Site } from './site.ts'
import { sparingOthersSocket } from './socket-dir.ts'

const POLL_MS = 20
// A fast shutdown writes at most shared_buffers (256 MB) to disk, and a slow disk takes 10 MB/s.
const FAST_SHUTDOWN_MS = 60_000
const IMMEDIATE_SHUTDOWN_MS = 15_000

/** A live postmaster on the site's cluster, as its postmaster.pid describes it. */
export interface Postmaster {
  readonly pid: number
  readonly status: 'starting' | 'ready' | 'stopping'
  readonly socketDir: string | undefined
  readonly port: number | undefined
}

export function findPostmaster(site: Site): Postmaster | undefined {
  const lines = readPidFile(site)
  const pid = Number(lines?.[0])
  if (!lines || !Number.isSafeInteger(pid) || pid <= 1 || !isPostmaster(site, pid)) return undefined
  const status = lines[7]?.trim()
  return {
    pid,
    // The line is missing at first.
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
    socketDir: lines[4] || undefined,
    port: Number(lines[3]) || undefined,
  }
}

/** The id that the running postmaster was started with; null if an older release started it. */
export function startIdOf(site: Site): string | null {
  // PostgreSQL writes its own command line there, once it has the folder to itself.
  const options = readParts(site, 'postmaster.opts', '"') ?? []
  return options.find((option) => option.startsWith(`${START_ID}=`))?.slice(START_ID.length + 1) ?? null
}

function readPidFile(site: Site): string[] | undefined {
  return readParts(site, 'postmaster.pid', '\n')
}

function readParts(site: Site, name: string, separator: string): string[] | undefined {
  try {
    return readFileSync(join(site.cluster, name), 'utf8').split(separator)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * PostgreSQL itself clears the file of a dead postmaster, after it looked for surviving backends. In two cases it refuses to
 * start instead: the number now belongs to another process of its account, or a power cut left the file empty.
 */
export function clearStalePidFile(site: Site, options: { evenIfEmpty: boolean }): void {
  const lines = readPidFile(site)
  if (!lines || findPostmaster(site)) return
  const pid = Number(lines[0])
  if (pid > 1 ? isAlive(pid) : options.evenIfEmpty)
    rmSync(join(site.cluster, 'postmaster.pid'), { force: true })
}

/** Fast shutdown, and when that hangs an immediate one, after which the next start replays the log. */
export async function stopPostmaster(site: Site, pid: number): Promise<void> {
  const socketDir = findPostmaster(site)?.socketDir
  await sparingOthersSocket(site, pid, socketDir, () => endPostmaster(site, pid))
}

async function endPostmaster(site: Site, pid: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    signalPostmaster(site, pid, signal)
    if (await isGoneWithin(site, pid, waitMs)) return
  }
  // Never SIGKILL: its backends would live on and keep writing for a moment.
  throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not stop; see ${site.log}`)
}

export function signalPostmaster(site: Site, pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (!isPostmaster(site, pid)) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

async function isGoneWithin(site: Site, pid: number, waitMs: number): Promise<boolean> {
  const began = performance.now()
  while (isPostmaster(site, pid)) {
    if (performance.now() - began > waitMs) return false
    await sleep(POLL_MS)
  }
  return true
}
