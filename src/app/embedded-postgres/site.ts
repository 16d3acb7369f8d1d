import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type Account, isRoot, sameUid, uidOf } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import { type PlacementRecord, readRecord, recordPath, writeRecord } from './record.ts'

const POSTGRES_MAJOR = '18'

/** Where one DATA_DIR has its PostgreSQL, and who runs it. */
export interface Site {
  readonly dataDir: string
  readonly home: string
  /** PostgreSQL's own data folder (PGDATA). */
  readonly cluster: string
  readonly log: string
  readonly account: Account | null
  record: PlacementRecord
}

export function siteOf(dataDir: string, record: PlacementRecord): Site {
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

export function updateRecord(site: Site, change: Partial<PlacementRecord>): void {
  site.record = { ...site.record, ...change }
  writeRecord(site.dataDir, site.record)
}

export function hasCluster(site: Site): boolean {
  return existsSync(join(site.cluster, 'PG_VERSION'))
}

/** The recorded site, if there is one and we may use it. Only reads. */
export function findSite(dataDir: string): Site | undefined {
  const record = readRecord(dataDir)
  if (!record) return undefined
  const site = siteOf(dataDir, record)
  refuseOtherAccount(site)
  refuseVanished(site)
  refuseOtherMajor(site)
  return site
}

function refuseOtherAccount(site: Site): void {
  const advice = 'Start as the account that made it, or choose another DATA_DIR'
  if (site.account && !isRoot()) {
    throw new EmbeddedPostgresError(
      `${site.dataDir} was made by root, and this is an ordinary user. ${advice}`,
    )
  }
  if (!site.account && isRoot()) {
    throw new EmbeddedPostgresError(
      `${site.dataDir} was made by an ordinary user, and this is root. ${advice}`,
    )
  }
  // Root's home is root's, with the account's cluster inside; an ordinary user's is closed to other users.
  const own = site.account ? site.cluster : site.home
  const owner = statSync(own, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && !sameUid(owner, uidOf(site.account))) {
    throw new EmbeddedPostgresError(
      `${own} belongs to uid ${owner}, and PostgreSQL would run as uid ${uidOf(site.account)}. ${advice}`,
    )
  }
}

function refuseVanished(site: Site): void {
  if (!site.record.initialised || hasCluster(site)) return
  throw new EmbeddedPostgresError(
    `the database that ${recordPath(site.dataDir)} speaks of is gone: there is no PostgreSQL cluster in ` +
      `${site.cluster}. Restore or mount it; an empty one is not made in its place. ` +
      'To begin anew, use an empty DATA_DIR',
  )
}

export function refuseOtherMajor(site: Site): void {
  if (!hasCluster(site)) return
  const major = readFileSync(join(site.cluster, 'PG_VERSION'), 'utf8').trim()
  if (major === POSTGRES_MAJOR) return
  throw new EmbeddedPostgresError(
    `${site.cluster} was made by PostgreSQL ${major}, and this program brings PostgreSQL ${POSTGRES_MAJOR}; ` +
      'nothing was touched. Use the version of this program that made it, or set DATABASE_URL',
  )
}
