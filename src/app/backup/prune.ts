import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseLsn, segmentName } from '#app/embedded-postgres/wal-names.ts'
import {
  backupPath,
  backupsIn,
  chainPath,
  listBackupIds,
  listChains,
  listSegments,
  PARTIAL,
  segmentPath,
} from './backup-folder.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { oldestFirst } from './order.ts'
import type { BackupKey } from './sealed-format.ts'

export interface Pruned {
  readonly backups: string[]
  readonly segments: number
  /** Backups that cannot be read. While there is one, nothing is removed. */
  readonly unreadable: string[]
}

/**
 * Removes what is beyond the newest `keep` copies, and the log that none of the kept ones needs. Call it with the
 * copy that was taken just now: it is whole, and kept in any case. If one of the backups cannot be read, nothing is removed: the others may be
 * the last good ones.
 */
export async function prune(
  dir: string,
  key: BackupKey,
  keep: number,
  taken: Pick<Manifest, 'id' | 'chain'>,
): Promise<Pruned> {
  const manifests: Manifest[] = []
  const unreadable: string[] = []
  for (const id of listBackupIds(dir)) {
    const manifest = await readManifest(dir, id, key).catch(() => undefined)
    if (manifest) manifests.push(manifest)
    else unreadable.push(id)
  }
  if (unreadable.length > 0) return { backups: [], segments: 0, unreadable }
  const ordered = oldestFirst(manifests, (manifest) => manifest).toReversed()
  const isKept = ({ id }: Manifest, i: number) => i < Math.max(1, keep) || id === taken.id
  const kept = ordered.filter(isKept)
  const removed = ordered.filter((manifest, i) => !isKept(manifest, i))
  for (const { id } of removed) removeWhole(backupsIn(dir), id)
  let segments = 0
  for (const chain of listChains(dir)) {
    const needed = kept
      .filter((manifest) => manifest.chain === chain)
      .map(firstSegment)
      .sort()[0]
    const surplus = listSegments(dir, chain).filter((segment) => needed === undefined || segment < needed)
    // The chain that is archived now belongs to the newest copy, which is kept.
    if (needed === undefined && chain === taken.chain) continue
    for (const segment of surplus) rmSync(segmentPath(dir, chain, segment), { force: true })
    segments += surplus.length
    if (needed === undefined) rmSync(chainPath(dir, chain), { recursive: true, force: true })
  }
  return { backups: removed.map(({ id }) => id), segments, unreadable }
}

// Under another name first: a kill leaves no half of a backup that looks like one.
function removeWhole(parent: string, id: string): void {
  const leaving = join(parent, PARTIAL + id)
  renameSync(backupPath(join(parent, '..'), id), leaving)
  rmSync(leaving, { recursive: true, force: true })
}

function firstSegment({ timeline, startLsn, segmentBytes }: Manifest): string {
  const bytes = BigInt(segmentBytes)
  return segmentName(timeline, parseLsn(startLsn) / bytes, bytes)
}
