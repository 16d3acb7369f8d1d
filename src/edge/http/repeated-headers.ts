import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#edge/http/errors.ts'

// Of each there is one. Sent twice, the first counts for some readers and the last for others, or both are joined into a
// third that nobody meant: a proxy may have judged another request than the one we see.
const ONCE = ['Host', 'Authorization', 'Content-Type', 'Origin', 'Idempotency-Key']

export function refuseRepeatedHeaders(
  { raw }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  // As many names as headers: none is there twice.
  const each = raw.rawHeaders.length === 2 * Object.keys(raw.headers).length
  const twice = each ? [] : ONCE.filter((name) => (raw.headersDistinct[name.toLowerCase()]?.length ?? 0) > 1)
  const parts = twice.map((header) => ({ header, detail: 'must be sent once' }))
  done(parts.length === 0 ? undefined : new ApiError('invalid_request', parts))
}
