import { randomBytes, randomUUIDv7 } from 'node:crypto'

// A branded string: the compiler keeps a card's id from being passed where a key's id belongs.
export type Id<Of extends string> = string & { readonly __id: Of }

// The one form of a UUID that we accept, in either case. JSON Schema's format `uuid` also accepts `urn:uuid:…`.
// PostgreSQL also accepts braces and missing hyphens.
export const UUID_PATTERN = '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
const UUID = new RegExp(UUID_PATTERN)

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

// Version 7: new rows land at the right edge of their index instead of all over it.
export function newId<Of extends string>(): Id<Of> {
  return randomUUIDv7() as Id<Of>
}

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the last multiple of 62 in a byte: taking more would favour the first letters.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

let requests = 0
const processPart = randomBase62(8)

// Unique across processes and cheap: it only has to find a line in a log.
export function newRequestId(): string {
  requests += 1
  return `req_${processPart}${requests.toString(36).padStart(6, '0')}`
}
