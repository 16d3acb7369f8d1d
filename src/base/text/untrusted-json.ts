// Reads another service's JSON without trusting its shape.

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

const WORD = /^[\x20-\x7e]{1,200}$/

// An id, a code or a key of ours: what is stored or compared, and never a text for people. Numbers come as text at one
// end and as numbers at the other.
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' && WORD.test(value)) return value
  return typeof value === 'number' ? String(value) : undefined
}

// Looks up a code that came from outside: `constructor` finds nothing.
export function entryOf<Entry>(table: Readonly<Record<string, Entry>>, code: string): Entry | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}
