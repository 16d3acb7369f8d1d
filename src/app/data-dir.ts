import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { keyRingStore } from '#app/keys/key-ring-file.ts'
import { LostSecrets, readSecrets, type SecretsFile } from '#app/keys/secrets-file.ts'
import { BadSetting, type Config } from '#app/settings/config.ts'
import { generateKeyRing, type KeyRingStore } from '#base/crypto/key-ring.ts'
import { Explained } from '#base/explained.ts'
import { withFileLock } from '#base/file-lock.ts'

// What this process keeps outside the database: secrets it generated, and which release wrote the data.
export interface Secrets {
  databasePassword: string
  keyRing: KeyRingStore
}

export class NewerData extends Explained {}

// In a folder that `ingot move` made. The demo is not seeded there: it came along, or there was none.
export const MOVED_IN = 'moved-in.json'

export async function openDataDir(config: Config): Promise<Secrets> {
  // As root, PostgreSQL's own account must be able to pass through; the files inside are closed to it.
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    accessSync(config.dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new BadSetting('DATA_DIR', `${config.dataDir} is not a folder this account can write to (${code})`)
  }
  const path = join(config.dataDir, 'secrets.json')
  if (!existsSync(path) && existsSync(versionFile(config.dataDir))) {
    throw new LostSecrets(
      `${path} is missing although there is data beside it: put it back from a copy. Made anew, it could not ` +
        'open the database or read its cards',
    )
  }
  const file = await withFileLock(join(config.dataDir, 'secrets.lock'), async () => {
    if (!existsSync(path)) {
      const made: SecretsFile = {
        databasePassword: randomBytes(24).toString('base64url'),
        // A second ring beside the one that was given would only be taken for it.
        ...(config.keyRingFile === undefined ? { keyRing: generateKeyRing(true) } : {}),
      }
      writeOnce(path, `${JSON.stringify(made, null, 2)}\n`)
    }
    return readSecrets(path)
  })
  return { databasePassword: file.databasePassword, keyRing: keyRingStore(config, path) }
}

// Whole or not at all, never over an existing file, and closed to others from its first byte.
export function writeOnce(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: true })
    chmodSync(temporary, 0o600)
    linkSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

// Files have the schema's version too, and the oldest schema whose release may serve it. So data that this release cannot serve
// is refused before its PostgreSQL is started.
const versionFile = (dataDir: string) => join(dataDir, 'schema-version')
const compatibleFile = (dataDir: string) => join(dataDir, 'schema-compatible-with')

export function refuseNewerData(dataDir: string, known: number): void {
  const version = readNumber(versionFile(dataDir)) ?? 0
  const oldest = readNumber(compatibleFile(dataDir)) ?? version
  if (version > known && oldest > known) {
    throw new NewerData(
      `the data in ${dataDir} was written by a newer release (schema ${version}, which releases with a schema before ` +
        `${oldest} cannot serve; this one has ${known}). Nothing was touched: start the newer release. The way back is a ` +
        'backup from before the upgrade: see docs/upgrade.md',
    )
  }
}

function readNumber(path: string): number | undefined {
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined
}

// What the database says, whichever release asked it. The database has the last word: it is asked again at each start.
export function recordSchema(
  dataDir: string,
  { version, compatibleWith }: { version: number; compatibleWith: number },
): void {
  for (const [path, number] of [
    [versionFile(dataDir), version],
    [compatibleFile(dataDir), compatibleWith],
  ] as const) {
    if (readNumber(path) !== number) writeFileSync(path, `${number}\n`)
  }
}
