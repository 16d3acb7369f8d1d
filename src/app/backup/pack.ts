import { createHash } from 'node:crypto'
import type { CopySink } from '#app/embedded-postgres/base-copy.ts'
import { DamagedBackup } from './error.ts'
import type { SealedWriter } from './sealed-file.ts'

// Many files in one stream: for each its name, its bytes in blocks, and an empty block. How long a file is shows only
// when it has been read, because PostgreSQL may shorten it meanwhile.

interface PackedFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export interface Packed {
  readonly folders: string[]
  readonly files: PackedFile[]
}

const BLOCK_MAX = 1024 * 1024
const NAME_MAX = 4096

/** Writes a pack, and lists what is in it. */
export function packInto(writer: SealedWriter): CopySink & Packed {
  const folders: string[] = []
  const files: PackedFile[] = []
  const block = async (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    await writer.write(length)
    if (bytes.length > 0) await writer.write(bytes)
  }
  return {
    folders,
    files,
    async folder(path) {
      folders.push(path)
    },
    async file(path, content) {
      await block(Buffer.from(path))
      const hash = createHash('sha256')
      let size = 0
      for await (const bytes of content) {
        if (bytes.length === 0) continue
        await block(bytes)
        hash.update(bytes)
        size += bytes.length
      }
      await block(Buffer.alloc(0))
      files.push({ path, size, sha256: hash.digest('hex') })
    },
  }
}

/** Hands on every file of a pack, which has to hold exactly what the list says. */
export async function unpack(
  stream: AsyncIterable<Buffer>,
  list: Packed,
  onFile: CopySink['file'],
  source: string,
): Promise<void> {
  const blocks = readBlocks(stream, source)
  try {
    await unpackAll(blocks, list, onFile, source)
  } finally {
    await blocks.close()
  }
}

async function unpackAll(
  blocks: ReturnType<typeof readBlocks>,
  list: Packed,
  onFile: CopySink['file'],
  source: string,
): Promise<void> {
  for (const wanted of list.files) {
    const name = await blocks.next(NAME_MAX)
    if (name?.toString('utf8') !== wanted.path) {
      throw new DamagedBackup(`${source} does not hold ${wanted.path} where the manifest says`)
    }
    const hash = createHash('sha256')
    let size = 0
    await onFile(
      wanted.path,
      (async function* () {
        for (
          let bytes = await blocks.next(BLOCK_MAX);
          bytes?.length !== 0;
          bytes = await blocks.next(BLOCK_MAX)
        ) {
          if (!bytes) throw new DamagedBackup(`${source} ends within ${wanted.path}`)
          hash.update(bytes)
          size += bytes.length
          yield bytes
        }
      })(),
    )
    if (size !== wanted.size || hash.digest('hex') !== wanted.sha256) {
      throw new DamagedBackup(`${wanted.path} in ${source} is not what the manifest says`)
    }
  }
  if ((await blocks.next(NAME_MAX)) !== undefined) {
    throw new DamagedBackup(`${source} holds more than the manifest says`)
  }
}

function readBlocks(stream: AsyncIterable<Buffer>, source: string) {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  async function take(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done) {
          if (missing === length) return undefined
          throw new DamagedBackup(`${source} ends within a file`)
        }
        rest = next.value
        continue
      }
      const part = rest.subarray(0, missing)
      rest = rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
  return {
    async close(): Promise<void> {
      await chunks.return?.()
    },
    /** The next block; undefined at the end. */
    async next(most: number): Promise<Buffer | undefined> {
      const length = (await take(4))?.readUInt32BE()
      if (length === undefined) return undefined
      if (length > most) throw new DamagedBackup(`${source} is no pack of files`)
      if (length === 0) return Buffer.alloc(0)
      const block = await take(length)
      if (!block) throw new DamagedBackup(`${source} ends within a file`)
      return block
    },
  }
}
