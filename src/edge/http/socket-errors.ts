import type { Socket } from 'node:net'
import { newRequestId } from '#base/ids.ts'
import type { AnswerHeaders } from '#edge/http/answer-headers.ts'
import { ERRORS, type ErrorCode } from '#edge/http/errors.ts'

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

// Requests that are too broken to become one: headers too large, not HTTP, not finished in time. The answer is
// written by hand, in the same shape as every other.
export function createBrokenRequestAnswer(everyAnswer: AnswerHeaders) {
  const headers = Object.entries(everyAnswer)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return (error: NodeJS.ErrnoException, socket: Socket) => answerBrokenRequest(headers, error, socket)
}

function answerBrokenRequest(headers: string, error: NodeJS.ErrnoException, socket: Socket): void {
  // An answer under way belongs to an earlier, good request. The caller would take ours for it.
  const { _httpMessage: answer } = socket as { _httpMessage?: { req?: { complete: boolean } } | null }
  const answering = answer?.req?.complete === true
  if (error.code === 'ECONNRESET' || !socket.writable || answering) {
    socket.destroy()
    return
  }
  const { status, message } = ERRORS[codeOf(error)]
  const body = JSON.stringify({ error: message })
  // This never became a request of the framework, so its id and headers are written here.
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${newRequestId()}\r\n${headers}` +
      `Connection: close\r\n\r\n${body}`,
  )
}

// Node's own codes of the HTTP parser, as codes of our catalogue.
function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  if (error.code === REQUEST_TIMEOUT) return 'request_timeout'
  return 'invalid_request'
}
