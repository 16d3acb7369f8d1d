// The parts of an OpenAPI document that ours are made of.

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  examples?: unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Parameter extends Media {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
}

export interface Operation {
  operationId: string
  summary?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description?: string; content?: Record<string, Media> }>
}

export interface OpenApi {
  openapi: string
  tags: { name: string }[]
  security: unknown
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, { content: Record<string, Media> }>
    headers?: Record<string, { required?: boolean }>
  }
}

export function operationsOf({ paths }: Pick<OpenApi, 'paths'>) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
}

// What a reference leads to; anything else is itself.
export function resolve<Value>(document: object, value: Value | { $ref: string }): Value {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as Value
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce((at: unknown, part) => (at as Record<string, unknown> | undefined)?.[part], document)
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`)
  return found as Value
}

// The same document with everything written out where it is used.
export function dereference<Value>(document: object, value: Value): Value {
  const resolved = resolve<unknown>(document, value)
  if (Array.isArray(resolved)) return resolved.map((one) => dereference(document, one)) as Value
  if (typeof resolved !== 'object' || resolved === null) return resolved as Value
  return Object.fromEntries(
    Object.entries(resolved).map(([name, part]) => [name, dereference(document, part)]),
  ) as Value
}
