import { join } from 'node:path'
import type { BaseCopy } from '#app/embedded-postgres/base-copy.ts'
import { backupPath, baseName, manifestName } from './backup-folder.ts'
import { BackupError, DamagedBackup } from './error.ts'
import { type Packed, unpack } from './pack.ts'
import { readSealed, readSealedText } from './sealed-file.ts'
import type { BackupKey } from './sealed-format.ts'

const FORMAT = 1
// A cluster of ten thousand tables has a list of some ten megabytes.
const MANIFEST_MAX = 256 * 1024 * 1024

/** Which installation a backup is of. A copy or a restored one is the same. */
export interface Installation {
  /** PostgreSQL's own, from initdb. */
  readonly systemId: string
  readonly mode: 'sandbox' | 'live'
  /** The fingerprint of the key ring, never the ring. */
  readonly keyRing: string
}

export interface Manifest extends BaseCopy, Packed {
  readonly format: typeof FORMAT
  readonly id: string
  readonly installation: Installation
  readonly schema: number
  readonly release: string
  readonly postgresMajor: string
  /** The part of the archive that goes on from this copy; null for a copy that stands alone. */
  readonly chain: string | null
}

export function makeManifest(values: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...values }
}

export async function readManifest(dir: string, id: string, key: BackupKey): Promise<Manifest> {
  const path = join(backupPath(dir, id), 'manifest')
  const value: Manifest = JSON.parse(await readSealedText(path, key, manifestName(id), MANIFEST_MAX))
  if (value.format > FORMAT) {
    throw new BackupError(`${path} was written by a newer release (format ${value.format}): use that one`)
  }
  if (value.format !== FORMAT || value.id !== id)
    throw new DamagedBackup(`${path} is not the manifest of ${id}`)
  return value
}

/** Reads the whole base copy of a backup and compares it with its manifest. */
export async function readBase(
  dir: string,
  manifest: Manifest,
  key: BackupKey,
  onFile: (path: string, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const path = join(backupPath(dir, manifest.id), 'base')
  await unpack(readSealed(path, key, baseName(manifest.id)), manifest, onFile, path)
}

export function bytesOf({ files }: Packed): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
