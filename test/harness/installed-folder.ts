import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { readRecord, writeRecord } from '#app/embedded-postgres/placement-record.ts'
import { TEST_RING_FILE } from './postgres.ts'

// A sandbox's DATA_DIR with a migrated database, made once for the run: initdb and the migrations take seconds. A test
// about a first start begins with an empty folder instead.
const VARIABLE = 'INGOT_TEST_INSTALLED'

/** By the runner, with PostgreSQL of `dataDir` stopped and its database migrated under the ring of the tests. */
export function offerInstalled(dataDir: string, databasePassword: string): void {
  const record = readRecord(dataDir)
  assert(record, 'it was started')
  // A cluster that could not be inside of the folder is not copied with it. The tests begin with empty folders then.
  if (isAbsolute(record.home)) return
  const installed = join(dataDir, 'installed')
  makeFolder(installed)
  copyOwned(join(dataDir, record.home), installed)
  // As before its first start: which folder it belongs to is not known yet, so that each copy is an original.
  rmSync(join(installed, record.home, 'owner.json'))
  writeRecord(installed, { ...record, socketDir: null })
  writeSecrets(installed, databasePassword)
  process.env[VARIABLE] = installed
}

/** The ring of the tests for a process on a copy of the template, which was made with it. */
export function writeSecrets(dataDir: string, databasePassword = 'not used'): void {
  const secrets = { databasePassword, keyRing: JSON.parse(TEST_RING_FILE) }
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
}

/** Fills a DATA_DIR that is not there yet. Without a runner (`npm run prove`) the first start does it. */
export function install(dataDir: string): void {
  const installed = process.env[VARIABLE]
  if (installed === undefined) return
  makeFolder(dataDir)
  copyOwned(`${installed}/.`, dataDir)
}

// As root, PostgreSQL's account must be able to pass through. A strict umask counts for mkdir.
function makeFolder(path: string): void {
  mkdirSync(path)
  chmodSync(path, 0o711)
}

// fs.cp does not keep owners.
export function copyOwned(from: string, to: string): void {
  assert.equal(spawnSync('cp', ['-a', from, to]).status, 0)
}
