import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CHILD_ENV, credentials } from './account.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { EmbeddedPostgresError, messageOf } from './error.ts'
import { syncFolder } from './placement-record.ts'

/** Whatever has such a name in a home may be removed at the next start. */
export const TEMPORARY_PREFIX = 'data.new-'

export const SUPERUSER = 'ingot'

/** Makes the cluster whole or not at all: initdb works in a sibling folder, which is then renamed. */
export async function createCluster(location: ClusterLocation, bin: string, password: string): Promise<void> {
  const temporary = join(location.home, TEMPORARY_PREFIX + randomBytes(6).toString('hex'))
  const passwordFile = `${temporary}.password`
  try {
    mkdirSync(temporary, { mode: 0o700 })
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
    if (location.account) {
      chownSync(temporary, location.account.uid, location.account.gid)
      chownSync(passwordFile, location.account.uid, location.account.gid)
    }
    await runInitdb(location, join(bin, 'initdb'), temporary, passwordFile)
    renameSync(temporary, location.cluster)
    syncFolder(location.home)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function runInitdb(
  location: ClusterLocation,
  initdb: string,
  folder: string,
  passwordFile: string,
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order of text on every machine, independent of its C library.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ]
  const child = spawn(initdb, args, {
    ...credentials(location.account),
    cwd: '/',
    env: CHILD_ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // a Ctrl-C is for us, and we leave in order
  })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  try {
    const [stderr, code] = await Promise.all([text(child.stderr), ended.promise])
    if (code !== 0) throw new Error(stderr.trim() || `initdb ended with ${code}`)
  } catch (error) {
    throw new EmbeddedPostgresError(`PostgreSQL could not make its data folder: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/**
 * Of starts that were killed. An initdb may outlive its parent for a second and still write there; what
 * cannot be removed for that reason goes at a later start.
 */
export function removeRemnants(location: ClusterLocation): void {
  for (const name of readdirSync(location.home)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue
    try {
      rmSync(join(location.home, name), { recursive: true, force: true })
    } catch {}
  }
}
