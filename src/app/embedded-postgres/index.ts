import { accessSync, constants, mkdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { assert } from '#base/assert.ts'
import { isRoot } from './account.ts'
import { EmbeddedPostgresError, messageOf } from './error.ts'
import { findOwnSite } from './folder.ts'
import { type CheckedConnection, Membership } from './membership.ts'

export { EmbeddedPostgresError } from './error.ts'

export type EmbeddedEvent = 'started' | 'joined' | 'lost' | 'restarted' | 'stopped'

export interface EmbeddedPostgres {
  /** Good for as long as this process is a member, so a pool recovers by itself. */
  readonly connection: CheckedConnection
  /** False: the folder was copied or moved, and nobody has said yet that it is the one that counts. */
  isAdopted(): boolean
  adopt(): Promise<void>
  /** Lets go of it; the last one to leave stops PostgreSQL and waits until it is gone. */
  leave(): Promise<void>
}

export interface EmbeddedOptions {
  /** DATA_DIR, absolute. */
  readonly dataDir: string
  /** Kept by the caller, the same at every start. */
  readonly password: string
  readonly onEvent?: (event: EmbeddedEvent, detail?: string) => void
}

/** Starts the PostgreSQL of a DATA_DIR, or joins the one that other processes run there. */
export async function joinEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  assert(isAbsolute(options.dataDir), 'the configuration resolves DATA_DIR')
  assert(/^[^\r\n]+$/.test(options.password), 'initdb reads the password as one line')
  prepareDataDir(options.dataDir)
  return Membership.enter(options)
}

function prepareDataDir(dataDir: string): void {
  try {
    findOwnSite(dataDir) // a refusal comes before anything is touched, the lock file included
    // Root lets its account pass through, so that the database can live inside.
    mkdirSync(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(
      `this account cannot use the folder ${dataDir} as DATA_DIR: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
