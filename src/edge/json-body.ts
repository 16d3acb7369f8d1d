import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#edge/errors.ts'

// For every route that takes a body. We would read a compressed one as it is, and not understand it.
export const jsonBody = { preParsing: refuseEncodedBody }

function refuseEncodedBody(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: (error?: Error) => void,
): void {
  const encoding = request.headers['content-encoding']
  done(encoding === undefined || encoding === 'identity' ? undefined : new ApiError('unsupported_media_type'))
}
