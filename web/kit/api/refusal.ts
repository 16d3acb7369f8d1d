// An error code of an audience's contract, or `offline` when no answer came.
export class Refusal<Code extends string = string> extends Error {
  readonly code: Code | 'offline'
  readonly retryAfterSeconds: number | undefined
  // Whom to ask, where only a person can help.
  readonly contact: string | undefined
  // What was wrong with which part of the request.
  readonly details: readonly string[]

  constructor(code: Code | 'offline', retryAfterSeconds?: number, contact?: string, details: string[] = []) {
    super(code)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.contact = contact
    this.details = details
  }
}

export function refusalOf<Code extends string>(error: unknown): Refusal<Code> {
  return error instanceof Refusal ? error : new Refusal<Code>('offline')
}

const OUTCOME_UNKNOWN = new Set(['offline', 'service_unavailable', 'request_timeout', 'internal_error'])

// The service may have done the work and its answer got lost. A retry must carry the same request id.
export function isOutcomeUnknown({ code }: Refusal): boolean {
  return OUTCOME_UNKNOWN.has(code)
}
