import { ApiError } from '#edge/http/errors.ts'
import { isLocal } from '#edge/http/forwarding.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'

const STOPPING = { ready: false, because: 'stopping' } as const

// `/healthz` never asks the database: a restart would not repair it. `/readyz` does.
export function registerHealth(
  server: Server,
  deps: Pick<SiteDeps, 'readiness'>,
  isDraining: () => boolean,
): void {
  server.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  server.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    // During a stop the answer is known, so the database is not asked.
    const readiness = isDraining() ? STOPPING : await deps.readiness()
    // What the worker does is shown and changes no status: the API serves without it (decisions/0027).
    if (readiness.ready) return { status: 'ready', worker: readiness.worker }
    // Refusals have one field in their body, so the reason is a header.
    reply.header('x-not-ready', readiness.because)
    throw new ApiError('service_unavailable')
  })
}

// Volumes are confidential. On the API's port only a direct caller on this machine gets them. METRICS_ADDRESS serves
// every caller that reaches it.
export function registerMetrics(
  server: Server,
  { readMetrics }: Pick<SiteDeps, 'readMetrics'>,
  to: 'this_machine' | 'anyone',
): void {
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (to === 'this_machine' && !isLocal(request)) throw new ApiError('not_found')
    const { contentType, text } = await readMetrics()
    return reply.type(contentType).send(text)
  })
}
