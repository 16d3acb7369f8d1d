import type { FastifyReply, FastifyRequest } from 'fastify'
import { classify, failureFields } from '#base/db/errors.ts'
import { type LogFields, stackOf } from '#base/log.ts'
import type { AnswerHeaders } from '#edge/http/answer-headers.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError, type ErrorCode, sendError, tellWhenToRetry, toApiError } from '#edge/http/errors.ts'
import { gatherInvalidFields } from '#edge/http/invalid-fields.ts'
import { causeOf, recordOf, routeOf } from '#edge/http/request-record.ts'
import type { Server } from '#edge/http/types.ts'

// What hooks and handlers note about a request (types.ts), before they do.
export const NOTES = {
  caller: null,
  listedBy: null,
  errorCode: null,
  refusal: null,
  traceId: null,
  receivedAt: 0,
  about: null,
  memberId: null,
  knownPath: null,
  answered: false,
  hungUpAfter: null,
} as const

// Node knows some thirty other methods. One label for all of them keeps callers from creating labels.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const HUNG_UP = 499 // what other servers log for it; nobody ever receives it

// For a request whose path cannot be read: the framework runs no hooks on it.
type FollowBroken = (request: FastifyRequest, reply: FastifyReply) => void

// One log line and one measurement for each request, and the cause of every answer that is our fault. The hooks are
// not async: they run on every request, and a promise each would be a large part of a small answer's cost.
export function registerRequestLog(
  server: Server,
  deps: Pick<HttpDeps, 'log' | 'metrics' | 'recordRequest'>,
  { everyAnswer, isDraining }: { everyAnswer: AnswerHeaders; isDraining: () => boolean },
): FollowBroken {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer).header('x-request-id', request.id)
    request.receivedAt = performance.now()
    // The caller hung up before its answer. The act may be done all the same, and support will be asked about it. The
    // framework reports only callers that leave before their request is complete.
    reply.raw.on('close', () => {
      if (reply.raw.writableFinished) return
      request.hungUpAfter = performance.now() - request.receivedAt
      tell(request, HUNG_UP, request.hungUpAfter)
      // If the handler still runs, `onSend` keeps the record: only then is it known what was done.
      if (request.answered) keep(request, HUNG_UP, request.hungUpAfter)
    })
    done()
  })

  // Set when the answer leaves, because the request may have arrived before the draining began.
  server.addHook('onSend', (request, reply, payload, done) => {
    // Otherwise a client sends its next request on a connection that is about to close.
    if (isDraining()) reply.header('connection', 'close')
    else if (reply.statusCode === 413 && isSoonOver(request)) reply.removeHeader('connection')
    request.answered = true
    // Now it is known what became of it, and of which object.
    if (request.hungUpAfter !== null) keep(request, HUNG_UP, request.hungUpAfter)
    done(null, payload)
  })

  function tell(request: FastifyRequest, status: number, ms: number): void {
    const fields = describe(request)
    const labels = { route: fields.route ?? '', method: methodOf(request), status }
    deps.metrics.httpSeconds.observe(labels, ms / 1000)
    if (request.refusal) deps.metrics.refusals.inc(labelsOf(request.refusal))
    fields.status = status
    fields.ms = Math.round(ms * 100) / 100
    deps.log.info('request', fields)
  }

  function keep(request: FastifyRequest, status: number, ms: number): void {
    const record = recordOf(request, { method: methodOf(request), status, ms })
    if (record) deps.recordRequest(record)
  }

  server.addHook('onResponse', (request, reply, done) => {
    tell(request, reply.statusCode, reply.elapsedTime)
    keep(request, reply.statusCode, reply.elapsedTime)
    done()
  })

  server.setErrorHandler((error, request, reply) => {
    const answer = reportError(deps, error, request)
    return answer.isFirst ? sendAll(request, reply, answer) : sendError(request, reply, answer)
  })

  return (request, reply) => {
    Object.assign(request, NOTES)
    request.receivedAt = performance.now()
    reply.headers(everyAnswer).header('x-request-id', request.id)
    if (isDraining()) reply.header('connection', 'close')
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : HUNG_UP
      const ms = performance.now() - request.receivedAt
      tell(request, status, ms)
      keep(request, status, ms)
    })
  }
}

// The framework closes the connection under a body that it refuses. A proxy that still sends then sees a lost connection instead
// of the answer. A body that says it is short is read to its end and thrown away.
const SOON_OVER_BYTES = 64 * 1024
const isSoonOver = ({ headers }: FastifyRequest) => Number(headers['content-length']) <= SOON_OVER_BYTES

function labelsOf({ code, reason, parts }: ApiError) {
  return { code, reason: reason ?? (parts.length > 0 ? 'bad_fields' : 'none') }
}

const methodOf = ({ method }: FastifyRequest) => (METHODS.has(method) ? method : 'OTHER')

// Looks for the other bad parts first, so that the caller can correct all of them at once.
async function sendAll(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ApiError,
): Promise<FastifyReply> {
  const parts = await gatherInvalidFields(request, answer.parts)
  return sendError(request, reply, new ApiError(answer.code, parts))
}

// Turns an error into its answer. The cause goes into the log if it is our fault.
function reportError(deps: Pick<HttpDeps, 'log'>, error: unknown, request: FastifyRequest): ApiError {
  // A body that breaks off is a lost connection of the caller, not of the database.
  const brokeOff = request.raw.errored !== null || request.raw.readableAborted
  const answer = brokeOff ? new ApiError('invalid_request') : toApiError(error)
  const fields = { ...describe(request), ...failureFields(error) }
  if (answer.code === 'internal_error') deps.log.error('failed', { ...fields, stack: stackOf(error) })
  if (answer.code === 'service_unavailable') deps.log.warn('unavailable', fields)
  // Answered as the caller's mistake. The schema should have refused it earlier, so the log has a warning.
  if (classify(error) === 'bad_value')
    deps.log.warn('value refused by the database', { ...fields, stack: stackOf(error) })
  return answer
}

// The same where the answer is a page, whose text follows from the code.
export function reportOnPage(
  deps: Pick<HttpDeps, 'log'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorCode {
  const answer = reportError(deps, error, request)
  request.errorCode = answer.code
  tellWhenToRetry(reply, answer)
  return answer.code
}

// Never the URL or a body: both may contain a person's data. The route's pattern is enough.
function describe(request: FastifyRequest): LogFields {
  const fields: LogFields = {
    requestId: request.id,
    method: request.method,
    route: routeOf(request),
  }
  if (request.caller) {
    fields.partner = request.caller.partner.code
    if (request.caller.keyId !== null) fields.keyId = request.caller.keyId
  }
  if (request.errorCode) fields.code = request.errorCode
  const cause = causeOf(request)
  if (cause) fields.reason = cause
  if (request.traceId) fields.traceId = request.traceId
  return fields
}
