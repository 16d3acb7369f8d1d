import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { readRecord } from '#app/embedded-postgres/placement-record.ts'
import { temporaryFolder } from '#test/process.ts'
import type { LocalService } from '../local-service.ts'
import type { Proof, Wanted } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

const MEGABYTES = { data: 700, log: 300 }
// The disks are memory, and a machine that runs the tests may have little.
const SHORT_MEGABYTES = { data: 250, log: 150 }
const DISK_FULL = '53100'
const SEGMENTS = 100 // more than its disk has room for
const FULL_MS = 6_000 // at most

export const diskFull: Proof = {
  what: 'the disk of the data, and the disk of the write-ahead log, is full for some seconds',
  count: 6,
  takes: 'root: it mounts small file systems',
  lacks() {
    if (process.geteuid?.() !== 0) return 'it mounts small file systems, which takes root'
    // The root of a container may not.
    try {
      mount(1).unmount()
    } catch (error) {
      return `it mounts small file systems, which fails here: ${(error as Error).message.replaceAll(/\s+/g, ' ').trim()}`
    }
    return undefined
  },
  async run(given) {
    const { data, log } = given.scale === undefined ? MEGABYTES : SHORT_MEGABYTES
    const disks = [mount(data), mount(log)] as const
    try {
      return await proveLocal(given, (service, trial) => fill(service, trial, disks, given), {
        settings: { DATA_DIR: join(disks[0].path, 'data') },
      })
    } finally {
      for (const disk of disks) disk.unmount()
    }
  },
}

interface Disk {
  path: string
  unmount(): void
}

function mount(megabytes: number): Disk {
  const { path } = temporaryFolder()
  const options = `size=${megabytes}m,mode=711`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' })
  chmodSync(path, 0o711)
  const unmount = () => {
    process.off('exit', unmount)
    // Lazily, since PostgreSQL may still be there.
    execFileSync('umount', ['-l', path])
  }
  // However the process ends.
  process.once('exit', unmount)
  return { path, unmount }
}

async function fill(
  service: LocalService,
  trial: Trial,
  [dataDisk, logDisk]: readonly [Disk, Disk],
  wanted: Wanted,
): Promise<string[]> {
  await trial.untilActing()
  await moveLog(service, logDisk)
  for (const n of trial.rounds(wanted)) {
    await trial.untilActing()
    const [what, disk] = n % 2 === 0 ? (['data', dataDisk] as const) : (['log', logDisk] as const)
    const ms = 1_000 + trial.random.int(FULL_MS - 1_000)
    // Connected before: PostgreSQL may not start again before there is room.
    await service.withSql((client) => fillFor(client, what, disk, ms))
    trial.fault(`the disk of the ${what} was full`)
  }
  await trial.untilActing()
  return []
}

async function fillFor(client: pg.Client, what: 'data' | 'log', disk: Disk, ms: number): Promise<void> {
  const filler = join(disk.path, 'filler')
  takeRest(filler)
  try {
    // Traffic needs the disk of the data only now and then, a checkpoint always. It may fail, or wait for room.
    if (what === 'data') void client.query('checkpoint').catch(() => {})
    else await findNoRoom(client)
    await sleep(ms)
  } finally {
    rmSync(filler)
  }
}

// The log asks for room only when a segment begins, and some are kept ready. All of them end here, until none can begin.
async function findNoRoom(client: pg.Client): Promise<void> {
  const endSegments = async () => {
    for (let n = 0; n < SEGMENTS; n += 1) {
      await client.query(`select pg_logical_emit_message(true, 'prove', 'full')`)
      await client.query('select pg_switch_wal()')
    }
  }
  await assert.rejects(endSegments, isNoRoom, 'the disk of the log has no room')
}

// Or the connection is lost, because PostgreSQL stops where it cannot write its log.
const isNoRoom = ({ code, severity }: pg.DatabaseError) => code === DISK_FULL || severity !== 'ERROR'

// The log gets a disk of its own, as in many installations. The service is stopped for it.
async function moveLog(service: LocalService, disk: Disk): Promise<void> {
  await service.down()
  const log = join(resolve(service.dataDir, readRecord(service.dataDir)!.home), 'data', 'pg_wal')
  const to = join(disk.path, 'pg_wal')
  execFileSync('mv', [log, to])
  symlinkSync(to, log)
  await service.up()
}

function takeRest(file: string): void {
  const block = Buffer.alloc(65_536)
  const descriptor = openSync(file, 'w')
  try {
    for (;;) writeSync(descriptor, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(descriptor)
  }
}
