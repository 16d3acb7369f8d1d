import { segmentName, segmentNumber } from '#app/embedded-postgres/wal-names.ts'
import { listSegments, segmentPath } from './backup-folder.ts'
import { DamagedBackup } from './error.ts'
import type { Manifest } from './manifest.ts'
import type { BackupKey } from './sealed-format.ts'
import { readSegment, readSegmentInfo, type SegmentInfo } from './wal-segment.ts'

/** What a full copy can be restored to. */
export interface LogRange {
  /** The segments after those in the copy, without a gap. */
  readonly segments: readonly string[]
  /** The first and the last moment that can be named. */
  readonly from: string
  readonly until: string
  /** There are segments after a gap, which cannot be reached from this copy. */
  readonly gapAfter: string | null
}

export async function readRange(dir: string, manifest: Manifest, key: BackupKey): Promise<LogRange> {
  const { stopSegment, segmentBytes, chain, endedAt } = manifest
  const later = chain === null ? [] : listSegments(dir, chain).filter((segment) => segment > stopSegment)
  const bytes = BigInt(segmentBytes)
  const segments: string[] = []
  for (
    let next = following(stopSegment, bytes);
    later[segments.length] === next;
    next = following(next, bytes)
  ) {
    segments.push(next)
  }
  const gapAfter = later.length > segments.length ? (segments.at(-1) ?? stopSegment) : null
  return { segments, from: endedAt, until: await readEnd(dir, manifest, key, segments), gapAfter }
}

// The newest segment that tells. An archiver that was just started cannot tell of the first one.
async function readEnd(
  dir: string,
  { chain, endedAt, installation }: Manifest,
  key: BackupKey,
  segments: readonly string[],
): Promise<string> {
  for (const segment of segments.toReversed()) {
    const info = await readSegmentInfo(segmentPath(dir, chain!, segment), chain!, segment, key)
    refuseOtherSystem(info, installation.systemId)
    if (info.until > endedAt) return info.until
    if (info.until) break
  }
  return endedAt
}

function refuseOtherSystem({ segment, systemId }: SegmentInfo, wanted: string): void {
  if (systemId !== wanted) throw new DamagedBackup(`the segment ${segment} is of another installation`)
}

/** Reads every segment of the range. */
export async function checkRange(
  dir: string,
  { chain, installation, segmentBytes }: Manifest,
  { segments }: LogRange,
  key: BackupKey,
  onBytes: (bytes: number) => void,
): Promise<void> {
  for (const segment of segments) {
    let size = 0
    const info = await readSegment(segmentPath(dir, chain!, segment), chain!, segment, key, (bytes) => {
      size += bytes.length
    })
    refuseOtherSystem(info, installation.systemId)
    if (size !== segmentBytes) throw new DamagedBackup(`the segment ${segment} is cut off`)
    onBytes(size)
  }
}

function following(segment: string, bytes: bigint): string {
  return segmentName(Number.parseInt(segment.slice(0, 8), 16), segmentNumber(segment, bytes) + 1n, bytes)
}
