import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }

// Any character. fast-check's own unit 'binary' is the same, but first makes a table of all million of them.
export const codePoint = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('not one character')
    return point < SURROGATES.from ? point : point - SURROGATES.count
  },
)
