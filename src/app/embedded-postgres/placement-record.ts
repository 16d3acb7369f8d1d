import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'

const FORMAT = 1

/** What DATA_DIR remembers of its PostgreSQL. */
export interface PlacementRecord {
  readonly format: typeof FORMAT
  /** True once the database exists: from then on a missing cluster is a loss, never a first start. */
  readonly initialised: boolean
  /** Relative to DATA_DIR when inside it, so that the folder can be moved. */
  readonly home: string
  /** The account that root runs PostgreSQL under; null when an ordinary user runs it. */
  readonly account: Account | null
  readonly socketDir: string | null
  readonly port: number
}

export function newRecord(home: string, account: Account | null): PlacementRecord {
  // The port only names the socket: PostgreSQL listens on no network address.
  return { format: FORMAT, initialised: false, home, account, socketDir: null, port: 5432 }
}

export function recordPath(dataDir: string): string {
  return join(dataDir, 'embedded-postgres.json')
}

export function readRecord(dataDir: string): PlacementRecord | undefined {
  const path = recordPath(dataDir)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    if (errorCode(error) !== 'EACCES') throw error
    throw new EmbeddedPostgresError(
      `${dataDir} belongs to another account: ${path} cannot be read. ` +
        'Start as the account that made it, or choose another DATA_DIR',
      { cause: error },
    )
  }
  return parseRecord(path, text)
}

function parseRecord(path: string, text: string): PlacementRecord {
  let value: Partial<PlacementRecord> | null
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  // The format goes first: a newer one may have changed every other field.
  if (typeof value?.format === 'number' && value.format > FORMAT) {
    throw new EmbeddedPostgresError(
      `${path} was written by a newer version of this program (format ${value.format}, known up to ${FORMAT}); ` +
        'nothing was touched. Use that version',
    )
  }
  if (value?.format !== FORMAT || !hasShape(value)) {
    throw new EmbeddedPostgresError(`${path} is damaged; restore it from a backup. Nothing was touched`)
  }
  return value as PlacementRecord
}

function hasShape(value: Partial<PlacementRecord>): boolean {
  const account = value.account
  return (
    typeof value.initialised === 'boolean' &&
    typeof value.home === 'string' &&
    typeof value.port === 'number' &&
    (value.socketDir === null || typeof value.socketDir === 'string') &&
    (account === null ||
      (typeof account?.name === 'string' && Number.isInteger(account.uid) && Number.isInteger(account.gid)))
  )
}

export function writeRecord(dataDir: string, record: PlacementRecord): void {
  writeWhole(recordPath(dataDir), record)
}

export function writeWhole(path: string, value: object): void {
  const temporary = `${path}.new`
  // Readable to all, so that a start with the wrong account can say so. It holds no secret.
  const file = openSync(temporary, 'w', 0o644)
  try {
    writeSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

/** Makes a rename inside the folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
