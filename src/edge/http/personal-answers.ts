import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refuseForeign } from '#edge/http/foreign-origin.ts'
import type { Server } from '#edge/http/types.ts'

// For a scope whose answers are about people, asked by our own pages: no site may frame them or read them.
export function guardPersonal(
  scope: Server,
  deps: Pick<HttpDeps, 'own' | 'keyMode'>,
  watchProxy: (request: FastifyRequest) => void,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    watchProxy(request)
    // Before any route reads a body or a cookie, so that no route can forget it.
    refuseForeign(request, deps)
  })
}
