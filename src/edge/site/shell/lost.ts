import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, ERRORS, sendError } from '#edge/http/errors.ts'
import { languageOf } from '#edge/http/language.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { imprint } from '#edge/site/legal/imprint.ts'
import { guardWith, policyFor, sendPage } from '#edge/site/pages/answers.ts'
import { noticePage } from '#edge/site/pages/notice.ts'
import { SHARED_STYLE } from '#edge/site/pages/style.ts'
import { PAGES, WEB_VIEW_PAGES } from './shell.ts'

// Programs ask these, and are told in JSON, whatever a browser says it takes.
const APIS =
  /^\/(?:v1|v2|member|webview\/member|hooks|dev|metrics|healthz|readyz|openapi\.json|docs|errors|static)(?:[/?]|$)/i

const KNOWN = new Set([
  '/',
  '/webview',
  ...PAGES.map((page) => `/${page}`),
  ...WEB_VIEW_PAGES.map((page) => `/webview/${page}`),
  ...['', '/webview'].flatMap((under) =>
    ['terms', 'privacy', 'protection'].map((page) => `${under}/${page}`),
  ),
])
const VERSION = /^(?:\/webview)?\/(?:terms|privacy)\/\d{4}-\d{2}-\d{2}$/

const LOST = {
  ko: {
    title: '찾을 수 없는 페이지예요',
    body: '주소를 확인하거나 처음으로 가 주세요.',
    home: '처음으로 가기',
  },
  en: {
    title: 'There is no such page',
    body: 'Check the address, or start from the beginning.',
    home: 'Go to the start',
  },
}

type Deps = Pick<SiteDeps, 'publicUrl' | 'operator'>

// A path that is no route. Somebody at a browser comes to the page that was meant, or is told that there is none, in words.
export function answerLost(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isVisit(request)) return sendError(request, reply, new ApiError('not_found'))
  if (redirectToMeant(deps, request, reply)) return reply
  guardWith(policyFor(SHARED_STYLE), reply).header('x-robots-tag', 'noindex')
  return sendLost(deps, request, reply, '')
}

// `under` is where the pages of this visitor are.
export function sendLost(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  under: '' | '/webview',
): FastifyReply {
  request.errorCode = 'not_found'
  const root = baseOf(deps) + under
  const around = { to: root || '/', foot: imprint(deps.operator, root) }
  return sendPage(reply, ERRORS.not_found.status, noticePage(LOST, languageOf(request), SHARED_STYLE, around))
}

export function isVisit({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !APIS.test(url) && /text\/html/i.test(headers.accept ?? '')
}

// Capitals and slashes at the end aside, it is one of our pages: the browser is sent there. Only to paths from the list, so
// that nobody is led elsewhere by an address of ours. What follows the # stays, as browsers keep it.
export function redirectToMeant(deps: Deps, request: FastifyRequest, reply: FastifyReply): boolean {
  const [path = '', ...query] = request.url.split('?')
  const meant = path.toLowerCase().replace(/\/+$/, '') || '/'
  if (meant === path || !(KNOWN.has(meant) || VERSION.test(meant))) return false
  const search = query.length > 0 ? `?${query.join('?')}` : ''
  reply.redirect(baseOf(deps) + meant + search, 301)
  return true
}

function baseOf({ publicUrl }: Deps): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '')
}
