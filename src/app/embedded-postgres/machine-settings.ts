import { availableParallelism, totalmem } from 'node:os'
import { freeBytesAt } from '#base/disk.ts'

/** What PostgreSQL may use here. */
export interface Machine {
  readonly memoryBytes: number
  readonly cores: number
  /** What is free on the disk of the data. */
  readonly freeBytes: number
}

const MB = 1024 * 1024
const GB = 1024 * MB

/** Read at every start: a container's limits can change, and a data folder can move to another machine. */
export function readMachine(cluster: string): Machine {
  // What the control group allows, which is 0 or far more than the machine has if it sets no limit.
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return {
    memoryBytes: Math.min(totalmem(), allowed),
    cores: availableParallelism(),
    freeBytes: freeBytesAt(cluster),
  }
}

/** The settings that depend on the machine; docs/operator-guide.md gives the reasons. */
export function settingsFor({ memoryBytes, cores, freeBytes }: Machine): Record<string, string> {
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memoryBytes / part, least), most) / MB)}MB`
  const walBytes = memoryBytes < GB ? GB : 4 * GB
  return {
    // An eighth: the service and a desktop need the rest, and the operating system caches files a second time. The most is
    // what a fast shutdown can write in its time (postmaster.ts).
    shared_buffers: share(8, 32 * MB, 512 * MB),
    effective_cache_size: share(2, 128 * MB, 64 * GB),
    maintenance_work_mem: share(32, 16 * MB, 256 * MB),
    // A query that is spread over processes takes cores from the purchases.
    max_parallel_workers_per_gather: cores >= 4 ? '2' : '0',
    max_parallel_maintenance_workers: cores >= 4 ? '2' : '0',
    // With less memory the disk is small as a rule, and recovery after a crash slow.
    max_wal_size: `${walBytes / GB}GB`,
    // What an archive that fails may hold back of the log, beside that. Then PostgreSQL gives the archive up. At most a
    // quarter of what is free, or a small disk would be full before.
    max_slot_wal_keep_size: `${Math.round(Math.max(256 * MB, Math.min(freeBytes / 4, walBytes)) / MB)}MB`,
  }
}
