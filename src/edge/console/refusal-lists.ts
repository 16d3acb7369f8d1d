import type { ErrorCode } from '#edge/http/errors.ts'

// What any route behind a permission may answer.
export const STAFF_ONLY = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

// The same for one with a body.
export const STAFF_BODY = [
  ...STAFF_ONLY,
  'request_timeout',
  'request_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[]

// Of a route without a session.
export const OPEN_ONLY = [
  'invalid_request',
  'forbidden',
  'method_not_allowed',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

export const OPEN_BODY = [
  ...OPEN_ONLY,
  'request_timeout',
  'request_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[]
