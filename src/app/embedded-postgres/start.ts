import { tryAs } from './account.ts'
import { prepareBinaries } from './binaries.ts'
import { createCluster, removeRemnants } from './cluster.ts'
import { type ClusterLocation, hasCluster } from './cluster-location.ts'
import { EmbeddedPostgresError } from './error.ts'
import { claimCluster } from './folder.ts'
import { type Launch, launchPostgres } from './launch.ts'
import { clearStalePidFile } from './postmaster.ts'
import { ensureSocketDir } from './socket-dir.ts'

/** Starts PostgreSQL where none runs, and makes its data folder first if there is none yet. */
export async function startPostgres(
  location: ClusterLocation,
  password: string,
  earlierTries: number,
): Promise<Launch> {
  const bin = prepareBinaries(location)
  removeRemnants(location)
  if (!hasCluster(location)) await createCluster(location, bin, password)
  claimCluster(location)
  refuseUnreachable(location)
  // A pid file is empty for an instant while PostgreSQL writes it. If it is still empty at the next try, it is stale.
  clearStalePidFile(location, { evenIfEmpty: earlierTries > 0 })
  const socketDir = await ensureSocketDir(location)
  return launchPostgres(location, bin, socketDir)
}

// It could be reached when it was placed, but a folder above may have been closed since.
function refuseUnreachable(location: ClusterLocation): void {
  if (!location.account) return
  const tried = tryAs(location.account, '/bin/sh', ['-c', 'cd "$1"', 'sh', location.cluster])
  if (tried.ok) return
  throw new EmbeddedPostgresError(
    `the account ${location.account.name}, which runs PostgreSQL for root, cannot reach ${location.cluster}: ` +
      `${tried.detail}. Open the folders above it (mode 711 is enough)`,
  )
}
