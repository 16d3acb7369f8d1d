import { schemaVersion } from '#app/database/migration-files.ts'
import type { Database } from '#base/db/db.ts'
import { classify, failureFields } from '#base/db/errors.ts'
import type { Log } from '#base/log.ts'
import type { Readiness } from '#edge/site/deps.ts'
import { awaitsVerification } from '#modules/restorations/store.ts'
import type { WorkerStatus } from './keep-running.ts'

interface Parts {
  database: Pick<Database, 'read' | 'writes'>
  log: Log
  hasStarted(): boolean
  workerStatus(): WorkerStatus | undefined
  // Writes that fail in the worker's process.
  failingElsewhere(): string | undefined
  // Another place serves this installation.
  isMoved(): boolean
}

const SCHEMA_VERSION = {
  name: 'schema_version',
  text: 'select max(version) as version from schema_migration',
  // A load balancer does not wait longer. The check also finds a dead connection before a purchase meets it.
  boundMs: 4_000,
}

// What `/readyz` answers. After the first start of each role only the database, its schema, failing writes and a restore
// whose invariants were not checked make it anything but ready.
export function createReadiness({
  database,
  log,
  hasStarted,
  workerStatus,
  failingElsewhere,
  isMoved,
}: Parts): () => Promise<Readiness> {
  const known = schemaVersion()
  let told = ''

  // One line when it changes: a load balancer asks every second.
  function tell(because: string, fields = {}): void {
    if (because !== told && because !== '' && because !== 'starting')
      log.error('not ready', { reason: because, ...fields })
    if (because === '' && told !== '' && told !== 'starting') log.info('ready again')
    told = because
  }

  return async () => {
    const notReady = (
      because: 'starting' | 'database' | 'migration' | 'restoration' | 'writes' | 'moved',
      fields = {},
    ) => {
      tell(because, fields)
      return { ready: false, because } as const
    }
    if (isMoved()) return notReady('moved')
    if (!hasStarted()) return notReady('starting')
    try {
      const [row] = await database.read<{ version: number }>(SCHEMA_VERSION, [])
      // An older schema only. A newer one is served: the release before runs on while the next one starts.
      if ((row?.version ?? 0) < known) return notReady('migration')
      if (await awaitsVerification(database)) return notReady('restoration')
    } catch (error) {
      if (classify(error) !== 'unavailable') throw error
      return notReady('database', failureFields(error))
    }
    const sqlState = database.writes.failing() ?? failingElsewhere()
    if (sqlState !== undefined) return notReady('writes', { sqlState })
    tell('')
    return { ready: true, worker: workerStatus() }
  }
}
