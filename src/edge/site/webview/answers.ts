import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '#edge/http/language.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { imprint } from '#edge/site/legal/imprint.ts'
import { guardWith, policyFor, sendPage } from '#edge/site/pages/answers.ts'
import { noticePage } from '#edge/site/pages/notice.ts'
import { SHARED_STYLE } from '#edge/site/pages/style.ts'
import { NOTICES, type NoticeKind, refusedNotice } from './texts.ts'

const POLICY = policyFor(SHARED_STYLE)

// The headers of every answer under /webview. Once we know the partner, its own list says which sites may frame the
// answer.
export function guard(reply: FastifyReply, frameAncestors: readonly string[] = []): FastifyReply {
  return guardWith(POLICY, reply, frameAncestors)
}

// An address that cannot be decoded matches no route. If it begins like ours, it counts as a bad key.
export function isWebViewAddress(request: FastifyRequest): boolean {
  return request.url.startsWith('/webview/')
}

type Deps = Pick<SiteDeps, 'publicUrl' | 'operator' | 'contact'>

export function footOf({ operator, publicUrl }: Deps) {
  return imprint(operator, `${new URL(publicUrl).pathname.replace(/\/+$/, '')}/webview`)
}

export function sendNotice(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  kind: NoticeKind,
  contact?: string,
): FastifyReply {
  const around = { contact, foot: footOf(deps) }
  return sendPage(reply, status, noticePage(NOTICES[kind], languageOf(request), SHARED_STYLE, around))
}

// The member has refused this link. The member's holdings are unchanged, at our own address.
export function sendRefused(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const notice = refusedNotice(deps.publicUrl.replace(/\/+$/, ''), deps.contact)
  return sendPage(reply, 403, noticePage(notice, languageOf(request), SHARED_STYLE, { foot: footOf(deps) }))
}
