import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type CookieSetting,
  cookieSetting,
  deviceCookie,
  devicesOf,
  sessionCookie,
  sessionsOf,
} from '#edge/http/cookies.ts'
import { ApiError, ERRORS, type ErrorCode } from '#edge/http/errors.ts'
import { chosenLanguage, languageOf } from '#edge/http/language.ts'
import { reportOnPage } from '#edge/http/request-log.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { registerLegal } from '#edge/site/legal/routes.ts'
import { sendPage } from '#edge/site/pages/answers.ts'
import { noticePage } from '#edge/site/pages/notice.ts'
import { SHARED_STYLE } from '#edge/site/pages/style.ts'
import { redirectToCanonical, sendNotFound } from '#edge/site/shell/not-found.ts'
import { PAGES, sendShell, WEB_VIEW_PAGES } from '#edge/site/shell/shell.ts'
import { deviceLabel } from '#modules/accounts/rules.ts'
import { footOf, guard, sendNotice, sendRefused } from './answers.ts'
import { elsewhere, type NoticeKind, withoutHome } from './texts.ts'

const NOTICE_OF: Partial<Record<ErrorCode, NoticeKind>> = {
  // One page for expired, used, unknown and malformed keys (decisions/0014).
  not_found: 'bad_key',
  internal_error: 'failed',
  service_unavailable: 'away',
}

const KEY = /^[\w-]{43}$/

const LEFT = 'left' // put into the address by the page after somebody signed out

// Pages for people: in this scope errors are pages too, and every answer is guarded.
export async function registerWebView(server: Server, deps: SiteDeps): Promise<void> {
  const cookie = cookieSetting(deps, 'web_view')
  await server.register(async (scope: Server) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      guard(reply)
      done()
    })
    scope.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply))
    registerEntry(scope, deps, cookie)
    registerShell(scope, deps, cookie)
    registerElsewhere(scope, deps, cookie)
    registerLegal(scope, deps, '/webview', async (request) => {
      const { frameAncestors } = await deps.continueSession('web_view', sessionsOf(request, cookie))
      return frameAncestors
    })
    const lost = { onRequest: turnProspectsAway, schema: { hide: true } }
    scope.get<{ Params: { '*': string } }>('/webview/*', lost, async (request, reply) => {
      if (redirectToCanonical(deps, request, reply)) return reply
      // It looks like a key with something behind it, so it gets the answer of a bad key.
      if (/^[\w-]{43,}(?:\/|$)/.test(request.params['*'])) throw new ApiError('not_found')
      // Called for the frame list: without it a partner's frame would stay blank.
      await isInside(deps, request, reply, cookie)
      return sendNotFound(deps, request, reply, '/webview')
    })
  })
}

function answerError(
  deps: SiteDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const code = reportOnPage(deps, error, request, reply)
  return sendNotice(deps, request, reply, ERRORS[code].status, NOTICE_OF[code] ?? 'wrong')
}

function registerEntry(scope: Server, deps: SiteDeps, cookie: CookieSetting): void {
  const options = { onRequest: turnProspectsAway, schema: { hide: true } }
  scope.get<{ Params: { hashKey: string } }>('/webview/:hashKey', options, async (request, reply) => {
    // `/webview/Assets` matches this route, too. A page was meant, and no key.
    if (redirectToCanonical(deps, request, reply)) return reply
    const outcome = await deps.enterWebView({
      hashKey: request.params.hashKey,
      sessions: sessionsOf(request, cookie),
      devices: devicesOf(request, cookie),
      deviceLabel: deviceLabel(request.headers['user-agent']),
      framed: isFramed(request),
    })
    // Only now is the partner known, and with it the sites that may frame the answer.
    guard(reply, outcome.frameAncestors)
    const who = { requestId: request.id, ...(outcome.partner ? { partner: outcome.partner } : {}) }
    if (outcome.kind === 'refused') {
      deps.log.info('web view refused', { ...who, reason: outcome.reason })
      if (outcome.reason === 'link_refused') return sendRefused(deps, request, reply)
      if (outcome.reason === 'member_frozen') return sendFrozen(deps, request, reply)
      // A wrong address inside the pages, not a key that could have expired.
      const isKey = KEY.test(request.params.hashKey)
      if (!isKey && (await isInside(deps, request, reply, cookie)))
        return sendNotFound(deps, request, reply, '/webview')
      throw new ApiError('not_found')
    }
    deps.log.info('web view entered', who)
    const { session, devices, framed } = outcome
    // The redirect takes the key out of the address, so that no history keeps it (decisions/0014).
    return reply
      .header('set-cookie', [sessionCookie(cookie, session, framed), deviceCookie(cookie, devices, framed)])
      .redirect(cookie.pages + chosenQuery(request), 303)
  })
}

