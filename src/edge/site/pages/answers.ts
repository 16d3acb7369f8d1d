import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Html } from '#base/text/html.ts'

// No script, no resource from another host, forms to ourselves only.
export function policyFor(style: string): string {
  // The style stands inside the page. Its hash lets this very text through and no other.
  return (
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors"
  )
}

// The headers of every page, whatever happens to the request.
export function guardWith(
  policy: string,
  reply: FastifyReply,
  frameAncestors: readonly string[] = [],
): FastifyReply {
  return reply
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', `${policy} ${frameAncestors.join(' ') || "'none'"}`)
}

export function sendPage(reply: FastifyReply, status: number, page: Html): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page.text)
}
