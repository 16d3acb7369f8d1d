import { accessSync, constants, mkdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { assert } from '#base/assert.ts'
import { isRoot } from './account.ts'
import { EmbeddedPostgresError, messageOf } from './error.ts'
import { findOwnLocation } from './folder.ts'
import { Membership } from './membership.ts'
import type { EmbeddedOptions, EmbeddedPostgres } from './types.ts'

export { EmbeddedPostgresError } from './error.ts'
export type { EmbeddedEvent, EmbeddedOptions, EmbeddedPostgres } from './types.ts'

/** Starts the PostgreSQL of a DATA_DIR, or joins the one that other processes run there. */
export async function joinEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  assert(isAbsolute(options.dataDir), 'the configuration resolves DATA_DIR')
  assert(/^[^\r\n]+$/.test(options.password), 'initdb reads the password as one line')
  prepareDataDir(options.dataDir)
  return Membership.enter(options)
}

function prepareDataDir(dataDir: string): void {
  try {
    findOwnLocation(dataDir) // a refusal comes before anything is touched, the lock file included
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
