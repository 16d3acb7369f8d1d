import type { FastifyRequest } from 'fastify'
import { failureFields } from '#base/db-errors.ts'
import { type LogFields, stackOf } from '#base/log.ts'
import { sendError, toApiError } from '#edge/errors.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'

// One line and one measurement per request, and the cause behind every answer that is our fault.
export function registerRequestLog(server: Server, deps: EdgeDeps): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })

  server.addHook('onResponse', async (request, reply) => {
    const ms = reply.elapsedTime
    const fields = describe(request)
    deps.metrics.httpSeconds.observe(
      { route: fields.route ?? '', method: request.method, status: reply.statusCode },
      ms / 1000,
    )
    deps.log.info('request', { ...fields, status: reply.statusCode, ms: Math.round(ms * 100) / 100 })
  })

  server.setErrorHandler((error, request, reply) => {
    const answer = toApiError(error)
    const fields = { ...describe(request), ...failureFields(error) }
    if (answer.code === 'internal_error') deps.log.error('failed', { ...fields, stack: stackOf(error) })
    if (answer.code === 'service_unavailable') deps.log.warn('unavailable', fields)
    return sendError(request, reply, answer)
  })
}

function describe(request: FastifyRequest): LogFields {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unmatched',
    ...(request.caller ? { partner: request.caller.partnerCode, keyId: request.caller.keyId } : {}),
    ...(request.errorCode ? { code: request.errorCode } : {}),
  }
}
