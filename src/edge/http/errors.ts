import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { areWritesStopped, classify } from '#base/db/errors.ts'
import { QueueFull } from '#base/queues/batch.ts'
import { TooManyOfOneKey } from '#base/queues/keyed-queue.ts'
import { type InvalidField, toInvalidField } from '#edge/http/invalid-fields.ts'
import { isMemberFrozen } from '#flows/kit/member-frozen.ts'

// The one catalogue of refusals: status and message of each code. contract/errors/<code>.md explains each to a
// partner.
export const ERRORS = {
  invalid_request: { status: 400, message: 'Invalid request' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  credit_limit_exceeded: { status: 402, message: 'Credit limit exceeded' },
  forbidden: { status: 403, message: 'Forbidden' },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  request_timeout: { status: 408, message: 'Request timeout' },
  conflict: { status: 409, message: 'Conflict' },
  request_too_large: { status: 413, message: 'Request too large' },
  unsupported_media_type: { status: 415, message: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, message: 'Idempotency key reused with a different request' },
  too_many_requests: { status: 429, message: 'Too many requests' },
  headers_too_large: { status: 431, message: 'Headers too large' },
  internal_error: { status: 500, message: 'Internal error' },
  service_unavailable: { status: 503, message: 'Service unavailable' },
  // Codes of the member's side.
  wrong_login: { status: 401, message: 'Wrong id or password' },
  passkey_failed: { status: 401, message: 'Passkey not accepted' },
  step_up_required: { status: 403, message: 'Identity verification required' },
  account_frozen: { status: 403, message: 'Account frozen' },
  under_age: { status: 403, message: 'Guardian consent required' },
  not_eligible: { status: 403, message: 'Not eligible' },
  card_not_registered: { status: 422, message: 'Card cannot be registered' },
  card_used: { status: 422, message: 'Card already registered' },
  card_already_yours: { status: 422, message: 'Card already registered by you' },
  card_expired: { status: 422, message: 'Card expired' },
  card_cancelled: { status: 422, message: 'Card cancelled' },
  card_refunded: { status: 422, message: 'Card already refunded' },
  card_still_valid: { status: 422, message: 'Card still valid' },
  refund_too_late: { status: 422, message: 'Refund deadline passed' },
  card_not_extendable: { status: 422, message: 'Card cannot be extended' },
  pin_mistyped: { status: 422, message: 'PIN mistyped' },
  wrong_code: { status: 422, message: 'Wrong code' },
  identity_failed: { status: 422, message: 'Identity not verified' },
  other_person: { status: 422, message: "Identity is another person's" },
  account_holder_differs: { status: 422, message: "Account is not the member's own" },
  weak_password: { status: 422, message: 'Password too weak' },
  login_id_taken: { status: 409, message: 'Login id taken' },
  already_member: { status: 409, message: 'Already a member' },
  quote_expired: { status: 409, message: 'Quote expired' },
  insufficient_balance: { status: 409, message: 'Insufficient balance' },
  withdrawals_stopped: { status: 403, message: 'Withdrawals stopped' },
  assets_remain: { status: 409, message: 'Assets remain' },
  amount_too_small: { status: 422, message: 'Amount too small' },
  prices_stale: { status: 503, message: 'Prices stale' },
  trading_stopped: { status: 503, message: 'Trading stopped' },
  // Codes of the console.
  proof_required: { status: 403, message: 'Proof of identity required' },
} as const

export type ErrorCode = keyof typeof ERRORS

// These answers name the contact.
const HELPED_BY_A_PERSON: readonly ErrorCode[] = [
  'account_frozen',
  'under_age',
  'card_used',
  'card_expired',
  'card_cancelled',
  'card_refunded',
  'refund_too_late',
]

// The cause of a refusal, for the log and the metrics; the caller learns less. The list is closed, because each is a
// label.
export type RefusalReason =
  | 'no_key'
  | 'not_a_key'
  | 'wrong_mode'
  | 'bad_checksum'
  | 'unknown_key'
  | 'wrong_secret'
  | 'key_revoked'
  | 'key_expired'
  | 'address_not_listed'
  | 'partner_not_listed'
  | 'other_partner'
  | 'scope_missing'
  | 'partner_suspended'
  | 'user_suspended'
  | 'credit_limit'
  | 'amount_out_of_bounds'
  | 'not_found'
  | 'key_taken'
  | 'other_key'
  | 'key_reused'
  | 'no_session'
  | 'session_over'
  | 'foreign_origin'
  | 'role_missing'

// Short, because an outage of the database usually ends within seconds.
const RETRY_AFTER_SECONDS = 1
// A move to another database takes minutes.
const MOVING_RETRY_AFTER_SECONDS = 30

// Thrown by every handler. The code decides status and message; `reason` is for the log only.
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly parts: readonly InvalidField[]
  readonly retryAfterSeconds: number | undefined
  reason: RefusalReason | undefined
  // True if the rest of the request was not checked yet: there may be more bad parts.
  isFirst = false

  constructor(code: ErrorCode, parts: readonly InvalidField[] = [], retryAfterSeconds?: number) {
    super(code)
    this.code = code
    this.parts = parts
    this.retryAfterSeconds =
      retryAfterSeconds ?? (code === 'service_unavailable' ? RETRY_AFTER_SECONDS : undefined)
  }

  because(reason: RefusalReason | undefined): this {
    this.reason = reason
    return this
  }

  amongOthers(): this {
    this.isFirst = true
    return this
  }
}

