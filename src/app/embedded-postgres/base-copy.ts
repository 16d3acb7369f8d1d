import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type ClientBase, type ClientConfig } from 'pg'
import { type ClusterFiles, listClusterFiles } from './cluster-files.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { parseLsn, segmentsBetween } from './wal-names.ts'

/** Where the copy goes. Each call is awaited before the next one. */
export interface CopySink {
  folder(path: string): Promise<void>
  file(path: string, content: AsyncIterable<Buffer>): Promise<void>
}

export interface BaseCopy {
  readonly timeline: number
  readonly startLsn: string
  readonly stopLsn: string
  /** The last segment of the log that is in the copy. */
  readonly stopSegment: string
  readonly segmentBytes: number
  /** By the database's real clock. A recovery can end at `endedAt` or later. */
  readonly startedAt: string
  readonly endedAt: string
}

interface Options {
  /** Bytes read so far, of as many as there were at the start. */
  readonly onProgress?: (done: number, total: number) => void
  /** Awaited after every megabyte, so that the caller can slow the copy down while `mayWait` says that the log allows it. */
  readonly giveWay?: (mayWait: () => Promise<boolean>) => Promise<void>
}

type Reach = ClientConfig & { readonly onConnect?: (client: ClientBase) => Promise<void> }

const READ_BYTES = 1024 * 1024
const NOW = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * Copies the files of a running cluster (https://www.postgresql.org/docs/18/continuous-archiving.html, low-level API) with
 * the log that makes them consistent: what arrives at the sink is a whole cluster, which recovers when it is started. The
 * role needs to be a superuser, and `cluster` is the server's data folder. If this process dies, the server forgets the copy.
 */
export async function copyBase(
  connection: Reach,
  cluster: string,
  sink: CopySink,
  { onProgress = () => {}, giveWay = async () => {} }: Options = {},
): Promise<BaseCopy> {
  const client = new Client({ ...connection, query_timeout: 0, application_name: 'ingot backup' })
  let lost: Error | undefined
  client.on('error', (error) => {
    lost = error
  })
  try {
    await client.connect()
    await connection.onConnect?.(client)
    const slot = `ingot_copy_${randomBytes(6).toString('hex')}`
    const start = await begin(client, slot)
    const source = listClusterFiles(cluster)
    const total = source.files.reduce((sum, { size }) => sum + size, 0)
    const mayWait = async () => sparesLog(await readHeldLog(client, slot), done / total)
    let done = 0
    await copyFiles(cluster, source, sink, async (bytes) => {
      if (lost) throw lost // the server has forgotten the copy: it would never be whole
      done += bytes
      onProgress(done, total)
      await giveWay(mayWait)
    })
    const { label, tablespaces, ...stop } = await end(client)
    if (tablespaces) throw new EmbeddedPostgresError('a cluster with tablespaces cannot be copied')
    const from = parseLsn(start.startLsn)
    const names = segmentsBetween(start.timeline, from, parseLsn(stop.stopLsn), BigInt(start.segmentBytes))
    for (const name of names)
      await copyFile(cluster, `pg_wal/${name}`, sink, start.segmentBytes, () => giveWay(mayWait))
    await refuseLostLog(client, slot)
    // Last: without it a copy that was cut off could be taken for a whole one, of a wrong state.
    await sink.file('backup_label', once(label))
    return { ...start, ...stop, stopSegment: names.at(-1)! }
  } finally {
    await client.end().catch(() => {}) // ends an unfinished copy, and the slot
  }
}

// The slot keeps the log that the copy needs. It is made first and begins at the last checkpoint, which may be minutes and
// gigabytes ago; what is older than the copy is given free again.
async function begin(client: Client, slot: string) {
  await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0')
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  const { rows } = await client.query<{ lsn: string; name: string; bytes: string; at: string }>(
    `select lsn::text, pg_walfile_name(lsn) as name, ${NOW} as at,
            (select setting from pg_settings where name = 'wal_segment_size') as bytes
       from pg_backup_start('ingot', fast => true) as lsn`,
  )
  const { lsn, name, bytes, at } = rows[0]!
  await client.query('select pg_replication_slot_advance($1, $2::pg_lsn)', [slot, lsn])
  return {
    startLsn: lsn,
    startedAt: at,
    timeline: Number.parseInt(name.slice(0, 8), 16),
    segmentBytes: Number(bytes),
  }
}

async function end(client: Client) {
  // Nothing waits for an archive: the copy takes its part of the log along.
  const { rows } = await client.query<{ lsn: string; labelfile: string; spcmapfile: string; at: string }>(
    `select lsn::text, labelfile, spcmapfile, ${NOW} as at from pg_backup_stop(wait_for_archive => false)`,
  )
  const { lsn, labelfile, spcmapfile, at } = rows[0]!
  return { stopLsn: lsn, endedAt: at, label: labelfile, tablespaces: spcmapfile }
}

interface HeldLog {
  readonly held: number
  /** What may still be written before PostgreSQL removes what the copy needs; null if it never does. */
  readonly left: number | null
}

// Of what the log may grow by meanwhile. The rest is for a service that writes more later.
const SPENT = 0.7

/** The slower a copy, the more of the log it needs. True if it needs less so far than its share of what there may be. */
export function sparesLog({ held, left }: HeldLog, progress: number): boolean {
  return left === null || held <= SPENT * progress * (held + left)
}

async function readHeldLog(client: Client, slot: string): Promise<HeldLog> {
  const { rows } = await client.query<HeldLog>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as held, safe_wal_size::float8 as left
       from pg_replication_slots where slot_name = $1`,
    [slot],
  )
  return rows[0] ?? { held: 0, left: 0 }
}

async function refuseLostLog(client: Client, slot: string): Promise<void> {
  const { rows } = await client.query(
    `select from pg_replication_slots where slot_name = $1 and wal_status in ('reserved', 'extended')`,
    [slot],
  )
  if (rows.length > 0) return
  throw new EmbeddedPostgresError(
    'the copy took so long that PostgreSQL removed a part of the log that it needs: try again when less is written',
  )
}

async function copyFiles(
  cluster: string,
  { folders, files }: ClusterFiles,
  sink: CopySink,
  onBytes: (bytes: number) => Promise<void>,
): Promise<void> {
  for (const path of folders) await sink.folder(path)
  for (const { path, size } of files) {
    await copyFile(cluster, path, sink, undefined, onBytes).catch(async (error) => {
      // Dropped or truncated to nothing meanwhile: the log says so too.
      if (!(error instanceof Vanished)) throw error
      await onBytes(size)
    })
  }
}

class Vanished extends Error {}

async function copyFile(
  cluster: string,
  path: string,
  sink: CopySink,
  wanted: number | undefined,
  onBytes: (bytes: number) => Promise<void> = async () => {},
): Promise<void> {
  const file = await open(join(cluster, path)).catch((error) => {
    if (errorCode(error) === 'ENOENT' && wanted === undefined) throw new Vanished(path)
    throw error
  })
  try {
    // No more than there is now: what is added meanwhile is in the log.
    const { size } = await file.stat()
    if (wanted !== undefined && size !== wanted) throw new EmbeddedPostgresError(`${path} is cut off`)
    await sink.file(path, read(file, size, onBytes))
  } finally {
    await file.close()
  }
}

async function* read(
  file: FileHandle,
  size: number,
  onBytes: (bytes: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, size - position))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return // truncated meanwhile, which is in the log
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
    await onBytes(bytesRead)
  }
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
