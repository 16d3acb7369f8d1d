import { ApiError } from '#edge/errors.ts'
import { isLocal } from '#edge/forwarding.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'

export function registerHealth(server: Server, deps: EdgeDeps, isDraining: () => boolean): void {
  server.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  server.get('/readyz', { schema: { hide: true } }, async () => {
    if (isDraining() || !(await deps.isReady())) throw new ApiError('service_unavailable')
    return { status: 'ready' }
  })
}

// Volumes are nobody else's business. Beside the API only a direct caller on this machine gets them; an address of their
// own (METRICS_ADDRESS) is for whoever can reach it.
export function registerMetrics(server: Server, { metrics }: EdgeDeps, to: 'this_machine' | 'anyone'): void {
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (to === 'this_machine' && !isLocal(request)) throw new ApiError('not_found')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
