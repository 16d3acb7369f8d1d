import { Readable } from 'node:stream'
import { constants, crc32, createDeflateRaw } from 'node:zlib'

// Sizes of one part of a ZIP file stay below what 32 bits hold; its caller begins another part in time.
export const MAX_PART_BYTES = 0xf000_0000
const MAX_32 = 0xffff_ffff
const DEFLATED = 8
// Sizes follow the data, and names are UTF-8.
const FLAGS = 0x0808
// 1 January 1980: the first day that the format knows. A file of the same rows is then the same file.
const DAY = 0x21

interface Written {
  name: Buffer
  crc: number
  packed: number
  size: number
  at: number
}

// A ZIP file as it is made, in constant memory: each part is deflated while its chunks come. Where the file grows past
// 4 GB, the directory at its end says where the parts are with 64 bits.
export class ZipWriter {
  readonly #written: Written[] = []
  #at = 0

  async *part(name: string, chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
    const part: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: this.#at }
    yield this.#count(localHeader(part.name))
    // Level 4 is twice as fast as the usual 6, and 5% larger. Every chunk is flushed: its end shows as a mark in the file.
    const deflate = createDeflateRaw({ level: 4, flush: constants.Z_SYNC_FLUSH })
    const source = Readable.from(measured(part, chunks), { objectMode: false })
    source.on('error', (error) => deflate.destroy(error))
    source.pipe(deflate)
    try {
      for await (const packed of deflate as AsyncIterable<Buffer>) {
        part.packed += packed.length
        yield this.#count(packed)
      }
    } finally {
      source.destroy()
    }
    if (part.size > MAX_PART_BYTES || part.packed > MAX_PART_BYTES) throw new Error(`${name} grew too large`)
    yield this.#count(descriptor(part))
    this.#written.push(part)
  }

  *end(): Generator<Buffer> {
    const at = this.#at
    for (const part of this.#written) yield this.#count(directoryEntry(part))
    yield directoryEnd(this.#written.length, at, this.#at - at)
  }

  #count(bytes: Buffer): Buffer {
    this.#at += bytes.length
    return bytes
  }
}

async function* measured(part: Written, chunks: AsyncIterable<string> | Iterable<string>) {
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    part.crc = crc32(bytes, part.crc)
    part.size += bytes.length
    yield bytes
  }
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATED, 8)
  header.writeUInt16LE(DAY, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, packed, size }: Written): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  bytes.writeUInt32LE(packed, 8)
  bytes.writeUInt32LE(size, 12)
  return bytes
}

function directoryEntry({ name, crc, packed, size, at }: Written): Buffer {
  const far = at >= MAX_32
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(far ? 45 : 20, 4)
  header.writeUInt16LE(far ? 45 : 20, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(DEFLATED, 10)
  header.writeUInt16LE(DAY, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(packed, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(far ? 12 : 0, 30)
  header.writeUInt32LE(far ? MAX_32 : at, 42)
  if (!far) return Buffer.concat([header, name])
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(at), 4)
  return Buffer.concat([header, name, extra])
}

function directoryEnd(parts: number, at: number, size: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  const far = at >= MAX_32
  end.writeUInt16LE(parts, 8)
  end.writeUInt16LE(parts, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(far ? MAX_32 : at, 16)
  return far ? Buffer.concat([farEnd(parts, at, size), end]) : end
}

// The end once more with 64 bits, and where that is.
function farEnd(parts: number, at: number, size: number): Buffer {
  const end = Buffer.alloc(76)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  end.writeBigUInt64LE(BigInt(parts), 24)
  end.writeBigUInt64LE(BigInt(parts), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(at), 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(at + size), 64)
  end.writeUInt32LE(1, 72)
  return end
}
