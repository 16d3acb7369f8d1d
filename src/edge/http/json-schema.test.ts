import assert from 'node:assert/strict'
import { test } from 'node:test'
import TypeBox from 'typebox'
import { Type } from '#edge/http/json-schema.ts'

// The same schemas by either builder.
const examples = (build: typeof Type) => ({
  options: build.String({ minLength: 1, description: 'a text' }),
  nothing: build.Object({}),
  object: build.Object(
    {
      text: build.String(),
      whole: build.Integer({ minimum: 1 }),
      fraction: build.Optional(build.Number({ description: 'may be absent' })),
      yes: build.Boolean(),
      list: build.Optional(build.Array(build.String(), { maxItems: 3 })),
    },
    { description: 'an object', 'x-name': 'Thing' },
  ),
  union: build.Union([build.Literal('a'), build.Literal(1), build.Literal(true), build.Null()], {
    examples: ['a'],
  }),
  choice: build.Enum(['a', 'b'], { type: 'string' }),
  spread: build.Object({ text: { ...build.Optional(build.String()), description: 'required again' } }),
})

test('a schema has the fields of the same TypeBox schema, in the same order', () => {
  assert.equal(JSON.stringify(examples(Type)), JSON.stringify(examples(TypeBox)))
})