// A bad field that a POST has in its body and a GET in its query. `isTyped`: its name is not one of ours.
export function badField(request: FastifyRequest, name: string, detail: string, isTyped = false): ApiError {
  const part = request.method === 'POST' ? { pointer: `#/${name}`, detail } : { parameter: name, detail }
  return new ApiError('invalid_request', [isTyped ? { ...part, isTyped } : part])
}

// The only place that writes the header.
export function tellWhenToRetry(reply: FastifyReply, { retryAfterSeconds }: ApiError): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
}

// The only place that writes a refusal, so that all have one shape.
export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const { status, message } = ERRORS[error.code]
  reply.code(status)
  request.errorCode = error.code
  request.refusal = error
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="ingot"')
  tellWhenToRetry(reply, error)
  if (!wantsProblem(request)) {
    return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send({ error: message })
  }
  return reply
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      type: `${request.server.publicUrl}/errors/${error.code}`,
      title: message,
      status,
      code: error.code,
      requestId: request.id,
      ...(HELPED_BY_A_PERSON.includes(error.code) ? { contact: request.server.contact } : {}),
      ...(error.parts.length > 0 ? { errors: error.parts.map(({ isTyped: _, ...part }) => part) } : {}),
    })
}

// RFC 9457 is opt-in, because the interface promises the plain body.
function wantsProblem(request: FastifyRequest): boolean {
  return /application\/problem\+json(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.accept ?? '')
}

export function beingMoved(): ApiError {
  return new ApiError('service_unavailable', [], MOVING_RETRY_AFTER_SECONDS)
}

// Turns what the framework, a flow or the database threw into an answer.
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  // 429 and not 503: the service is not away, only this caller's own requests wait (decisions/0031).
  if (error instanceof TooManyOfOneKey) return new ApiError('too_many_requests', [], RETRY_AFTER_SECONDS)
  if (isMemberFrozen(error)) return new ApiError('account_frozen')
  // Before `classify`, which takes it for an outage that ends within seconds.
  if (areWritesStopped(error)) return beingMoved()
  const failure = classify(error)
  if (error instanceof QueueFull || failure === 'unavailable') return new ApiError('service_unavailable')
  // The schemas refuse what the database would refuse. If one lets a value through, it is still the caller's value.
  if (failure === 'bad_value') return new ApiError('invalid_request')
  const { validation, validationContext, statusCode } = error as Partial<FastifyError>
  if (validation) {
    return new ApiError(
      'invalid_request',
      validation.map((failure) => toInvalidField(failure, validationContext)),
    ).amongOthers()
  }
  if (statusCode === 413) return new ApiError('request_too_large')
  if (statusCode === 415) return new ApiError('unsupported_media_type')
  // Everything else that the framework blames on the request is malformed in some way.
  return new ApiError((statusCode ?? 500) < 500 ? 'invalid_request' : 'internal_error')
}
