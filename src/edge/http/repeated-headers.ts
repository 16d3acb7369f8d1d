import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#edge/http/errors.ts'

// A request has one of each. If one is sent twice, some readers take the first, some the last, and some join both.
// Then a proxy may have checked another request than the one we see.
const ONCE = ['Host', 'Authorization', 'Content-Type', 'Origin', 'Idempotency-Key']

export function refuseRepeatedHeaders(
  { raw }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  // As many names as headers: none is repeated.
  const each = raw.rawHeaders.length === 2 * Object.keys(raw.headers).length
  const twice = each ? [] : ONCE.filter((name) => (raw.headersDistinct[name.toLowerCase()]?.length ?? 0) > 1)
  const parts = twice.map((header) => ({ header, detail: 'must be sent once' }))
  done(parts.length === 0 ? undefined : new ApiError('invalid_request', parts))
}
