import { createRequire } from 'node:module'
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler'

type Serializer = ReturnType<ReturnType<SerializerFactory>>
type Compiler = typeof import('@fastify/fast-json-stringify-compiler')

// Fastify wants a serializer at once, so an `import()` is no way to load the compiler late.
const require = createRequire(import.meta.url)

export const loadCompiler = (): Compiler => require('@fastify/fast-json-stringify-compiler')

// Most answers of most operations are the same few refusals, and compiling a serializer for each was half of the time
// that the server takes to start. A serializer depends on the shape alone: one per shape is compiled, with its first answer.
const byShape = new Map<string, Serializer>()

export const buildSerializer: SerializerFactory = (externalSchemas, options) => {
  let compile: ReturnType<SerializerFactory> | undefined
  const load = () => {
    return loadCompiler().SerializerSelector()(externalSchemas, options)
  }
  // What a $ref to a schema of its own means is not in the text.
  const hasOthers = Object.keys((externalSchemas as object | undefined) ?? {}).length > 0
  return (route) => {
    let serializer: Serializer | undefined
    const make = (): Serializer => {
      compile ??= load()
      if (hasOthers) return compile(route)
      const shape = JSON.stringify(route.schema, withoutNotes)
      const known = byShape.get(shape) ?? compile(route)
      byShape.set(shape, known)
      return known
    }
    return (answer) => {
      serializer ??= make()
      return serializer(answer)
    }
  }
}

// A description is a text and examples are a list; a property of either name is a schema, and stays.
function withoutNotes(key: string, value: unknown): unknown {
  const isNote =
    (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value))
  return isNote ? undefined : value
}
