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
  /**
   * A segment is missing or cannot be read after this one, and there are later ones, which cannot be reached from this copy.
   * The archive leaves none out, so it was lost or damaged.
   */
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
  const { until, readable } = await readEnd(dir, manifest, key, segments)
  const gapAfter = later.length > readable ? (segments[readable - 1] ?? stopSegment) : null
  return { segments: segments.slice(0, readable), from: endedAt, until, gapAfter }
}

// By the newest segment that tells, and up to the newest that can be read. An archiver that was just started cannot tell
// of the first one.
async function readEnd(
  dir: string,
  manifest: Manifest,
  key: BackupKey,
  segments: readonly string[],
): Promise<{ until: string; readable: number }> {
  const { endedAt } = manifest
  let readable = segments.length
  for (let i = segments.length - 1; i >= 0; i -= 1) {
    const info = await readInfo(dir, manifest, key, segments[i]!)
    if (!info) readable = i
    else if (info.until > endedAt) return { until: info.until, readable }
    else if (info.until) break
  }
  return { until: endedAt, readable }
}

async function readInfo(
  dir: string,
  { chain, installation }: Manifest,
  key: BackupKey,
  segment: string,
): Promise<SegmentInfo | undefined> {
  try {
    const info = await readSegmentInfo(segmentPath(dir, chain!, segment), chain!, segment, key)
    refuseOtherSystem(info, installation.systemId)
    return info
  } catch (error) {
    if (error instanceof DamagedBackup) return undefined
    throw error
  }
}

/** How many segments a restore to this moment surely reads. Damage after them is no reason to refuse it. */
export async function countNeeded(
  dir: string,
  manifest: Manifest,
  { segments }: LogRange,
  key: BackupKey,
  time: Temporal.Instant,
): Promise<number> {
  const wanted = time.toString({ smallestUnit: 'microsecond' })
  for (const [i, segment] of segments.entries()) {
    const info = await readInfo(dir, manifest, key, segment)
    if (info && info.until > wanted) return i + 1
  }
  return segments.length
}

function refuseOtherSystem({ segment, systemId }: SegmentInfo, wanted: string): void {
  if (systemId !== wanted) throw new DamagedBackup(`the segment ${segment} is of another installation`)
}

/** Reads them from the first byte to the last. */
export async function checkSegments(
  dir: string,
  { chain, installation, segmentBytes }: Manifest,
  segments: readonly string[],
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
