import type { Type as TypeBox } from 'typebox'

// TypeBox's types over a builder of our own. A schema is a plain object, and we use eleven of TypeBox's hundred types: loading
// them all was a sixth of the time that the server takes to start. json-schema.test.ts compares the two.
type Used =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'

type Schema = Record<string, unknown>

// Kept beside the schemas: an object asks which of its properties it requires, and a document shows nothing of it.
const optional = new WeakSet<object>()

const simple = (type: string) => (options?: Schema) => ({ type, ...options })

function object(properties: Record<string, Schema>, options?: Schema) {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!))
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
}

function asOptional(schema: Schema) {
  // A copy, because schemas are shared: a mark on the original would make it optional everywhere.
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

const builder = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: simple('boolean'),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: simple('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: simple('null'),
  Number: simple('number'),
  Object: object,
  Optional: asOptional,
  String: simple('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
}

export const Type = builder as unknown as Pick<typeof TypeBox, Used>