// Whether there is a session. If so, the answer may be shown in its partner's frames.
async function isInside(
  deps: SiteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: CookieSetting,
): Promise<boolean> {
  const { kind, frameAncestors } = await deps.continueSession('web_view', sessionsOf(request, cookie))
  guard(reply, frameAncestors)
  return kind !== 'ended'
}

// The same pages as on the member's site, while the session lives.
function registerShell(scope: Server, deps: SiteDeps, cookie: CookieSetting): void {
  const addresses = WEB_VIEW_PAGES.map((page) => [`/webview/${page}`, page] as const)
  for (const [url, page] of [['/webview', 'assets'], ['/webview/', 'assets'], ...addresses] as const) {
    scope.get(url, { onRequest: turnProspectsAway, schema: { hide: true } }, async (request, reply) => {
      const outcome = await deps.continueSession('web_view', sessionsOf(request, cookie))
      const { frameAncestors } = outcome
      guard(reply, frameAncestors)
      if (outcome.kind === 'ended') {
        if (outcome.linkRefused) return sendRefused(deps, request, reply)
        return outcome.frozen ? sendFrozen(deps, request, reply) : sendEnded(deps, request, reply)
      }
      return sendShell(deps, request, reply, { mode: 'webview', page, frameAncestors })
    })
  }
}

// Acts that exist on the site only: says where, instead of "no such page".
function registerElsewhere(scope: Server, deps: SiteDeps, cookie: CookieSetting): void {
  for (const page of PAGES.filter((one) => !WEB_VIEW_PAGES.includes(one))) {
    const options = { onRequest: turnProspectsAway, schema: { hide: true } }
    scope.get(`/webview/${page}`, options, async (request, reply) => {
      const { kind, frameAncestors } = await deps.continueSession('web_view', sessionsOf(request, cookie))
      guard(reply, frameAncestors)
      const notice = elsewhere(page === 'withdraw' ? 'withdraw' : 'account', `${deps.publicUrl}/${page}`)
      // Offers the way back only to visitors who have a session.
      const shown = kind === 'ended' ? withoutHome(notice) : notice
      const around = { to: cookie.pages, foot: footOf(deps) }
      return sendPage(reply, 200, noticePage(shown, languageOf(request), SHARED_STYLE, around))
    })
  }
}

// Shows the contact and not the reason: another person may be looking at the screen.
function sendFrozen(deps: SiteDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.errorCode = 'account_frozen'
  return sendNotice(deps, request, reply, ERRORS.account_frozen.status, 'frozen', deps.contact)
}

// Signing out is no error, so its page is a 200.
function sendEnded(deps: SiteDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const left = Object.hasOwn((request.query ?? {}) as object, LEFT)
  return left ? sendNotice(deps, request, reply, 200, 'left') : sendNotice(deps, request, reply, 401, 'ended')
}

// Requests that only look ahead (HEAD, prefetch, prerender, preview) get nothing and change nothing: no key is used
// up, no session begins or is renewed.
function turnProspectsAway(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { headers } = request
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].join()
  if (request.method === 'HEAD' || /prefetch|prerender|preview/i.test(purposes)) reply.code(204).send()
  else done()
}

function isFramed(request: FastifyRequest): boolean {
  // Browsers send a cookie in a frame only if it was set as partitioned, and this header tells of the frame.
  return /^i?frame$/.test(String(request.headers['sec-fetch-dest']))
}

// Of the address that had the key, only the language is taken along.
function chosenQuery(request: FastifyRequest): string {
  const language = chosenLanguage(request)
  return language ? `?lang=${language}` : ''
}
