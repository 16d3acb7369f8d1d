import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type Account, isRoot, sameUid, uidOf } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import { type PlacementRecord, readRecord, recordPath, writeRecord } from './placement-record.ts'

export const POSTGRES_MAJOR = '18'

/** Where one DATA_DIR has its PostgreSQL, and who runs it. */
export interface ClusterLocation {
  readonly dataDir: string
  readonly home: string
  /** PostgreSQL's own data folder (PGDATA). */
  readonly cluster: string
  readonly log: string
  readonly account: Account | null
  record: PlacementRecord
}

export function locationOf(dataDir: string, record: PlacementRecord): ClusterLocation {
  const home = isAbsolute(record.home) ? record.home : join(dataDir, record.home)
  return {
    dataDir,
    home,
    cluster: join(home, 'data'),
    log: join(home, 'postgres.log'),
    account: record.account,
    record,
  }
}

export function updateRecord(location: ClusterLocation, change: Partial<PlacementRecord>): void {
  location.record = { ...location.record, ...change }
  writeRecord(location.dataDir, location.record)
}

export function hasCluster(location: ClusterLocation): boolean {
  return existsSync(join(location.cluster, 'PG_VERSION'))
}

/** The recorded location, if there is one and we may use it. Only reads. */
export function findLocation(dataDir: string): ClusterLocation | undefined {
  const record = readRecord(dataDir)
  if (!record) return undefined
  const location = locationOf(dataDir, record)
  refuseOtherAccount(location)
  refuseVanished(location)
  refuseOtherMajor(location)
  return location
}

function refuseOtherAccount(location: ClusterLocation): void {
  const advice = 'Start as the account that made it, or choose another DATA_DIR'
  if (location.account && !isRoot()) {
    throw new EmbeddedPostgresError(
      `${location.dataDir} was made by root, and this is an ordinary user. ${advice}`,
    )
  }
  if (!location.account && isRoot()) {
    throw new EmbeddedPostgresError(
      `${location.dataDir} was made by an ordinary user, and this is root. ${advice}`,
    )
  }
  // Root's home is root's, with the account's cluster inside; an ordinary user's is closed to other users.
  const own = location.account ? location.cluster : location.home
  const owner = statSync(own, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && !sameUid(owner, uidOf(location.account))) {
    throw new EmbeddedPostgresError(
      `${own} belongs to uid ${owner}, and PostgreSQL would run as uid ${uidOf(location.account)}. ${advice}`,
    )
  }
}

function refuseVanished(location: ClusterLocation): void {
  if (!location.record.initialised || hasCluster(location)) return
  throw new EmbeddedPostgresError(
    `the database that ${recordPath(location.dataDir)} speaks of is gone: there is no PostgreSQL cluster in ` +
      `${location.cluster}. Restore or mount it; an empty one is not made in its place. ` +
      'To begin anew, use an empty DATA_DIR',
  )
}

export function refuseOtherMajor(location: ClusterLocation): void {
  if (!hasCluster(location)) return
  const major = readFileSync(join(location.cluster, 'PG_VERSION'), 'utf8').trim()
  if (major === POSTGRES_MAJOR) return
  throw new EmbeddedPostgresError(
    `${location.cluster} was made by PostgreSQL ${major}, and this program brings PostgreSQL ${POSTGRES_MAJOR}; ` +
      'nothing was touched. It takes two steps. First, with the release that made it: `ingot move --to postgresql://…`, to ' +
      'any PostgreSQL server. Then, with this release: set DATABASE_URL to that server, and stay there or run ' +
      '`ingot move --to FOLDER`',
  )
}
