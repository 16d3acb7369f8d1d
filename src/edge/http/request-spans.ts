import type { FastifyRequest } from 'fastify'
import { beginSpan, isTracing, type OpenSpan, within } from '#base/tracing.ts'
import { withoutPort } from '#edge/http/caller.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { routeOf } from '#edge/http/request-record.ts'
import type { Server } from '#edge/http/types.ts'

// A span for each request, with what it asked of the database and of providers below it. Nothing is registered if no
// traces are wanted.
export function registerRequestSpans(
  server: Server,
  { trustedProxies }: Pick<HttpDeps, 'trustedProxies'>,
): void {
  if (!isTracing()) return
  const spans = new WeakMap<FastifyRequest, OpenSpan>()

  server.addHook('onRequest', (request, reply, done) => {
    const span = beginSpan(request.method, isTrusted(request) ? traceparentOf(request) : undefined)
    if (!span) return done()
    spans.set(request, span)
    // Also if the caller hangs up.
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : 499
      span.end(
        {
          'http.request.method': request.method,
          'http.route': routeOf(request),
          'http.response.status_code': status,
          'ingot.request_id': request.id,
          ...(request.caller ? { 'ingot.partner': request.caller.partner.code } : {}),
        },
        status >= 500,
      )
    })
    // What runs inside finds the span, so queries become its children.
    within(span, done)
  })

  // The body arrives by events of the connection, which know nothing of the span.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) within(span, done)
    else done()
  })

  // A stranger's header could join any trace, or have every request of theirs traced.
  function isTrusted({ socket }: FastifyRequest): boolean {
    return trustedProxies.has(withoutPort(socket.remoteAddress ?? ''))
  }
}

function traceparentOf({ headers }: FastifyRequest): string | undefined {
  const { traceparent } = headers
  return typeof traceparent === 'string' ? traceparent : undefined
}
