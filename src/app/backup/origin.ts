import { existsSync, realpathSync } from 'node:fs'
import { hasCluster, locationOf } from '#app/embedded-postgres/cluster-location.ts'
import { readMachineId } from '#app/embedded-postgres/folder.ts'
import { readRecord } from '#app/embedded-postgres/placement-record.ts'
import type { Manifest } from './manifest.ts'

/** Whether the installation that was backed up is still in its place on this machine, beside the restored one. */
export function isStillThere({ origin }: Pick<Manifest, 'origin'>, dataDir: string): boolean {
  if (origin.machine !== readMachineId() || !existsSync(origin.path)) return false
  if (realpathSync(origin.path) === realpathSync(dataDir)) return false
  try {
    const record = readRecord(origin.path)
    return record !== undefined && hasCluster(locationOf(origin.path, record))
  } catch {
    return true // there, and not to be read: in doubt it goes on
  }
}
