import { ApiError } from '#edge/http/errors.ts'
import { isLocal } from '#edge/http/forwarding.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'

const STOPPING = { ready: false, because: 'stopping' } as const

export function registerHealth(
  server: Server,
  deps: Pick<SiteDeps, 'readiness'>,
  isDraining: () => boolean,
): void {
  server.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  server.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const readiness = isDraining() ? STOPPING : await deps.readiness()
    if (readiness.ready) return { status: 'ready', worker: readiness.worker }
    // Refusals have one field in their body, here too.
    reply.header('x-not-ready', readiness.because)
    throw new ApiError('service_unavailable')
  })
}

// Volumes are nobody else's business. Beside the API only a direct caller on this machine gets them; an address of their
// own (METRICS_ADDRESS) is for whoever can reach it.
export function registerMetrics(
  server: Server,
  { metrics }: Pick<SiteDeps, 'metrics'>,
  to: 'this_machine' | 'anyone',
): void {
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (to === 'this_machine' && !isLocal(request)) throw new ApiError('not_found')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
