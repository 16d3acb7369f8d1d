import { PRIVATE_NETWORKS } from '#base/networks.ts'
import { ApiError } from '#edge/errors.ts'
import { isForwarded } from '#edge/forwarding.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'

const STOPPING = { ready: false, because: 'stopping' } as const

export function registerHealth(server: Server, deps: EdgeDeps, isDraining: () => boolean): void {
  server.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  server.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const readiness = isDraining() ? STOPPING : await deps.readiness()
    if (readiness.ready) return { status: 'ready', worker: readiness.worker }
    // Refusals have one field in their body, here too.
    reply.header('x-not-ready', readiness.because)
    throw new ApiError('service_unavailable')
  })

  // Volumes are nobody else's business: only a direct caller on this machine or network gets them, and a
  // request that came through a proxy comes from elsewhere.
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (isForwarded(request) || !PRIVATE_NETWORKS.has(request.socket.remoteAddress ?? ''))
      throw new ApiError('not_found')
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics())
  })
}
