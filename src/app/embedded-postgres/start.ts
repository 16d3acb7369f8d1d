import { tryAs } from './account.ts'
import { prepareBinaries } from './binaries.ts'
import { createCluster, removeRemnants } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { claimCluster } from './folder.ts'
import { type Launch, launchPostgres } from './launch.ts'
import { clearStalePidFile } from './postmaster.ts'
import { hasCluster, type Site } from './site.ts'
import { ensureSocketDir } from './socket-dir.ts'

/** Starts PostgreSQL where none runs, and makes its data folder first if there is none yet. */
export async function startPostgres(site: Site, password: string, earlierTries: number): Promise<Launch> {
  const bin = prepareBinaries(site)
  removeRemnants(site)
  if (!hasCluster(site)) await createCluster(site, bin, password)
  claimCluster(site)
  refuseUnreachable(site)
  // A pid file is empty for an instant while PostgreSQL writes it. If it is still empty at the next try, it is stale.
  clearStalePidFile(site, { evenIfEmpty: earlierTries > 0 })
  const socketDir = await ensureSocketDir(site)
  return launchPostgres(site, bin, socketDir)
}

// It could be reached when it was placed, but a folder above may have been closed since.
function refuseUnreachable(site: Site): void {
  if (!site.account) return
  const tried = tryAs(site.account, '/bin/sh', ['-c', 'cd "$1"', 'sh', site.cluster])
  if (tried.ok) return
  throw new EmbeddedPostgresError(
    `the account ${site.account.name}, which runs PostgreSQL for root, cannot reach ${site.cluster}: ` +
      `${tried.detail}. Open the folders above it (mode 711 is enough)`,
  )
}
