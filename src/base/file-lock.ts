import { chmodSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 60_000
const POLL_MIN_MS = 10
const POLL_MAX_MS = 100
const SQLITE_BUSY = 5

export interface FileLockOptions {
  readonly deadlineMs?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process (and nothing else in this one) holds the lock on `path`.
 *
 * Node has no flock, and a lock file that merely exists outlives a kill -9. SQLite takes an fcntl lock. The kernel drops
 * it with its process, however that ends. So the file is opened as an empty database and held in an exclusive
 * transaction that never writes. Never open `path` by other means: closing any descriptor of a
 * file drops every fcntl lock that the process has on it.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: FileLockOptions = {},
): Promise<T> {
  const held = await acquire(path, options)
  try {
    return await work()
  } finally {
    held.close()
  }
}

async function acquire(path: string, options: FileLockOptions): Promise<DatabaseSync> {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS
  const database = openLockFile(path)
  const began = performance.now()
  try {
    for (let pollMs = POLL_MIN_MS; !tryLock(database); pollMs = Math.min(pollMs * 2, POLL_MAX_MS)) {
      if (performance.now() - began > deadlineMs) {
        throw new Error(`another process has held the lock ${path} for ${deadlineMs / 1000} s`)
      }
      await sleep(pollMs, undefined, options.signal ? { signal: options.signal } : {})
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function openLockFile(path: string): DatabaseSync {
  let database: DatabaseSync
  try {
    // No busy timeout: SQLite would wait inside the call and stop the event loop.
    database = new DatabaseSync(path, { timeout: 0 })
  } catch (error) {
    throw new Error(`cannot open the lock file ${path}: ${(error as Error).message}`, { cause: error })
  }
  const found = statSync(path)
  // An account that can read the file could lock us out. chmod by name opens no descriptor (see above).
  if (found.uid === process.geteuid?.() && (found.mode & 0o777) !== 0o600) chmodSync(path, 0o600)
  return database
}

function tryLock(database: DatabaseSync): boolean {
  try {
    // A journal in memory, as the default one would leave a file behind when the holder is killed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    const code = (error as { errcode?: number }).errcode
    if (code !== undefined && (code & 0xff) === SQLITE_BUSY) return false
    throw error
  }
}
