import swagger from '@fastify/swagger'
import type { HttpDeps } from '#edge/http/deps.ts'
import { LICENSE, withComponents } from '#edge/http/openapi-document.ts'
import type { Server } from '#edge/http/types.ts'

export interface AudienceDocument {
  title: string
  description: string
  tags: { name: string; description: string }[]
  // The session's.
  cookie: { name: string; description: string }
}

declare module 'fastify' {
  interface FastifyInstance {
    audienceDocument(): object
  }
}

// The document of an audience whose callers are our own pages, who have a session.
export async function registerAudienceDocument(
  scope: Server,
  deps: Pick<HttpDeps, 'publicUrl' | 'version'>,
  { title, description, tags, cookie }: AudienceDocument,
): Promise<void> {
  await scope.register(swagger, {
    // A name of its own, because the partner's document has the library's default name.
    decorator: 'audienceDocument',
    openapi: {
      openapi: '3.1.0',
      info: { title, version: deps.version, license: LICENSE, description },
      servers: [{ url: deps.publicUrl }],
      tags,
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', ...cookie } } },
      security: [{ session: [] }],
    },
  })
  // Made at the first request, when every route is registered, and kept: it does not change while the process runs.
  let document: object | undefined
  scope.get('/openapi.json', { schema: { hide: true } }, async () => {
    document ??= withComponents(scope.audienceDocument())
    return document
  })
}
