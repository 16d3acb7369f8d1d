import { PRIVATE_NETWORKS } from '#base/networks.ts'
import { ApiError } from '#edge/errors.ts'
import { isForwarded } from '#edge/forwarding.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'

export function registerHealth(server: Server, deps: EdgeDeps, isDraining: () => boolean): void {
  server.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  server.get('/readyz', { schema: { hide: true } }, async () => {
    if (isDraining() || !(await deps.isReady())) throw new ApiError('service_unavailable')
    return { status: 'ready' }
  })

  // Volumes are nobody else's business: only a direct caller on this machine or network gets them, and a
  // request that came through a proxy comes from elsewhere.
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (isForwarded(request) || !PRIVATE_NETWORKS.has(request.socket.remoteAddress ?? ''))
      throw new ApiError('not_found')
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics())
  })
}
