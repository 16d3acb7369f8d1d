import type { BoundedClient, BoundedConfig } from '#base/db/client.ts'
import { watchLongStatements } from '#base/db/liveness.ts'
import { openPool } from '#base/db/pool.ts'
import { withoutLimits, withSettings } from '#base/db/settings.ts'
import { TABLE_WAIT_MS, whenFree } from './when-free.ts'

const CONNECT_MS = 10_000

// A purchase adds its jobs whether or not a worker has ever run here, so the queue's own schema is there before ours. The library
// sets no limit of its own: a table in use would stop every purchase behind it.
export async function installJobQueue(connection: BoundedConfig): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker')
  const config = {
    ...withoutLimits(connection, { lock_timeout: String(TABLE_WAIT_MS) }),
    application_name: 'ingot migrate',
    connectionTimeoutMillis: CONNECT_MS,
  }
  const { pool } = openPool({ ...config, max: 1 }, () => {})
  try {
    // The only connection of the pool, so the library gets this one.
    const client = await pool.connect()
    await watchLongStatements(client as unknown as BoundedClient, withSettings(connection))
    client.release()
    const logger = new Logger(() => () => {})
    await whenFree('of the job queue', () => runMigrations({ pgPool: pool, logger }))
  } finally {
    await pool.end()
  }
}
