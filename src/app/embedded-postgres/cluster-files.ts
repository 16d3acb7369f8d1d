import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError, errorCode } from './error.ts'

export interface ClusterFiles {
  /** Relative to the cluster, each after the one that it is in. */
  readonly folders: readonly string[]
  /** pg_control is the last: what it says must not be older than the other files. */
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

// PostgreSQL makes their contents again when it starts, or they belong to the running server only. The log is copied
// apart: only the segments that the copy needs.
const EMPTIED = new Set([
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /(?:^|\/)(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|(?:backup_label|tablespace_map|backup_manifest)(?:\.old)?|(?:standby|recovery)\.signal)$/
const CONTROL = 'global/pg_control'

/** What a base copy of this cluster holds, without its write-ahead log. */
export function listClusterFiles(cluster: string): ClusterFiles {
  const folders: string[] = []
  const files: { path: string; size: number }[] = []
  const waiting = ['']
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const entry of readEntries(join(cluster, folder))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (LEFT_OUT.test(path)) continue
      if (EMPTIED.has(folder)) {
        if (EMPTIED.has(path)) folders.push(path)
        continue
      }
      if (entry.isDirectory() || EMPTIED.has(path)) {
        folders.push(path)
        waiting.push(path)
      } else if (entry.isFile()) {
        const size = lstatSync(join(cluster, path), { throwIfNoEntry: false })?.size
        if (size !== undefined) files.push({ path, size })
      } else {
        throw new EmbeddedPostgresError(
          `${join(cluster, path)} is neither a file nor a folder, and a copy would not be whole without what it leads to`,
        )
      }
    }
  }
  const last = files.findIndex(({ path }) => path === CONTROL)
  if (last < 0) throw new EmbeddedPostgresError(`${join(cluster, CONTROL)} is missing`)
  return { folders, files: [...files.toSpliced(last, 1), files[last]!] }
}

// A temporary table's folder may go while we look.
function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
