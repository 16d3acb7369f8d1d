// How many bytes the carriers count. The table is made from the decoder: which two bytes give which character.
const TWO_BYTES = new Uint8Array(65_536)
const decoder = new TextDecoder('euc-kr')
for (let lead = 0xa1; lead <= 0xfe; lead++) {
  for (let trail = 0xa1; trail <= 0xfe; trail++) {
    const text = decoder.decode(Uint8Array.of(lead, trail))
    if (text.length === 1 && text !== '\ufffd') TWO_BYTES[text.charCodeAt(0)] = 1
  }
}

// Undefined if a character has no place in the code.
export function eucKrBytes(text: string): number | undefined {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (TWO_BYTES[code] === 1) bytes += 2
    else return undefined
  }
  return bytes
}
