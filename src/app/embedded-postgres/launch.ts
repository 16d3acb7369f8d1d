import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CHILD_ENV, credentials } from './account.ts'
import { serverArguments } from './settings.ts'
import type { Site } from './site.ts'

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

export function launchPostgres(site: Site, bin: string, socketDir: string): Launch {
  rotateLog(site.log)
  const log = openSync(site.log, 'a', 0o600)
  const logStart = fstatSync(log).size
  let ended: string | undefined
  const child = spawn(join(bin, 'postgres'), serverArguments(site.cluster, socketDir, site.record.port), {
    ...credentials(site.account),
    cwd: '/',
    env: CHILD_ENV,
    stdio: ['ignore', log, log],
    // A session of its own: a Ctrl-C or a kill of our process group must not reach it, and it outlives us.
    detached: true,
  })
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `status ${code}`}`
  })
  child.unref()
  closeSync(log)
  return { ended: () => ended, logTail: () => readTail(site.log, logStart) }
}

// One older file is kept.
function rotateLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(path, `${path}.1`)
}

function readTail(path: string, from: number): string {
  const log = openSync(path, 'r')
  try {
    const { size } = fstatSync(log)
    const start = Math.max(from, size - TAIL_BYTES)
    const bytes = Buffer.alloc(Math.max(0, size - start))
    const read = readSync(log, bytes, 0, bytes.length, start)
    return bytes.toString('utf8', 0, read).trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  } finally {
    closeSync(log)
  }
}
