import { refuseHalfRestored } from '#app/backup/restore-marker.ts'
import { openDataDir, recordSchema, refuseNewerData } from '#app/data-dir.ts'
import type { Schema } from '#app/database/history.ts'
import { bringUpToDate, stampOf } from '#app/database/migrate.ts'
import { schemaVersion } from '#app/database/migration-files.ts'
import { settleConnection } from '#app/database/settle-connection.ts'
import { seedDemo } from '#app/demo.ts'
import {
  type EmbeddedEvent,
  type EmbeddedOptions,
  joinEmbeddedPostgres,
} from '#app/embedded-postgres/index.ts'
import { type Keeper, openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { refuseMoved } from '#app/move/state.ts'
import { type Part, poolSize } from '#app/processes/layout.ts'
import type { Config } from '#app/settings/config.ts'
import { lendKeys } from '#base/acting.ts'
import type { KeyRingStore } from '#base/crypto/key-ring.ts'
import type { BoundedConfig } from '#base/db/client.ts'
import { type Database, openDatabase } from '#base/db/db.ts'
import { classify, failureFields } from '#base/db/errors.ts'
import { connectionTo } from '#base/db/settings.ts'
import type { Log } from '#base/log.ts'

const COMMAND_WAIT_MS = 10_000
const OPEN_TRIES = 4

// What every command and the server need: a database of this release, in this mode, with this key ring.
export interface Runtime {
  config: Config
  log: Log
  database: Database
  connection: BoundedConfig
  // The state of the embedded database's folder.
  adoption?: Adoption
  keyRing: KeyRingStore
  keys: Keeper
  // This process made the embedded database.
  created: boolean
  schema: Schema
  close(): Promise<void>
}

// A folder that was copied or moved sends nothing until an operator adopts it.
interface Adoption {
  isAwaited(): boolean
  adopt(): Promise<void>
}

interface RuntimeOptions {
  // Which process of a service with several; undefined if there is one.
  part?: Part | undefined
  // A service gives a caller its answer soon, also if it is 503. A command may wait for a connection.
  serves?: boolean
  // Work for the time in which PostgreSQL starts.
  whileStarting?: () => void
  // `ingot restore` itself, before the folder may be used.
  restoring?: boolean
  // True: also a database that was moved away. Nothing else may serve it.
  evenIfMoved?: boolean
}

export async function openRuntime(
  config: Config,
  log: Log,
  { part, serves = false, whileStarting, restoring = false, evenIfMoved = false }: RuntimeOptions = {},
): Promise<Runtime> {
  if (config.databaseUrl === undefined && !restoring) refuseHalfRestored(config.dataDir)
  if (config.databaseUrl === undefined) refuseNewerData(config.dataDir, schemaVersion())
  // Secrets before the database: its password and its key ring are among them.
  const secrets = await openDataDir(config)
  const { connection, adoption, leave } = await reachPostgres(config, log, {
    password: secrets.databasePassword,
    // The worker has a low priority, which a server that it started would inherit.
    startsServer: part?.kind !== 'worker',
    ...(whileStarting ? { onLaunch: whileStarting } : {}),
  })
  try {
    if (adoption?.isAwaited()) await settleAdoption(config, log, adoption)
    // A folder or a database of another mode, or of another key ring, is refused here, before anything is written.
    const { applied, ...schema } = await bringUpToDate(
      connection,
      stampOf(config.mode, secrets.keyRing.read()),
      { evenIfMoved },
      config.databaseUrl === undefined && config.copyBeforeUpgrade && !restoring
        ? () => copyFirst(config, log)
        : undefined,
    )
    if (config.databaseUrl === undefined) recordSchema(config.dataDir, schema)
    if (schema.isNewer) {
      const reason = `schema ${schema.version}; this one has ${schemaVersion()}`
      log.info('serving the schema of a newer release', { reason })
    }
    const database = openDatabase({
      connection,
      maxConnections: poolSize(part),
      ...(serves ? {} : { waitMs: COMMAND_WAIT_MS }),
      onIdleError: (error) => log.warn('database connection lost', failureFields(error)),
    })
    const keys = await openKeys(database, secrets.keyRing, evenIfMoved).catch(async (error) => {
      await database.close()
      throw error
    })
    lendKeys(keys)
    const isFirst = part?.first ?? true
    if (isFirst && config.databaseUrl === undefined && config.mode === 'sandbox')
      await seedDemo(database, keys, config)
    return {
      config,
      log,
      database,
      connection,
      ...(adoption ? { adoption } : {}),
      keyRing: secrets.keyRing,
      keys,
      created: config.databaseUrl === undefined && applied.some((name) => name.startsWith('0001')),
      schema,
      async close() {
        await database.close()
        await leave()
      },
    }
  } catch (error) {
    await leave()
    throw error
  }
}

async function copyFirst(config: Config, log: Log): Promise<void> {
  const { copyBeforeUpgrade } = await import('#app/backup/before-upgrade.ts')
  await copyBeforeUpgrade(config, log, schemaVersion())
}

// The first use of the pool. PostgreSQL has just answered, so a connection that takes too long is the machine's doing.
async function openKeys(database: Database, ring: KeyRingStore, evenIfMoved: boolean): Promise<Keeper> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!evenIfMoved) await refuseMoved(database)
      return await openVaultKeeper(database, ring)
    } catch (error) {
      if (tries === OPEN_TRIES || classify(error) !== 'unavailable') throw error
    }
  }
}

// A sandbox sends no real message twice, so a warning is enough.
async function settleAdoption({ mode, dataDir }: Config, log: Log, adoption: Adoption): Promise<void> {
  const next = mode === 'live' ? 'its worker is paused until `ingot adopt`' : 'what it sends is simulated'
  log.warn('data folder was copied or moved', { reason: `${dataDir}: ${next}` })
  if (mode === 'sandbox') await adoption.adopt()
}

export async function reachPostgres(
  config: Config,
  log: Log,
  options: Pick<EmbeddedOptions, 'password' | 'startsServer' | 'onLaunch'>,
): Promise<Pick<Runtime, 'connection' | 'adoption'> & { leave(): Promise<void> }> {
  if (config.databaseUrl !== undefined) {
    return { connection: await settleConnection(connectionTo(config.databaseUrl)), leave: async () => {} }
  }
  const levels: Record<EmbeddedEvent, 'debug' | 'warn'> = {
    started: 'debug',
    joined: 'debug',
    stopped: 'debug',
    lost: 'warn',
    restarted: 'warn',
  }
  const embedded = await joinEmbeddedPostgres({
    dataDir: config.dataDir,
    ...options,
    // The first line of a reason is our own sentence; what follows may quote PostgreSQL's log.
    onEvent: (event, detail) =>
      log[levels[event]](`embedded database ${event}`, detail ? { reason: detail.split('\n')[0]! } : {}),
  })
  return {
    connection: { ...embedded.connection, session: { search_path: 'public' } },
    adoption: { isAwaited: () => !embedded.isAdopted(), adopt: () => embedded.adopt() },
    leave: () => embedded.leave(),
  }
}
