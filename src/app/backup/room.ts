import { statSync } from 'node:fs'
import { freeBytesAt } from '#base/disk.ts'
import { BackupError } from './error.ts'
import { megabytes } from './progress.ts'

const MB = 1024 * 1024
// PostgreSQL stops serving when its log cannot grow.
const RESERVE_BYTES = 256 * MB
// A few segments wait for every archive.
const USUAL_BYTES = 64 * MB

/** To be called while a copy is written. Where backups are on the disk of the database, they leave it room to go on. */
export function leaveRoom(dir: string, cluster: string, freeAt = freeBytesAt): void {
  if (statSync(dir).dev !== statSync(cluster).dev) return
  const free = freeAt(dir)
  if (free >= RESERVE_BYTES) return
  throw new BackupError(
    `${dir} is on the disk of the database, and only ${megabytes(free)} are left there: nothing of this was kept, so that ` +
      'the database can go on. Keep backups on another disk',
  )
}

/**
 * Whether the log that waits for the archive takes more than what is left on its disk. PostgreSQL's own limit is chosen at its
 * start, when more may have been free.
 */
export function crowdsDisk(heldBytes: number, freeBytes: number): boolean {
  return heldBytes > USUAL_BYTES && heldBytes > freeBytes
}
