import swagger from '@fastify/swagger'
import type { EdgeDeps, Server } from '#edge/types.ts'

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
export async function registerMemberDocument(scope: Server, deps: EdgeDeps): Promise<void> {
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
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'ingot_member' } },
      },
      security: [{ session: [] }],
    },
  })
  let document: unknown
  scope.get('/openapi.json', { schema: { hide: true } }, async () => {
    document ??= withComponents(scope.memberDocument() as Document)
    return document
  })
}

interface Document {
  components?: { schemas?: Record<string, unknown> }
}

// Schemas that have a name stand once, under it, and are referred to.
function withComponents(document: Document): Document {
  const schemas: Record<string, unknown> = {}
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist)
    if (value === null || typeof value !== 'object') return value
    const { $id, ...rest } = value as Record<string, unknown>
    const inner = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, hoist(part)]))
    if (typeof $id !== 'string') return inner
    schemas[$id] = inner
    return { $ref: `#/components/schemas/${$id}` }
  }
  const whole = hoist({ ...document, components: { ...document.components, schemas: undefined } }) as Document
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...whole, components: { ...whole.components, schemas: sorted } }
}
