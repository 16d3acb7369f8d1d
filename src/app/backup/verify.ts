import { checkFolder, listBackupIds } from './backup-folder.ts'
import { BackupError, DamagedBackup } from './error.ts'
import { checkSegments, type LogRange, readRange } from './log-range.ts'
import { bytesOf, type Manifest, readBase, readManifest } from './manifest.ts'
import { oldestFirst } from './order.ts'
import type { BackupKey } from './sealed-format.ts'

export interface Listed {
  readonly manifest: Manifest
  readonly range: LogRange
}

/** A backup that is not what was written. */
export interface Damaged {
  readonly id: string
  readonly reason: string
}

/** Every backup of the folder, oldest first, and those whose list of files cannot be read: the others can still be used. */
export async function listBackups(
  dir: string,
  key: BackupKey,
): Promise<{ listed: Listed[]; damaged: Damaged[] }> {
  checkFolder(dir)
  const listed: Listed[] = []
  const damaged: Damaged[] = []
  for (const id of listBackupIds(dir)) {
    const manifest = await readManifest(dir, id, key).catch((error) => {
      if (!(error instanceof DamagedBackup)) throw error
      damaged.push({ id, reason: error.message })
    })
    if (!manifest) continue
    const first = listed[0]?.manifest.installation
    if (first && first.systemId !== manifest.installation.systemId) {
      throw new BackupError(`${dir} holds backups of two installations: ${listed[0]!.manifest.id} and ${id}`)
    }
    listed.push({ manifest, range: await readRange(dir, manifest, key) })
  }
  if (listed.length === 0)
    throw new BackupError(damaged[0]?.reason ?? `there is no finished backup in ${dir}`)
  return { listed: oldestFirst(listed, ({ manifest }) => manifest), damaged }
}

/** Reads a backup from the first byte to the last, and its part of the log, or the first segments of it. */
export async function checkBackup(
  dir: string,
  { manifest, range }: Listed,
  key: BackupKey,
  onProgress: (done: number, total: number) => void,
  needed = range.segments.length,
): Promise<void> {
  const segments = range.segments.slice(0, needed)
  const total = bytesOf(manifest) + segments.length * manifest.segmentBytes
  let done = 0
  const read = (bytes: number) => {
    done += bytes
    onProgress(done, total)
  }
  await readBase(dir, manifest, key, async (_path, content) => {
    for await (const bytes of content) read(bytes.length)
  })
  await checkSegments(dir, manifest, segments, key, read)
}
