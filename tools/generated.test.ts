import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ERRORS } from '#edge/http/errors.ts'
import { createTestDatabase } from '#test/postgres.ts'
import {
  generateOpenApi,
  generateSchemaTypes,
  MEMBER_OPENAPI,
  MEMBER_TYPES,
  OPENAPI,
  SCHEMA_TYPES,
} from './generated.ts'
import { generateMemberTypes } from './member-types.ts'

// What is made from something else is committed, so that a change of it shows in review.
const STALE = 'is stale: run `npm run generate` and commit what it changes'

const ROOT = new URL('..', import.meta.url)

// Not assert.equal: a difference of two thousand lines hides its cause.
function assertFresh(file: URL, made: string): void {
  const kept = readFileSync(file, 'utf8').split('\n')
  const fresh = made.split('\n')
  const i = fresh.findIndex((line, index) => line !== kept[index])
  const line = i >= 0 ? i : fresh.length
  assert.ok(
    i < 0 && kept.length === fresh.length,
    `${file.pathname.slice(ROOT.pathname.length)} ${STALE}\nline ${line + 1} is  ${kept[line]}\nand would be ${fresh[line]}`,
  )
}

test('contract/openapi.json and member-openapi.json are what the routes say', async () => {
  const { partner, member } = await generateOpenApi()
  assertFresh(OPENAPI, partner)
  assertFresh(MEMBER_OPENAPI, member)
})

test("contract/member.gen.ts is what the member's schemas say", () => {
  assertFresh(MEMBER_TYPES, generateMemberTypes())
})

test('db/schema.gen.ts is what the migrations make', async () => {
  const database = await createTestDatabase()
  try {
    assertFresh(SCHEMA_TYPES, await generateSchemaTypes(database.url))
  } finally {
    await database.drop()
  }
})

interface Media {
  example?: unknown
  examples?: unknown
  schema?: { examples?: unknown[]; example?: unknown }
}
interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: (Media & { name: string; in: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description?: string; content?: Record<string, Media> }>
}
interface Document {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

const document = JSON.parse(readFileSync(OPENAPI, 'utf8')) as Document
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => METHODS.has(method))
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
// A status that several codes share is described by the first.
const MESSAGES = new Map<number, string>(
  Object.values(ERRORS)
    .toReversed()
    .map(({ status, message }) => [status, message]),
)
// Any call can meet these; one with a body can be too large or of the wrong type as well.
const ALWAYS = [400, 401, 403, 429, 500, 503]
const WITH_BODY = [413, 415]

const hasExample = ({ example, examples, schema }: Media) =>
  [example, examples, schema?.example, schema?.examples?.[0]].some((shown) => shown !== undefined)

test('the document is OpenAPI 3.1 and its operations have names of their own', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/)
  assert.ok(operations.length >= 3)
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
})

for (const { name, operation } of operations) {
  test(`${name} is named, described and placed`, () => {
    assert.ok(operation.operationId, 'operationId')
    assert.ok(operation.summary, 'summary')
    assert.ok(operation.tags?.length, 'tags')
    const known = document.tags.map((tag) => tag.name)
    assert.deepEqual(
      operation.tags?.filter((tag) => !known.includes(tag)),
      [],
    )
  })

  test(`${name} shows an example of what goes in and of what comes out`, () => {
    const inputs = [
      // An example of this one would be sent by every try-it, and the second would be a replay.
      ...(operation.parameters ?? [])
        .filter(({ name }) => name !== 'Idempotency-Key')
        .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter] as const),
      ...Object.entries(operation.requestBody?.content ?? {}),
    ]
    const answers = Object.entries(operation.responses['200']?.content ?? {})
    assert.ok(answers.length > 0, 'the 200 answer has a body')
    assert.deepEqual(
      [...inputs, ...answers].filter(([, media]) => !hasExample(media)).map(([where]) => where),
      [],
    )
  })

  test(`${name} documents its refusals as the catalogue has them`, () => {
    const documented = Object.keys(operation.responses).map(Number)
    const expected = operation.requestBody ? [...ALWAYS, ...WITH_BODY] : ALWAYS
    assert.deepEqual(
      expected.filter((status) => !documented.includes(status)),
      [],
    )
    for (const status of documented.filter((status) => status >= 400)) {
      const { description, content } = operation.responses[status]!
      assert.equal(description, MESSAGES.get(status))
      assert.deepEqual(content?.['application/json']?.schema?.examples, [{ error: MESSAGES.get(status) }])
      assert.ok(content?.['application/problem+json'])
    }
  })
}
