// Counts the marks of a file that is being received (`ingot-rows-per-mark`): the same bytes, wherever its chunks are cut.
export function markCounter(mark: readonly number[]): (chunk: Uint8Array) => number {
  let matched = 0
  let count = 0
  return (chunk) => {
    for (const byte of chunk) {
      // A mark of zeros and FFs: a third zero still leaves two that may begin one.
      if (byte === mark[matched]) matched += 1
      else if (!(byte === 0 && matched === 2)) matched = byte === mark[0] ? 1 : 0
      if (matched < mark.length) continue
      count += 1
      matched = 0
    }
    return count
  }
}

// XLSX is compressed, so its rows cannot be seen. The service flushes after so many rows, which leaves these bytes.
export const MARKS = { csv: [0x0a], xlsx: [0x00, 0x00, 0xff, 0xff] } as const
