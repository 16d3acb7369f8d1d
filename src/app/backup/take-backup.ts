import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyBase } from '#app/embedded-postgres/base-copy.ts'
import { errorCode } from '#app/embedded-postgres/error.ts'
import { syncFolder } from '#app/embedded-postgres/placement-record.ts'
import { VERSION } from '#app/version.ts'
import { backupPath, backupsIn, baseName, listNames, manifestName, PARTIAL } from './backup-folder.ts'
import { BackupError } from './error.ts'
import { type Manifest, makeManifest } from './manifest.ts'
import { packInto } from './pack.ts'
import { SealedWriter } from './sealed-file.ts'
import type { BackupKey } from './sealed-format.ts'
import type { Source } from './source.ts'

// The key in the banner of a sandbox, and the mark that its demo was made.
const DEMO_FILES = ['demo-key', 'demo-member']

export interface Taken {
  readonly manifest: Manifest
  /** What it takes in the folder of backups. */
  readonly sealedBytes: number
}

export interface CopyOptions {
  readonly onProgress: (done: number, total: number) => void
  /** Awaited again and again, so that a copy beside purchases can rest (give-way.ts). */
  readonly giveWay?: (mayWait: () => Promise<boolean>) => Promise<void>
}

/**
 * One full copy. It has its name only when all of it is on the disk; what a kill or a full disk cuts off is removed, here
 * or by the next backup.
 */
export async function takeBackup(
  source: Source,
  dir: string,
  key: BackupKey,
  chain: string | null,
  options: CopyOptions,
): Promise<Taken> {
  removePartials(dir)
  const id = newBackupId()
  const partial = join(backupsIn(dir), PARTIAL + id)
  try {
    mkdirSync(partial, { mode: 0o700 })
    const taken = await write(source, partial, { id, key, chain }, options)
    syncFolder(partial)
    renameSync(partial, backupPath(dir, id))
    syncFolder(backupsIn(dir))
    return taken
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw explainSpace(error, dir)
  }
}

function newBackupId(): string {
  const now = Temporal.Now.instant().round('second').toString()
  return `${now.replaceAll(/[-:]/g, '')}-${randomBytes(4).toString('hex')}`
}

/** When a copy was begun, by its id. */
export function beginningOf(id: string): Temporal.Instant {
  return Temporal.Instant.from(id.slice(0, id.indexOf('-')))
}

async function write(
  source: Source,
  folder: string,
  { id, key, chain }: { id: string; key: BackupKey; chain: string | null },
  options: CopyOptions,
): Promise<Taken> {
  const base = await SealedWriter.create(join(folder, 'base'), key, baseName(id))
  const pack = packInto(base)
  let manifest: Manifest
  let sealedBytes: number
  try {
    await pack.file('secrets.json', once(secretsOf(source)))
    for (const name of source.installation.mode === 'sandbox' ? DEMO_FILES : []) {
      const path = join(source.dataDir, name)
      if (existsSync(path)) await pack.file(name, once(readFileSync(path, 'utf8')))
    }
    const prefixed = {
      folder: (path: string) => pack.folder(`cluster/${path}`),
      file: (path: string, content: AsyncIterable<Buffer>) => pack.file(`cluster/${path}`, content),
    }
    const { embedded, location, installation, schema, postgresMajor } = source
    const copy = await copyBase(embedded.connection, location.cluster, prefixed, options)
    sealedBytes = await base.finish()
    const { folders, files } = pack
    const about = { id, installation, schema, release: VERSION, postgresMajor, chain }
    manifest = makeManifest({ ...about, ...copy, folders, files })
  } catch (error) {
    await base.abandon()
    throw error
  }
  // Last, so that a backup with a manifest is whole.
  sealedBytes += await writeSealed(join(folder, 'manifest'), key, manifestName(id), JSON.stringify(manifest))
  return { manifest, sealedBytes }
}

// The database's password opens nothing but the copy itself. A ring is in it only if a sandbox made it up: the ring of a
// live service is the operator's, kept apart from its data.
function secretsOf({ secrets, installation }: Source): string {
  const { databasePassword, keyRing } = secrets
  return JSON.stringify(
    installation.mode === 'sandbox' ? { databasePassword, keyRing } : { databasePassword },
  )
}

async function writeSealed(path: string, key: BackupKey, name: string, text: string): Promise<number> {
  const writer = await SealedWriter.create(path, key, name)
  try {
    await writer.write(Buffer.from(text))
    return await writer.finish()
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

function removePartials(dir: string): void {
  for (const name of listNames(backupsIn(dir))) {
    if (name.startsWith(PARTIAL)) rmSync(join(backupsIn(dir), name), { recursive: true, force: true })
  }
}

/** What the system says about a full or a failing disk, as a sentence. */
export function explainSpace(error: unknown, dir: string): unknown {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BackupError(`there is no room left in ${dir}: nothing of this was kept`, { cause: error })
    case 'EROFS':
      return new BackupError(
        `${dir} is read-only for this process (EROFS): mount it for writing, and under systemd name it in ReadWritePaths ` +
          '(docs/backup.md)',
        { cause: error },
      )
    case 'EACCES':
    case 'EIO':
      return new BackupError(`${dir} cannot be written to (${errorCode(error)})`, { cause: error })
    default:
      return error
  }
}
