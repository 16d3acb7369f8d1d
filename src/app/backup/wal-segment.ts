import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '#app/embedded-postgres/placement-record.ts'
import { isSegmentName, segmentNumber } from '#app/embedded-postgres/wal-names.ts'
import { chainPath, PARTIAL, segmentPath, segmentSealName } from './backup-folder.ts'
import { BackupError, DamagedBackup } from './error.ts'
import { readSealed, SealedWriter } from './sealed-file.ts'
import type { BackupKey } from './sealed-format.ts'

/** What is sealed beside a segment. */
export interface SegmentInfo {
  readonly segment: string
  readonly systemId: string
  /** All that was acknowledged before this moment is in this segment or an earlier one. */
  readonly until: string
}

const PAGE_BYTES = 8192
const INFO_MAX = 4096

/**
 * Puts a segment into the archive: whole under its name, or not at all. One that is there already is compared, since a
 * kill may have come between the file and the slot. Another one of the same name is never replaced.
 */
export async function archiveSegment(
  source: { readonly pgWal: string; readonly info: SegmentInfo; readonly segmentBytes: number },
  dir: string,
  chain: string,
  key: BackupKey,
): Promise<void> {
  const { info, segmentBytes } = source
  const content = readFileSync(join(source.pgWal, info.segment))
  refuseStrangeLog(content, info, segmentBytes)
  const path = segmentPath(dir, chain, info.segment)
  if (existsSync(path)) return refuseOther(content, path, chain, info.segment, key)
  const folder = chainPath(dir, chain)
  // Its parent is there since backups were set up. Where it is not, the disk is not mounted.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const temporary = join(folder, `${PARTIAL}${info.segment}-${randomBytes(4).toString('hex')}`)
  try {
    const writer = await SealedWriter.create(temporary, key, segmentSealName(chain, info.segment))
    try {
      const about = Buffer.from(JSON.stringify(info))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(about.length)
      await writer.write(Buffer.concat([length, about]))
      await writer.write(content)
      await writer.finish()
    } catch (error) {
      await writer.abandon()
      throw error
    }
    renameSync(temporary, path)
    syncFolder(folder)
  } finally {
    rmSync(temporary, { force: true })
  }
}

// PostgreSQL writes where each page belongs into its head. A file that was given a new name for later use, or one of
// another cluster, shows by that. After an early switch to the next segment the rest is empty.
function refuseStrangeLog(content: Buffer, { segment, systemId }: SegmentInfo, segmentBytes: number): void {
  const start = segmentNumber(segment, BigInt(segmentBytes)) * BigInt(segmentBytes)
  const timeline = Number.parseInt(segment.slice(0, 8), 16)
  const first = content.length === segmentBytes && content.readBigUInt64LE(24) === BigInt(systemId)
  let empty = false
  for (let at = 0; first && at < segmentBytes; at += PAGE_BYTES) {
    const isEmpty = content.readBigUInt64LE(at) === 0n && content.readBigUInt64LE(at + 8) === 0n
    const fits =
      isEmpty ||
      (content.readBigUInt64LE(at + 8) === start + BigInt(at) && content.readUInt32LE(at + 4) <= timeline)
    if (!fits || (empty && !isEmpty) || (isEmpty && at === 0)) break
    empty = isEmpty
    if (at + PAGE_BYTES >= segmentBytes) return
  }
  throw new BackupError(
    `the segment ${segment} of PostgreSQL's log is not what it should be: it is not archived`,
  )
}

async function refuseOther(
  content: Buffer,
  path: string,
  chain: string,
  segment: string,
  key: BackupKey,
): Promise<void> {
  const hash = createHash('sha256')
  await readSegment(path, chain, segment, key, (bytes) => void hash.update(bytes))
  if (hash.digest('hex') === createHash('sha256').update(content).digest('hex')) return
  throw new BackupError(
    `${path} is there already and differs: another copy of this installation archives into the same folder`,
  )
}

/** Reads a whole segment and checks it. */
export async function readSegment(
  path: string,
  chain: string,
  segment: string,
  key: BackupKey,
  onBytes: (bytes: Buffer) => void,
): Promise<SegmentInfo> {
  let head: Buffer = Buffer.alloc(0)
  let info: SegmentInfo | undefined
  for await (const bytes of readSealed(path, key, segmentSealName(chain, segment))) {
    if (info) {
      onBytes(bytes)
      continue
    }
    head = Buffer.concat([head, bytes])
    info = parseInfo(head, path, segment)
    if (info) onBytes(head.subarray(4 + head.readUInt32BE()))
  }
  if (!info) throw new DamagedBackup(`${path} is no segment of the log`)
  return info
}

/** What is sealed beside a segment, without reading all of it. */
export async function readSegmentInfo(
  path: string,
  chain: string,
  segment: string,
  key: BackupKey,
): Promise<SegmentInfo> {
  for await (const bytes of readSealed(path, key, segmentSealName(chain, segment))) {
    const info = parseInfo(bytes, path, segment)
    if (info) return info
  }
  throw new DamagedBackup(`${path} is no segment of the log`)
}

function parseInfo(head: Buffer, path: string, segment: string): SegmentInfo | undefined {
  const length = head.length < 4 ? 0 : head.readUInt32BE()
  if (length > INFO_MAX) throw new DamagedBackup(`${path} is no segment of the log`)
  if (head.length < 4 + length || length === 0) return undefined
  const info: SegmentInfo = JSON.parse(head.subarray(4, 4 + length).toString('utf8'))
  if (info.segment !== segment) throw new DamagedBackup(`${path} is the segment ${info.segment}`)
  return info
}

/** Of archivers that were killed. */
export function removePartialSegments(dir: string, chain: string): void {
  const folder = chainPath(dir, chain)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (name.startsWith(PARTIAL) && !isSegmentName(name)) rmSync(join(folder, name), { force: true })
  }
}
