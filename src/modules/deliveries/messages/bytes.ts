const ASCII_END = 0x80
const FIRST = 0xa1
const LAST = 0xfe
const REPLACEMENT = '\ufffd'

let table: Uint8Array | undefined

// How many bytes a character beyond ASCII takes at the carriers; 0 if they cannot show it. Node has no encoder for EUC-KR, so the
// decoder is asked once what every pair of bytes means. Only KS X 1001 counts: its extension, with the rarer
// syllables, is not on every phone.
function widths(): Uint8Array {
  if (table) return table
  const pairs: number[] = []
  for (let lead = FIRST; lead <= LAST; lead += 1) {
    for (let trail = FIRST; trail <= LAST; trail += 1) pairs.push(lead, trail, 0x0a)
  }
  table = new Uint8Array(0x10000)
  for (const read of new TextDecoder('euc-kr').decode(Uint8Array.from(pairs)).split('\n')) {
    // A pair that means nothing comes back as the replacement.
    if (read.length === 1 && read !== REPLACEMENT) table[read.charCodeAt(0)] = 2
  }
  return table
}

// Undefined for a character that cannot be encoded.
export function eucKrWidth(character: string): 1 | 2 | undefined {
  const code = character.codePointAt(0) ?? 0
  // Most settings are nothing else, and a start then does without the table.
  if (code < ASCII_END) return 1
  const width = widths()[code]
  return width === 2 ? width : undefined
}

// Undefined if any character of the text cannot be encoded.
export function eucKrBytes(text: string): number | undefined {
  let bytes = 0
  for (const character of text) {
    const width = eucKrWidth(character)
    if (width === undefined) return undefined
    bytes += width
  }
  return bytes
}
