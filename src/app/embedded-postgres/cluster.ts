import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CHILD_ENV, credentials } from './account.ts'
import { EmbeddedPostgresError, messageOf } from './error.ts'
import { syncFolder } from './record.ts'
import type { Site } from './site.ts'

/** Whatever has such a name in a home may be removed at the next start. */
export const TEMPORARY_PREFIX = 'data.new-'

export const SUPERUSER = 'ingot'

/** Makes the cluster whole or not at all: initdb works in a sibling folder, which is then renamed. */
export async function createCluster(site: Site, bin: string, password: string): Promise<void> {
  const temporary = join(site.home, TEMPORARY_PREFIX + randomBytes(6).toString('hex'))
  const passwordFile = `${temporary}.password`
  try {
    mkdirSync(temporary, { mode: 0o700 })
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
    if (site.account) {
      chownSync(temporary, site.account.uid, site.account.gid)
      chownSync(passwordFile, site.account.uid, site.account.gid)
    }
    await runInitdb(site, join(bin, 'initdb'), temporary, passwordFile)
    renameSync(temporary, site.cluster)
    syncFolder(site.home)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function runInitdb(site: Site, initdb: string, folder: string, passwordFile: string): Promise<void> {
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
    ...credentials(site.account),
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
export function removeRemnants(site: Site): void {
  for (const name of readdirSync(site.home)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue
    try {
      rmSync(join(site.home, name), { recursive: true, force: true })
    } catch {}
  }
}
