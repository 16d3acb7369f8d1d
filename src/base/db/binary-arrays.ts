import pg from 'pg'
import { BadValue } from './errors.ts'

// Arrays as PostgreSQL receives them in binary. The driver passes a Buffer on as it is. As texts, the arrays of a batch are
// escaped element by element here and parsed again there, and their bytes travel twice as long in hex.
const { UUID, INT4, INT8, TEXT, BYTEA } = pg.types.builtins
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
const UUID_BYTES = 16
const INT4_BYTES = 4
const INT8_BYTES = 8
const ASCII = /^[\x20-\x7e]*$/

type Of<Row, Value> = (row: Row) => Value

export function uuidArray<Row>(rows: readonly Row[], of: Of<Row, string | null>): Buffer {
  return fixedArray(UUID, UUID_BYTES, rows, of, writeUuid)
}

export function bigintArray<Row>(rows: readonly Row[], of: Of<Row, bigint | null>): Buffer {
  return fixedArray(INT8, INT8_BYTES, rows, of, (array, at, value) =>
    within(() => array.writeBigInt64BE(value, at)),
  )
}

export function intArray<Row>(rows: readonly Row[], of: Of<Row, number | null>): Buffer {
  return fixedArray(INT4, INT4_BYTES, rows, of, (array, at, value) =>
    within(() => array.writeInt32BE(value, at)),
  )
}

// A number that is out of range is the sender's alone: the others of its batch are written without it.
function within(write: () => number): number {
  try {
    return write()
  } catch (error) {
    throw new BadValue('out of range', { cause: error })
  }
}

// Of values that all take the same number of bytes. `write` returns the place after the value.
function fixedArray<Row, Value>(
  elementType: number,
  bytes: number,
  rows: readonly Row[],
  of: Of<Row, Value | null>,
  write: (array: Buffer, at: number, value: Value) => number,
): Buffer {
  const array = newArray(elementType, rows.length, rows.length * bytes)
  if (rows.length === 0) return array
  let at = HEADER_BYTES
  for (const row of rows) {
    const value = of(row)
    at = array.writeInt32BE(value === null ? NULL_LENGTH : bytes, at)
    if (value === null) array.writeInt32BE(1, 4)
    else at = write(array, at, value)
  }
  return array.subarray(0, at)
}

export function bytesArray<Row>(rows: readonly Row[], of: Of<Row, Buffer | null>): Buffer {
  let bytes = 0
  for (const row of rows) bytes += of(row)?.length ?? 0
  const array = newArray(BYTEA, rows.length, bytes)
  let at = HEADER_BYTES
  for (const row of rows) {
    const value = of(row)
    at = array.writeInt32BE(value?.length ?? NULL_LENGTH, at)
    if (value) array.set(value, at)
    else array.writeInt32BE(1, 4)
    at += value?.length ?? 0
  }
  return array
}

// For ids and names of our own: other texts would depend on the encoding of the database.
export function asciiArray<Row>(rows: readonly Row[], of: Of<Row, string | null>): Buffer {
  let bytes = 0
  for (const row of rows) bytes += of(row)?.length ?? 0
  const array = newArray(TEXT, rows.length, bytes)
  let at = HEADER_BYTES
  for (const row of rows) {
    const value = of(row)
    at = array.writeInt32BE(value?.length ?? NULL_LENGTH, at)
    if (value === null) array.writeInt32BE(1, 4)
    else if (ASCII.test(value)) at += array.write(value, at, 'latin1')
    else throw new BadValue('only ASCII has the same bytes in every encoding')
  }
  return array
}

// One dimension with the elements 1 … count. Without elements PostgreSQL expects no dimension.
function newArray(elementType: number, count: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(count === 0 ? 12 : HEADER_BYTES + count * LENGTH_BYTES + bytes)
  array.writeInt32BE(count === 0 ? 0 : 1, 0)
  array.writeInt32BE(0, 4) // whether there are nulls
  array.writeInt32BE(elementType, 8)
  if (count === 0) return array
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}

const DIGITS = new Int8Array(128).fill(-1)
for (const [i, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = i
  DIGITS[digit.toUpperCase().charCodeAt(0)] = i
}
const HYPHEN = 0x2d

function writeUuid(target: Buffer, from: number, text: string): number {
  let at = from
  for (let i = 0; i < text.length; i += 2) {
    if (text.charCodeAt(i) === HYPHEN) i += 1
    const high = DIGITS[text.charCodeAt(i)] ?? -1
    const low = DIGITS[text.charCodeAt(i + 1)] ?? -1
    if (high < 0 || low < 0 || at === from + UUID_BYTES) throw new BadValue('not a UUID')
    target[at] = high * 16 + low
    at += 1
  }
  if (at !== from + UUID_BYTES) throw new BadValue('not a UUID')
  return at
}
