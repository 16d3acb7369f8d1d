import type { ErrorCode } from '#edge/http/errors.ts'

// Refusals that many endpoints share, for the document.
export const ANY: ErrorCode[] = ['invalid_request', 'internal_error', 'service_unavailable']
// Of an endpoint with a body that needs no session.
export const OPEN_BODY: ErrorCode[] = ['forbidden', 'request_too_large', 'unsupported_media_type', ...ANY]
export const BODY: ErrorCode[] = ['account_frozen', ...OPEN_BODY]
export const SIGNED_IN: ErrorCode[] = ['unauthorized', 'too_many_requests', ...ANY]
export const ACT: ErrorCode[] = ['unauthorized', 'too_many_requests', ...BODY]
// Of an endpoint that may ask for the identity to be verified first.
export const TRUSTED: ErrorCode[] = ['step_up_required', ...ACT]
