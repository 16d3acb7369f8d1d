import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { repeatsProperty } from '#base/text/json.ts'
import { ApiError } from '#edge/http/errors.ts'
import type { Server } from '#edge/http/types.ts'

// Applies to every route with a body. We would read a compressed body as it is and misunderstand it.
export const jsonBody = { preParsing: refuseEncodedBody }

// 415 rather than 400: the caller can send the same body uncompressed.
function refuseEncodedBody(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: (error?: Error) => void,
): void {
  const encoding = request.headers['content-encoding']
  done(
    encoding === undefined || encoding.toLowerCase() === 'identity'
      ? undefined
      : new ApiError('unsupported_media_type'),
  )
}

const TWICE = { pointer: '#', detail: 'must not name a member twice' }

// Reads the text again, with the members that the parser removes (`__proto__`) and without the byte order mark that
// it skips.
function isMemberTwice(text: string): boolean {
  const whole = text.replace(/^\uFEFF/, '')
  return repeatsProperty(whole, JSON.parse(whole))
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i
const READ_AS_IT_IS = new Set([undefined, 'utf-8', 'utf8', 'us-ascii'])

// JSON is UTF-8. Another encoding read as UTF-8 would put question marks into people's names.
export function acceptJson(server: Server): void {
  // Fields that the interface does not name are ignored, whatever their name.
  const parse = server.getDefaultJsonParser('remove', 'remove')
  const parseOnce: typeof parse = (request, text, done) =>
    parse(request, text, (error, value) => {
      // The count over the parsed value is quick and nearly always clears the body. Only a doubt parses it a second time.
      const twice = !error && repeatsProperty(text, value) && isMemberTwice(text)
      done(twice ? new ApiError('invalid_request', [TWICE]) : error, value)
    })
  server.removeContentTypeParser(['application/json', 'text/plain'])
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase()
    // A call without a body may declare any content type.
    if (body.length === 0) done(null, undefined)
    else if (!READ_AS_IT_IS.has(charset)) done(new ApiError('unsupported_media_type'))
    else if (isUtf8(body)) parseOnce(request, body.toString('utf8'), done)
    else done(new ApiError('invalid_request', [{ pointer: '#', detail: 'must be UTF-8' }]))
  })
  // Some clients declare a form where an operation takes no body and they send none.
  server.addContentTypeParser('*', (request, _body, done) => {
    const takesNone = request.routeOptions.schema?.body === undefined
    const isEmpty = request.headers['content-length'] === '0'
    done(takesNone && isEmpty ? null : new ApiError('unsupported_media_type'), undefined)
  })
}
