import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from './html.ts'
import { languageOf } from './language.ts'
import { noticePage } from './pages.ts'
import { STYLE } from './style.ts'
import type { NoticeKind } from './texts.ts'

// No script at all, no resource from anywhere, forms to ourselves only.
const POLICY =
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors"

// What every answer under /webview carries, whatever becomes of the request. Whose frames it may be shown in is
// the partner's own list, once we know the partner.
export function guard(reply: FastifyReply, frameAncestors: readonly string[] = []): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', `${POLICY} ${frameAncestors.join(' ') || "'none'"}`)
}

// An address that cannot be decoded finds no route; if it was meant for us, it is a bad key like any other.
export function isWebViewAddress(request: FastifyRequest): boolean {
  return request.url.startsWith('/webview/')
}

export function sendPage(reply: FastifyReply, status: number, page: Html): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page.text)
}

export function sendNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  kind: NoticeKind,
): FastifyReply {
  return sendPage(reply, status, noticePage(kind, languageOf(request)))
}
