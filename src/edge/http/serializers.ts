import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Serializer = ReturnType<ReturnType<SerializerFactory>>

// Most answers of most operations are the same few refusals, and compiling a serializer for each was half of the time
// that the server takes to start. A serializer depends on the shape alone: one per shape is compiled.
const byShape = new Map<string, Serializer>()

export const buildSerializer: SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options)
  // What a $ref to a schema of its own means is not in the text.
  if (Object.keys((externalSchemas as object | undefined) ?? {}).length > 0) return compile
  return (route) => {
    const shape = JSON.stringify(route.schema, withoutNotes)
    const known = byShape.get(shape) ?? compile(route)
    byShape.set(shape, known)
    return known
  }
}

// A description is a text and examples are a list; a property of either name is a schema, and stays.
function withoutNotes(key: string, value: unknown): unknown {
  const isNote =
    (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value))
  return isNote ? undefined : value
}
