import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { ERRORS } from '#edge/http/errors.ts'
import { dereference, type Media, type OpenApi, operationsOf } from '#test/openapi.ts'
import {
  firstDifference,
  meaningOf,
  readConsoleDocument,
  readDocuments,
  readRecording,
} from './contract-meaning.ts'

const documents = readDocuments()
const all = Object.entries({ ...documents, console: readConsoleDocument() })

const MEANT =
  'The contract has changed. If that is meant: `npm run record-contract`, and commit what it changes.'

const meaning = (given: readonly OpenApi[]) => JSON.parse(JSON.stringify(meaningOf(given)))

test('the documents promise what was recorded', () => {
  const difference = firstDifference(readRecording(), meaning(Object.values(documents)))
  assert.equal(difference, undefined, `${MEANT}\n${difference}`)
})

test('a promise that changes is found, wherever it is kept', () => {
  const before = meaning([documents.partner])
  const changes: ((document: OpenApi) => unknown)[] = [
    ({ components }) => delete components.schemas.GiftCard!.properties!.valid,
    ({ components }) => components.schemas.Purchase!.required!.pop(),
    ({ components }) => delete components.responses.InvalidRequest!.content['application/problem+json'],
    ({ paths }) => paths['/v2/partner/usage']!.get!.parameters!.pop(),
    ({ components }) => delete components.responses.InvalidRequest!.content['application/json']!.examples,
    (document) => Object.assign(document, { security: [] }),
  ]
  for (const change of changes) {
    const changed = structuredClone(documents.partner)
    change(changed)
    assert.ok(firstDifference(before, meaning([changed])), String(change))
  }
})

// Every object in a document, with the names that lead to it.
function* within(
  value: unknown,
  path: string[] = [],
): Generator<[path: string[], one: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value as Record<string, unknown>]
  for (const [name, part] of Object.entries(value)) yield* within(part, [...path, name])
}

for (const [name, document] of all) {
  test(`${name}: every object has a name, and no schema says "x-name"`, () => {
    const unnamed = [...within(document)].filter(
      ([path, { type }]) => type === 'object' && path.slice(0, -1).join('/') !== 'components/schemas',
    )
    assert.deepEqual(
      unnamed.map(([path]) => path.join('/')),
      [],
      "give it a name: object('Name', { … })",
    )
    assert.doesNotMatch(JSON.stringify(document), /x-(?:answer-)?name/)
  })

  test(`${name}: every reference leads to a component, never inside one`, () => {
    for (const [path, { $ref, ...beside }] of within(document)) {
      if ($ref === undefined) continue
      assert.deepEqual(beside, {}, `${path.join('/')}: many tools ignore what stands beside a reference`)
      assert.match(
        String($ref),
        /^#\/components\/(?:schemas|responses|parameters|headers)\/\w+$/,
        path.join('/'),
      )
    }
    dereference(document, document)
  })

  test(`${name}: every refusal is shared, and each of its codes has a page`, () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const written = Object.entries(operation.responses).filter(
        ([status, answer]) => Number(status) >= 400 && !('$ref' in answer),
      )
      assert.deepEqual(written, [], `${method} ${path}`)
    }
    for (const { content } of Object.values(document.components.responses)) {
      for (const code of Object.keys(content['application/json']!.examples!)) {
        assert.ok(code in ERRORS, code)
        assert.ok(existsSync(new URL(`../contract/errors/${code}.md`, import.meta.url)), code)
      }
    }
  })
}

const document = dereference(documents.partner, documents.partner)
const operations = operationsOf(document).map(({ method, path, operation }) => ({
  name: `${method.toUpperCase()} ${path}`,
  operation,
}))
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
  [example, examples, schema.examples?.[0]].some((shown) => shown !== undefined)

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
      const shown = Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value)
      assert.deepEqual(shown, [{ error: MESSAGES.get(status) }])
      assert.ok(content?.['application/problem+json'])
    }
  })
}
