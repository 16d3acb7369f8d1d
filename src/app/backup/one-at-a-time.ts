import { withFileLock } from '#base/file-lock.ts'
import { BackupError } from './error.ts'

const LOCK_MS = 1_000

/** Runs `work` under a lock, and refuses soon if another process is at it. */
export async function oneAtATime<T>(path: string, other: string, work: () => Promise<T>): Promise<T> {
  let entered = false
  try {
    return await withFileLock(
      path,
      () => {
        entered = true
        return work()
      },
      { deadlineMs: LOCK_MS },
    )
  } catch (error) {
    if (entered) throw error
    throw new BackupError(`${other} (${path} is locked)`, { cause: error })
  }
}
