import type { TEnumValue, TObjectOptions, TProperties, TSchemaOptions } from 'typebox'
import { Type } from '#edge/http/json-schema.ts'

// The name under which a schema stands in a document's components. Not `$id`: Ajv and fast-json-stringify act on that one,
// and refuse a schema that holds the same `$id` twice.
export const NAME = 'x-name'
// The same for an answer, beside the schema of its first media type.
export const ANSWER_NAME = 'x-answer-name'

// Every object that goes in or comes out has a name; parameters have their own.
export function object<Properties extends TProperties>(
  name: string,
  properties: Properties,
  options: TObjectOptions = {},
) {
  return Type.Object(properties, { ...options, [NAME]: name })
}

// One of a few words.
export function choice<Values extends TEnumValue[]>(
  name: string,
  values: readonly [...Values],
  options: TSchemaOptions = {},
) {
  return Type.Enum(values, { type: 'string', ...options, [NAME]: name })
}
