import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { dereference, type OpenApi, operationsOf } from '#test/openapi.ts'

// What the documents promise to a caller, apart from how they are written down. The recording is compared with the
// documents of today, so that a schema that is moved, shared or renamed provably changes no promise.

export const PARTNER_OPENAPI = new URL('../contract/openapi.json', import.meta.url)
export const MEMBER_OPENAPI = new URL('../contract/member-openapi.json', import.meta.url)

export const CONSOLE_OPENAPI = new URL('../contract/console-openapi.json', import.meta.url)

export function readDocuments(): { partner: OpenApi; member: OpenApi } {
  return { partner: read(PARTNER_OPENAPI), member: read(MEMBER_OPENAPI) }
}

// Only our own pages ask it, from the same release: it promises nothing, so it is not recorded.
export function readConsoleDocument(): OpenApi {
  return read(CONSOLE_OPENAPI)
}

function read(file: URL): OpenApi {
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApi
}

export type Meaning = Record<string, unknown>

const RECORDING = new URL('../test/fixtures/contract-meaning.json.br', import.meta.url)

export function readRecording(): Meaning {
  return JSON.parse(brotliDecompressSync(readFileSync(RECORDING)).toString())
}

export function writeRecording(meaning: Meaning): void {
  writeFileSync(RECORDING, brotliCompressSync(JSON.stringify(meaning)))
}

// By `METHOD /path`: the operation with every reference resolved. The names of schemas and answers are not part of it.
export function meaningOf(documents: readonly OpenApi[]): Meaning {
  return Object.fromEntries(
    documents
      .flatMap((document) =>
        operationsOf(document).map(({ method, path, operation }) => [
          `${method.toUpperCase()} ${path}`,
          normalise(dereference(document, { security: document.security, ...operation })),
        ]),
      )
      .toSorted(([a], [b]) => compare(a, b)),
  )
}

type Fields = Record<string, unknown>

function normalise(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one) => normalise(one))
    return UNORDERED.has(key) ? items.toSorted((a, b) => compare(keyOf(a), keyOf(b))) : items
  }
  if (typeof value === 'string') return key === 'description' ? normaliseCodes(value) : value
  if (typeof value !== 'object' || value === null) return value
  const fields = isMedia(value as Fields) ? withExampleValues(value as Fields) : (value as Fields)
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, part]) => [name, normalise(part, name)] as const)
      .toSorted(([a], [b]) => compare(a, b)),
  )
}

// Lists whose order says nothing.
const UNORDERED = new Set(['parameters', 'required', 'enum'])

const compare = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1)

const keyOf = (item: unknown) => JSON.stringify(item)

// A description that lists codes lists them in no order.
function normaliseCodes(text: string): string {
  return /^`\w+`(?:, `\w+`)*$/.test(text) ? text.split(', ').toSorted().join(', ') : text
}

const isMedia = (fields: Fields) => typeof fields.schema === 'object' && fields.schema !== null

// An example may stand beside a body's schema, by name beside it, or in the schema: each shows the same.
function withExampleValues({ example, examples, schema, ...rest }: Fields): Fields {
  const { examples: inside = [], ...bare } = schema as { examples?: unknown[] }
  const named = Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(
    ({ value }) => value,
  )
  const shown = [...(example === undefined ? [] : [example]), ...named, ...inside]
  return { ...rest, schema: bare, ...(shown.length > 0 ? { shown: shown.toSorted(byText) } : {}) }
}

const byText = (a: unknown, b: unknown) => compare(keyOf(a), keyOf(b))

// Where two meanings differ first: a path, and both sides. One more example changes no promise.
export function firstDifference(recorded: unknown, now: unknown, path = ''): string | undefined {
  if (path.endsWith(SHOWN) && Array.isArray(now)) {
    const texts = new Set(now.map(keyOf))
    return [recorded ?? []].flat().every((one) => texts.has(keyOf(one)))
      ? undefined
      : `${path.slice(3)}: an example is gone`
  }
  if (isFields(recorded) && isFields(now)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const found = firstDifference(recorded[name], now[name], `${path} › ${name}`)
      if (found) return found
    }
    return
  }
  const [a, b] = [JSON.stringify(recorded), JSON.stringify(now)]
  return a === b ? undefined : `${path.slice(3)}\nwas ${a}\nis  ${b}`
}

const SHOWN = ' › shown'

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
