const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

// Whether an object in the text, which `value` was read from, names a property twice. Readers disagree about which of
// the two counts, so a proxy may have seen another request than we do. Reading keeps one of them: then the text has
// more properties than the value, however their names are written. Linear in the length of the text.
export function repeatsProperty(text: string, value: unknown): boolean {
  return countColons(text) !== countProperties(value)
}

function countColons(text: string): number {
  let count = 0
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) quoted = !quoted
    else if (code === BACKSLASH) i += 1
    else if (code === COLON && !quoted) count += 1
  }
  return count
}

// With a list of our own: a text may nest deeper than calls can.
function countProperties(value: unknown): number {
  let count = 0
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (one === null || typeof one !== 'object') continue
    const parts = Object.values(one)
    if (!Array.isArray(one)) count += parts.length
    for (const part of parts) if (typeof part === 'object') open.push(part)
  }
  return count
}
