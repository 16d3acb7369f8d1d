import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableMemory } from 'node:process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { prepareBinaries } from '#app/embedded-postgres/binaries.ts'
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { launchPostgres } from '#app/embedded-postgres/launch.ts'
import { type Connection, connectionOf } from '#app/embedded-postgres/member-connection.ts'
import { settleLocation } from '#app/embedded-postgres/placement.ts'
import { findPostmaster } from '#app/embedded-postgres/postmaster.ts'
import { ensureSocketDir } from '#app/embedded-postgres/socket-dir.ts'
import { ensurePacked } from '#app/server/pack.ts'
import { ensurePages } from '#app/server/web-build.ts'
import { offerInstalled } from './installed-folder.ts'
import { holdFolder } from './leash.ts'
import { until } from './patience.ts'
import { POSTGRES_VARIABLE, TEMPLATE, TEST_RING } from './postgres.ts'
import { temporaryFolder } from './process.ts'
import { KEPT_DATABASE, writeKeptDatabase } from './release-recording.ts'
import { offerUnpackFolder } from './unpack-once.ts'

// One real PostgreSQL for the whole run, with a migrated template that every test file copies.
const PASSWORD = 'test'
// Several times what the server and its databases take, and what the files make.
const ROOM_BYTES = 12 * 2 ** 30
let postgres: EmbeddedPostgres
let folder: ReturnType<typeof temporaryFolder>

export async function globalSetup(): Promise<void> {
  // Each file and each service it starts reads the same thousand modules: compiled once, where main.js keeps its own.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/ingot', import.meta.url),
  )
  const memoryDisk = findMemoryDisk()
  // For the files too.
  if (memoryDisk) process.env.TMPDIR = holdFolder(memoryDisk)
  folder = temporaryFolder()
  const { path: dataDir } = folder
  offerUnpackFolder(dataDir)
  // The pages once, rather than by whichever test comes first; and the program that most started services run.
  ;[postgres] = await Promise.all([startUnsynced(dataDir), ensurePages({ dataDir }), ensurePacked()])
  process.env[POSTGRES_VARIABLE] = JSON.stringify(postgres.connection)
}

// A copy of the template is a thousand files, and so is a cluster of a test's own. Making them on a disk is a tenth of the
// CPU time of all tests. Tests kill processes and never the machine: they lose nothing with its memory. PostgreSQL may have
// to be copied there too, so programs have to run there.
function findMemoryDisk(): string | undefined {
  const isMounted = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m
  if (!existsSync('/proc/mounts') || !isMounted.test(readFileSync('/proc/mounts', 'utf8'))) return undefined
  const { bavail, bsize } = statfsSync('/dev/shm')
  return Math.min(bavail * bsize, availableMemory()) > ROOM_BYTES ? '/dev/shm' : undefined
}

// No test crashes this server: those that do have one of their own. So nothing has to reach the disk, and most of the time
// that a dropped database took goes. No option of the service can do that: it is made as usual and started once more.
async function startUnsynced(dataDir: string): Promise<EmbeddedPostgres> {
  const join = () => joinEmbeddedPostgres({ dataDir, password: PASSWORD })
  const first = await join()
  await migrate(first.connection, stampOf('sandbox', TEST_RING))
  await first.leave()
  offerInstalled(dataDir, PASSWORD)
  const location = settleLocation(dataDir)
  const bin = prepareBinaries(location)
  const socketDir = await ensureSocketDir(location)
  const launch = launchPostgres(location, bin, socketDir, { fsync: 'off', full_page_writes: 'off' })
  await until(
    () => launch.ended() !== undefined || findPostmaster(location)?.status === 'ready',
    'PostgreSQL is ready',
  )
  await makeTemplate(connectionOf(location, socketDir, PASSWORD))
  return join()
}

// Before any member is there: a database that is in use cannot be copied.
async function makeTemplate(migrated: Connection): Promise<void> {
  const client = new pg.Client({ ...migrated, database: 'postgres' })
  await client.connect()
  await client.query(`alter role ${migrated.user} set synchronous_commit = off`)
  for (const name of [TEMPLATE, KEPT_DATABASE])
    if (name) await client.query(`create database ${name} template ${migrated.database}`)
  await client.end()
  // The first connection to a database writes down what each one needs, and a copy has that, too.
  const first = new pg.Client({ ...migrated, database: TEMPLATE })
  await first.connect()
  await first.end()
}

export async function globalTeardown(): Promise<void> {
  await writeKeptDatabase(postgres.connection)
  await postgres.leave()
  folder.remove()
}
