import type { ErrorCode } from '../../../../contract/member.gen.ts'

// An error code of the contract, or `offline` when no answer came.
export class Refusal extends Error {
  readonly code: ErrorCode | 'offline'
  readonly retryAfterSeconds: number | undefined
  // Whom to ask, where only a person can help.
  readonly contact: string | undefined

  constructor(code: ErrorCode | 'offline', retryAfterSeconds?: number, contact?: string) {
    super(code)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.contact = contact
  }
}

export function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('offline')
}

const OUTCOME_UNKNOWN = new Set(['offline', 'service_unavailable', 'request_timeout', 'internal_error'])

// The service may have done the work and its answer got lost. A retry must carry the same request id.
export function isOutcomeUnknown({ code }: Refusal): boolean {
  return OUTCOME_UNKNOWN.has(code)
}
