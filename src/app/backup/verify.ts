import { checkFolder, listBackupIds } from './backup-folder.ts'
import { BackupError } from './error.ts'
import { checkRange, type LogRange, readRange } from './log-range.ts'
import { bytesOf, type Manifest, readBase, readManifest } from './manifest.ts'
import { oldestFirst } from './order.ts'
import type { BackupKey } from './sealed-format.ts'

export interface Listed {
  readonly manifest: Manifest
  readonly range: LogRange
}

/** Every backup of the folder, oldest first. One that cannot be read is an error. */
export async function listBackups(dir: string, key: BackupKey): Promise<Listed[]> {
  checkFolder(dir)
  const listed: Listed[] = []
  for (const id of listBackupIds(dir)) {
    const manifest = await readManifest(dir, id, key)
    const first = listed[0]?.manifest.installation
    if (first && first.systemId !== manifest.installation.systemId) {
      throw new BackupError(`${dir} holds backups of two installations: ${listed[0]!.manifest.id} and ${id}`)
    }
    listed.push({ manifest, range: await readRange(dir, manifest, key) })
  }
  if (listed.length === 0) throw new BackupError(`there is no finished backup in ${dir}`)
  return oldestFirst(listed, ({ manifest }) => manifest)
}

/** Reads a backup and its part of the log from the first byte to the last. */
export async function checkBackup(
  dir: string,
  { manifest, range }: Listed,
  key: BackupKey,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const total = bytesOf(manifest) + range.segments.length * manifest.segmentBytes
  let done = 0
  const read = (bytes: number) => {
    done += bytes
    onProgress(done, total)
  }
  await readBase(dir, manifest, key, async (_path, content) => {
    for await (const bytes of content) read(bytes.length)
  })
  await checkRange(dir, manifest, range, key, read)
}
