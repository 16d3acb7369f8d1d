import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHILD_ENV, credentials } from './account.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { serverArguments } from './settings.ts'

const LOG_MAX_BYTES = 10 * 1024 * 1024
const TAIL_LINES = 20
const TAIL_BYTES = 16 * 1024

/** A postgres process on its way up. It may end at once, if it cannot run. */
export interface Launch {
  /** Why it is no longer running. */
  readonly ended: () => string | undefined
  /** What it has written to its log, the last lines only. */
  readonly logTail: () => string
}

export function launchPostgres(
  location: ClusterLocation,
  bin: string,
  socketDir: string,
  // For this start only, as for a recovery.
  extra: Readonly<Record<string, string>> = {},
): Launch {
  rotateLog(location.log)
  const log = openSync(location.log, 'a', 0o600)
  const logStart = fstatSync(log).size
  let ended: string | undefined
  const child = spawn(
    join(bin, 'postgres'),
    serverArguments(location.cluster, socketDir, location.record.port, extra),
    {
      ...credentials(location.account),
      cwd: '/',
      env: CHILD_ENV,
      stdio: ['ignore', log, log],
      // A session of its own: a Ctrl-C or a kill of our process group must not reach it, and it outlives us.
      detached: true,
    },
  )
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `status ${code}`}`
  })
  child.unref()
  closeSync(log)
  return { ended: () => ended, logTail: () => readTail(location.log, logStart) }
}

/**
 * One older file is kept, no longer than this one may get. PostgreSQL goes on writing to the file it was given, at its
 * end, so the file is emptied rather than renamed; a line written in between is lost. Call it under the lock.
 */
export function rotateLog(path: string): void {
  if (!isLogFull(path)) return
  writeFileSync(`${path}.1`, readBytes(path, sizeOf(path) - LOG_MAX_BYTES), { mode: 0o600 })
  truncateSync(path)
}

export function isLogFull(path: string): boolean {
  return sizeOf(path) > LOG_MAX_BYTES
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function readTail(path: string, from: number): string {
  const size = sizeOf(path)
  const start = from > size ? 0 : from // it was emptied since
  const text = readBytes(path, Math.max(start, size - TAIL_BYTES)).toString('utf8')
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}

function readBytes(path: string, from: number): Buffer {
  const log = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(log).size - from))
    return bytes.subarray(0, readSync(log, bytes, 0, bytes.length, from))
  } finally {
    closeSync(log)
  }
}
