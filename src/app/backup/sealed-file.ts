import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants as zlib, zstdCompress, zstdDecompress } from 'node:zlib'
import { errorCode } from '#app/embedded-postgres/error.ts'
import { BackupError, DamagedBackup } from './error.ts'
import {
  type BackupKey,
  CHUNK_BYTES,
  type FileSeal,
  HEADER_BYTES,
  LENGTH_BYTES,
  newSeal,
  readHeader,
  SEALED_MAX,
} from './sealed-format.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
// The lowest level: half the size of tables at several times a disk's rate. Sealed values do not get smaller at any level.
const LEVEL = { params: { [zlib.ZSTD_c_compressionLevel]: 1 } }
const PLAIN = Buffer.from([0])
const COMPRESSED = Buffer.from([1])
// Written out as often as this, so that a commit of the database never waits behind all of it.
const SYNC_BYTES = 32 * 1024 * 1024
// Chunks that are compressed at once: enough for a second core, and a few megabytes.
const AHEAD = 3

/** Seals what is written to it. Memory stays flat, however much that is. */
export class SealedWriter {
  readonly #file: FileHandle
  readonly #seal: FileSeal
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #underWay: Promise<Buffer>[] = []
  #position = 0
  #unsynced = 0

  /** The file must not exist. `name` is what it has to be opened by. */
  static async create(path: string, key: BackupKey, name: string): Promise<SealedWriter> {
    const writer = new SealedWriter(await open(path, 'wx', 0o600), newSeal(key, name))
    try {
      await writer.#file.writeFile(writer.#seal.header)
      return writer
    } catch (error) {
      await writer.abandon() // a file that is left open ends the process when it is collected
      throw error
    }
  }

  private constructor(file: FileHandle, seal: FileSeal) {
    this.#file = file
    this.#seal = seal
  }

  async write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + CHUNK_BYTES - this.#gatheredBytes)
      from += part.length
      this.#gathered.push(part)
      this.#gatheredBytes += part.length
      if (this.#gatheredBytes === CHUNK_BYTES) await this.#pack()
    }
  }

  async #pack(): Promise<void> {
    const packed = pack(this.#gathered.length === 1 ? this.#gathered[0]! : Buffer.concat(this.#gathered))
    packed.catch(() => {}) // reported where it is awaited
    this.#underWay.push(packed)
    this.#gathered = []
    this.#gatheredBytes = 0
    if (this.#underWay.length > AHEAD) await this.#put(await this.#underWay.shift()!, false)
  }

  async #put(chunk: Buffer, last: boolean): Promise<void> {
    const sealed = this.#seal.seal(chunk, this.#position, last)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(sealed.length)
    await this.#file.writeFile(Buffer.concat([length, sealed]))
    this.#position += 1
    this.#unsynced += sealed.length
    if (this.#unsynced < SYNC_BYTES) return
    this.#unsynced = 0
    await this.#file.datasync()
  }

  /** Returns when everything is on the disk, with the file's size. The caller makes its name last. */
  async finish(): Promise<number> {
    // There is a last chunk always, if an empty one: by it a reader knows that nothing was cut off.
    await this.#pack()
    while (this.#underWay.length > 0) {
      await this.#put(await this.#underWay.shift()!, this.#underWay.length === 0)
    }
    await this.#file.sync()
    const { size } = await this.#file.stat()
    await this.#file.close()
    return size
  }

  /** Closes an unfinished file, which the caller removes. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await this.#file.close().catch(() => {})
  }
}

async function pack(chunk: Buffer): Promise<Buffer> {
  const smaller = await compress(chunk, LEVEL)
  const pays = smaller.length < chunk.length * 0.95
  return Buffer.concat(pays ? [COMPRESSED, smaller] : [PLAIN, chunk])
}

async function unpack(packed: Buffer): Promise<Buffer> {
  const bytes = packed.subarray(1)
  return packed[0] === COMPRESSED[0] ? decompress(bytes, { maxOutputLength: CHUNK_BYTES }) : bytes
}

/** The bytes of a sealed file, each checked before it is given out. A file that is not whole ends with an error. */
export async function* readSealed(path: string, key: BackupKey, name: string): AsyncGenerator<Buffer> {
  const file = await openSealed(path)
  try {
    const { size } = await file.stat()
    const header = await readBytes(file, 0, Math.min(HEADER_BYTES, size))
    const seal = readHeader(key, name, header)
    if (seal === 'other_key')
      throw new BackupError(`${path} is sealed with another key than this one (${key.id})`)
    if (seal === 'no_backup') throw new DamagedBackup(`${path} is no file of a backup, or was changed`)
    let at = HEADER_BYTES
    for (let position = 0; position === 0 || at < size; position += 1) {
      const sealed = await readChunk(file, path, at, size)
      at += LENGTH_BYTES + sealed.length
      const chunk = seal.open(sealed, position, at === size)
      if (!chunk) throw damage(path, seal, sealed, position, at === size)
      yield await unpack(chunk)
    }
  } finally {
    await file.close()
  }
}

// Not through a link: it could lead to a file that is changed while it is read.
async function openSealed(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new DamagedBackup(`${path} is missing`)
    if (errorCode(error) !== 'ELOOP') throw new BackupError(`${path} cannot be read (${errorCode(error)})`)
  }
  throw new DamagedBackup(`${path} is not a file of its own: a backup has no links`)
}

async function readChunk(file: FileHandle, path: string, at: number, size: number): Promise<Buffer> {
  if (at + LENGTH_BYTES > size) throw new DamagedBackup(`${path} is cut off`)
  const length = (await readBytes(file, at, LENGTH_BYTES)).readUInt32BE()
  if (length > SEALED_MAX) throw new DamagedBackup(`${path} was changed`)
  if (at + LENGTH_BYTES + length > size) throw new DamagedBackup(`${path} is cut off or was changed`)
  return readBytes(file, at + LENGTH_BYTES, length)
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(buffer, read, length - read, at + read)
    if (bytesRead === 0) throw new DamagedBackup('a file of the backup was cut off while it was read')
    read += bytesRead
  }
  return buffer
}

function damage(
  path: string,
  seal: FileSeal,
  sealed: Buffer,
  position: number,
  last: boolean,
): DamagedBackup {
  const whole = seal.open(sealed, position, !last) !== undefined
  if (!whole) return new DamagedBackup(`${path} was changed`)
  return new DamagedBackup(last ? `${path} is cut off` : `${path} has bytes after its end`)
}

/** A small sealed file as a whole. */
export async function readSealedText(
  path: string,
  key: BackupKey,
  name: string,
  most: number,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of readSealed(path, key, name)) {
    bytes += chunk.length
    if (bytes > most) throw new DamagedBackup(`${path} is too large for what it should be`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
