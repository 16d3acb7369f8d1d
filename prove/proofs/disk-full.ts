import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readRecord } from '#app/embedded-postgres/placement-record.ts'
import { temporaryFolder } from '#test/process.ts'
import type { LocalService } from '../local-service.ts'
import type { Proof } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

const DATA_MB = 700
const WAL_MB = 300
const FULL_MS = 6_000 // at most

export const diskFull: Proof = {
  what: 'the disk of the data, and the disk of the write-ahead log, is full for some seconds',
  count: 6,
  takes: 'root: it mounts small file systems',
  lacks: () => (process.geteuid?.() === 0 ? undefined : 'it mounts small file systems, which takes root'),
  async run(given) {
    const disks = [mount(DATA_MB), mount(WAL_MB)] as const
    return proveLocal(given, (service, trial) => fill(service, trial, disks, given.count), {
      settings: { DATA_DIR: join(disks[0], 'data') },
    })
  },
}

function mount(megabytes: number): string {
  const { path } = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', path])
  chmodSync(path, 0o711)
  // However the process ends. Lazily, since PostgreSQL may still be there.
  process.once('exit', () => execFileSync('umount', ['-l', path]))
  return path
}

async function fill(
  service: LocalService,
  trial: Trial,
  [dataDisk, walDisk]: readonly [string, string],
  count: number,
): Promise<string[]> {
  await trial.untilActing()
  await moveLog(service, walDisk)
  for (let n = 0; n < count; n += 1) {
    await trial.untilActing()
    const [what, disk] = n % 2 === 0 ? (['data', dataDisk] as const) : (['log', walDisk] as const)
    const filler = join(disk, 'filler')
    takeRest(filler)
    // Sequences of traffic need the disk at different moments: the log at every commit, the data now and then.
    await service.withSql((client) => client.query('checkpoint')).catch(() => {})
    await sleep(1_000 + trial.random.int(FULL_MS - 1_000))
    rmSync(filler)
    trial.fault(`the disk of the ${what} was full`)
  }
  await trial.untilActing()
  return []
}

// The log gets a disk of its own, as in many installations. The service is stopped for it.
async function moveLog(service: LocalService, walDisk: string): Promise<void> {
  await service.down()
  const log = join(resolve(service.dataDir, readRecord(service.dataDir)!.home), 'data', 'pg_wal')
  const to = join(walDisk, 'pg_wal')
  mkdirSync(walDisk, { recursive: true })
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
