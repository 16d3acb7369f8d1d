import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { codePoint } from './code-point.ts'
import { dereference, type OpenApi, type Operation, operationsOf, type Schema } from './openapi.ts'

// Requests made from an OpenAPI document: mostly well formed, with hostile values in some places.

const ID = '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10'

// What is not a UUID of ours, though PostgreSQL, JSON Schema or a library takes some of them for one.
export const NO_UUIDS = [
  `urn:uuid:${ID}`,
  `{${ID}}`,
  ID.replaceAll('-', ''),
  `${ID.replaceAll('-', '')}a`,
  `${ID} `,
  ` ${ID}`,
  `${ID}\n`,
  `${ID}\u0000`,
  ID.replace('0', '０'),
  ID.replace('-', '—'),
  ID.slice(1),
  `${ID}${ID}`,
  'g'.repeat(36),
  '-'.repeat(36),
  '0',
]

const TEXTS = [
  ...NO_UUIDS,
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\ufeff',
  '\u202e',
  '\u200b',
  '１２３',
  '٣٤',
  'x'.repeat(5_000),
  '가'.repeat(3_000),
  '9007199254740993',
  '9223372036854775808',
  '-1',
  '1e308',
  '0x10',
  'NaN',
  '0000-00-00',
  '99999-01-01',
  '2026-02-30',
  '0000-1-1',
  '9999-12-31',
  '-271821-04-20',
  '00000000',
  '99999999',
  "' or 1=1 --",
  '$1',
  '\\',
  '%',
  '{}',
  'constructor',
  '__proto__',
]

const NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e20,
  1e308,
  Number.MIN_VALUE,
]

export const hostile = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], { $gt: '' }, { toString: null }),
  fc.string({ unit: codePoint, maxLength: 40 }),
)

export interface HostileRequest {
  operationId: string
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

const MOSTLY = { valid: 5, hostile: 1 }

function givenOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: MOSTLY.valid, arbitrary: validOf(schema) },
    { weight: MOSTLY.hostile, arbitrary: hostile },
  )
}

function validOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(givenOf))
  const examples = schema.examples ?? []
  const made = madeOf(schema)
  if (examples.length === 0) return made
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: made })
}

function madeOf(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(givenOf(schema.items ?? {}), { maxLength: 4 })
    case 'integer':
      return fc.maxSafeInteger().map((n) => within(n, schema))
    case 'boolean':
      return fc.boolean()
    case 'string':
      return schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 100) })
    default:
      return hostile
  }
}

function within(n: number, { minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): number {
  return minimum + (Math.abs(n) % Math.min(maximum - minimum + 1, 2 ** 53))
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, givenOf(schema)] as const)

  return fc.oneof(
    { weight: 8, arbitrary: fc.record(Object.fromEntries(members), { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(Object.fromEntries(members), { requiredKeys: [] }) },
  )
}

// Whole bodies that are no object of ours.
const BODIES = [
  '',
  'null',
  '[]',
  '"x"',
  '1',
  '{',
  '{"a":',
  '{"__proto__":{"x":1}}',
  '\ufeff{}',
  `${'['.repeat(5_000)}`,
]

function bodyOf({ requestBody }: Operation): fc.Arbitrary<string | undefined> {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return fc.constantFrom(undefined, undefined, '{}', '[]')
  return fc.oneof(
    { weight: 12, arbitrary: givenOf(schema).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...BODIES) },
  )
}

// As it is: what decodes to no text at all is worth sending too.
const RAW_PATHS = ['%', '%zz', '%00', '%ED%A0%80', '%C0%80', '%FF', '..', '%2e%2e', '%2F', ';', '%E2%80%AE']

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const escaped = (value: unknown) =>
  [...Buffer.from(textOf(value))].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const inPath = (schema: Schema) =>
  fc.oneof(
    { weight: 8, arbitrary: givenOf(schema).map(escaped) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_PATHS) },
  )

const headerText = (value: unknown) => textOf(value).replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '?')

function requestOf(method: string, path: string, operation: Operation): fc.Arbitrary<HostileRequest> {
  const { operationId, parameters = [] } = operation
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const record = <Value>(place: string, arbitrary: (schema: Schema) => fc.Arbitrary<Value>, all: boolean) =>
    fc.record(Object.fromEntries(of(place).map(({ name, schema }) => [name, arbitrary(schema)] as const)), {
      requiredKeys: all ? of(place).map(({ name }) => name) : [],
    })
  return fc
    .record({
      params: record('path', inPath, true),
      query: record('query', inPath, false),
      headers: record('header', (schema) => givenOf(schema).map(headerText), false),
      body: bodyOf(operation),
    })
    .map(({ params, query, headers, body }) => ({
      operationId,
      method: method.toUpperCase(),
      path:
        path.replace(/\{(\w+)\}/g, (_, name) => (params as Record<string, string>)[name]!) +
        Object.entries(query)
          .map(([name, value], i) => `${i === 0 ? '?' : '&'}${name}=${value}`)
          .join(''),
      headers: headers as Record<string, string>,
      body,
    }))
}

// Every operation of a document as likely as any other.
export function requestsOf(document: OpenApi): fc.Arbitrary<HostileRequest> {
  const operations = operationsOf(dereference(document, document))
  return fc.oneof(...operations.map(({ method, path, operation }) => requestOf(method, path, operation)))
}

export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const agent = new Agent({ keepAlive: true })

// The path as it is written: fetch would tidy it up.
export function sendAsWritten(
  url: string,
  { method, path, headers, body }: Omit<HostileRequest, 'operationId'>,
): Promise<Answered> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { host, port, method, path, headers: { ...headers, ...length }, agent }
    const request = httpRequest(options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    request.on('error', reject)
    request.end(body)
  })
}

// Bytes as sent, bytes as answered, until the connection closes.
export function sendBytes(url: string, bytes: string, from = '127.0.0.1'): Promise<string> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), localAddress: from }, () =>
      socket.write(Buffer.from(bytes, 'latin1')),
    )
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })
}
