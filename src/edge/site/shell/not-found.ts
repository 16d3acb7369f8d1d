import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, ERRORS, sendError } from '#edge/http/errors.ts'
import { languageOf } from '#edge/http/language.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { imprint } from '#edge/site/legal/imprint.ts'
import { guardWith, policyFor, sendPage } from '#edge/site/pages/answers.ts'
import { noticePage } from '#edge/site/pages/notice.ts'
import { SHARED_STYLE } from '#edge/site/pages/style.ts'
import { PAGES, WEB_VIEW_PAGES } from './shell.ts'

// Programs call these, so they get JSON, whatever a browser accepts.
const APIS =
  /^\/(?:v1|v2|member|console\/api|webview\/member|hooks|dev|metrics|healthz|readyz|openapi\.json|docs|errors|static)(?:[/?]|$)/i

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

const NOT_FOUND = {
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

// An unknown path. A browser is sent to the page that was meant, or gets a page that says there is none.
export function answerNotFound(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isVisit(request)) return sendError(request, reply, new ApiError('not_found'))
  if (redirectToCanonical(deps, request, reply)) return reply
  guardWith(policyFor(SHARED_STYLE), reply).header('x-robots-tag', 'noindex')
  return sendNotFound(deps, request, reply, '')
}

// `under` is the path of this visitor's pages.
export function sendNotFound(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  under: '' | '/webview',
): FastifyReply {
  request.errorCode = 'not_found'
  const root = baseOf(deps) + under
  const around = { to: root || '/', foot: imprint(deps.operator, root) }
  return sendPage(
    reply,
    ERRORS.not_found.status,
    noticePage(NOT_FOUND, languageOf(request), SHARED_STYLE, around),
  )
}

export function isVisit({ method, url, headers }: FastifyRequest): boolean {
  // Browsers ask for text/html by themselves. A program that does not name it gets JSON.
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !APIS.test(url) && /text\/html/i.test(headers.accept ?? '')
}

// Apart from capitals and slashes at the end it is one of our pages, so the browser is sent there. Only paths of the
// list count: an address of ours never leads to another site. Browsers keep what follows the #.
export function redirectToCanonical(deps: Deps, request: FastifyRequest, reply: FastifyReply): boolean {
  const [path = '', ...query] = request.url.split('?')
  const canonical = path.toLowerCase().replace(/\/+$/, '') || '/'
  if (canonical === path || !(KNOWN.has(canonical) || VERSION.test(canonical))) return false
  const search = query.length > 0 ? `?${query.join('?')}` : ''
  reply.redirect(baseOf(deps) + canonical + search, 301)
  return true
}

// A proxy may serve the pages under a path of its own.
function baseOf({ publicUrl }: Deps): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '')
}
