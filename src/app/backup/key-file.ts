import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { writeOnce } from '#app/data-dir.ts'
import { errorCode } from '#app/embedded-postgres/error.ts'
import { BackupError } from './error.ts'
import { type BackupKey, backupKey } from './sealed-format.ts'

// One line: what it is, 256 random bits, and a sum that finds a slip of the hand before a key is blamed.
const LINE = /^ingot-backup-key-1 ([A-Za-z0-9_-]{43}) ([0-9a-f]{8})$/

export function makeKeyFile(path: string): BackupKey {
  const secret = randomBytes(32)
  try {
    writeOnce(path, `ingot-backup-key-1 ${secret.toString('base64url')} ${sumOf(secret)}\n`)
  } catch (error) {
    const why = errorCode(error) === 'EEXIST' ? 'exists already, and a key is never replaced' : undefined
    throw new BackupError(`${path} ${why ?? `cannot be written (${errorCode(error)})`}`)
  }
  return backupKey(secret)
}

/** The error never quotes the file. */
export function readKeyFile(path: string): BackupKey {
  const match = LINE.exec(readPrivate(path).trim())
  const secret = match && Buffer.from(match[1]!, 'base64url')
  if (!secret || sumOf(secret) !== match[2]) {
    throw new BackupError(`${path} holds no backup key. \`ingot backup key FILE\` makes one`)
  }
  return backupKey(secret)
}

function readPrivate(path: string): string {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY)
  } catch (error) {
    throw new BackupError(`the backup key ${path} cannot be read (${errorCode(error)})`)
  }
  try {
    const { mode } = fstatSync(file)
    // As with the key ring, a group of operators may read it.
    if ((mode & 0o037) !== 0) throw new BackupError(`others can read the backup key ${path}: chmod 600`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function sumOf(secret: Buffer): string {
  return createHash('sha256').update('ingot backup key').update(secret).digest('hex').slice(0, 8)
}
