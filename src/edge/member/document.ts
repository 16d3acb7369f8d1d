import swagger from '@fastify/swagger'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { Server } from '#edge/http/types.ts'

const TAGS = [
  'Session',
  'Identity',
  'Cards',
  'Prices',
  'Trading',
  'Assets',
  'Withdrawals',
  'Links',
  'Account',
]

declare module 'fastify' {
  interface FastifyInstance {
    memberDocument(): unknown
  }
}

// The member's side in a document of its own: partners do not call it, and the pages' types are made from its schemas.
export async function registerMemberDocument(
  scope: Server,
  deps: Pick<HttpDeps, 'publicUrl' | 'version'>,
): Promise<void> {
  await scope.register(swagger, {
    decorator: 'memberDocument',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ingot member API',
        version: deps.version,
        description:
          'What the member pages ask. `/webview/member` has the same operations for a web view, but for those of the ' +
          'account. Every call that changes something comes from our own pages. Errors are as in the partner API.',
      },
      servers: [{ url: deps.publicUrl }],
      tags: TAGS.map((name) => ({ name })),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'ingot_member',
            description: 'Under https `__Host-ingot_member`, or `__Secure-ingot_member` behind a path.',
          },
        },
      },
      security: [{ session: [] }],
    },
    transform: ({ schema, url }) => ({ schema: schema && named(schema), url }),
  })
  let document: unknown
  scope.get('/openapi.json', { schema: { hide: true } }, async () => {
    document ??= withComponents(scope.memberDocument() as Document)
    return document
  })
}

interface Document {
  components?: object
  paths?: unknown
}

const NAME = 'x-name'

// The library drops the names of schemas; under another one they get through.
function named<Value>(value: Value): Value {
  return mapped(value, (one) => (typeof one.$id === 'string' ? { ...one, [NAME]: one.$id } : one)) as Value
}

// Schemas that have a name stand once, under it, and are referred to.
function withComponents(document: Document): Document {
  const schemas: Record<string, unknown> = {}
  const paths = mapped(document.paths, ({ [NAME]: name, ...schema }) => {
    if (typeof name !== 'string') return schema
    schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  })
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, components: { ...document.components, schemas: sorted }, paths }
}

// Every object in it, from the inside out.
function mapped(value: unknown, change: (one: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change))
  if (value === null || typeof value !== 'object') return value
  return change(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapped(part, change)])))
}
