import type { FastifyRequest } from 'fastify'
import { LOOPBACK, PRIVATE_NETWORKS } from '#base/networks.ts'
import { callerAddress, namedAddress } from '#edge/http/caller.ts'
import type { HttpDeps } from '#edge/http/deps.ts'

// By what a proxy says that it asks for someone else, in whichever dialect. One that we do not read still says so. Headers
// that clients send too (traceparent, b3, X-Request-Id, X-Cloud-Trace-Context) say nothing: decisions/0031.
const SAYS_SO = new RegExp(
  [
    'forward|client-?ip|socket-?ip|connecting-?ip|(?:^|-)(?:ip|addr|address|via)$', // someone's address, or the way here
    '^(?:cdn-loop|surrogate-capability|x-nginx-proxy|x-proxy.*|x-original-.*|x-varnish|x-arr-.*)$',
    '^(?:x-envoy|l5d|x-amzn|x-amz-cf|x-appengine|x-azure|cf|fastly|fly|x-nf|x-vercel|x-?akamai|akamai)-',
  ].join('|'),
)

export function isForwarded(request: FastifyRequest): boolean {
  return Object.keys(request.headers).some((name) => SAYS_SO.test(name)) || isSilentProxy(request)
}

// nginx, unless it is told otherwise, speaks HTTP/1.0 to what is behind it, calls it by the address it knows and adds no
// header at all. A whole address in place of a path is how proxies are spoken to.
function isSilentProxy(request: FastifyRequest): boolean {
  const { httpVersion, url } = request.raw
  return (httpVersion !== '1.1' && isFromThisMachine(request)) || !url?.startsWith('/')
}

function isFromThisMachine(request: FastifyRequest): boolean {
  return LOOPBACK.has(request.socket.remoteAddress ?? '')
}

// The last two are what HOST is often set to; as a name they lead nowhere else.
const LOCAL_NAMES = new Set(['localhost', '0.0.0.0', '::'])

function isLoopbackName(name: string): boolean {
  return LOCAL_NAMES.has(name) || LOOPBACK.has(name)
}

// Somebody on this machine who calls it by a name of its own. A proxy here that adds no header passes a public name on.
export function isLocal(request: FastifyRequest): boolean {
  return isFromThisMachine(request) && isLoopbackName(hostName(request.headers.host)) && !isForwarded(request)
}

// Tells the operator, once, of a proxy whose word does not count (TRUSTED_PROXIES), or whose word is missing: those who come
// through it cannot be told apart.
export function createProxyWatch({
  keyMode,
  trustedProxies,
  log,
}: Pick<HttpDeps, 'keyMode' | 'trustedProxies' | 'log'>): (request: FastifyRequest) => void {
  let isDone = keyMode !== 'live'
  return (request) => {
    if (isDone) return
    const isTrusted = trustedProxies.has(request.socket.remoteAddress ?? '')
    if (isTrusted ? !trustedProxies.has(callerAddress(request)) : !isForwarded(request)) return
    isDone = true
    if (isTrusted) log.warn('proxy names nobody', { reason: 'it sends no X-Forwarded-For with an address' })
    else log.warn('proxy not trusted', { reason: 'TRUSTED_PROXIES does not name it' })
  }
}

// The address a call without a key may be judged by; undefined when it cannot be known for sure. Only a trusted
// proxy's X-Forwarded-For counts, and only if every hop it names is one: an entry that someone else wrote may
// hide the one who really asks.
export function certainAddress(
  request: FastifyRequest,
  isTrustedProxy: (address: string) => boolean,
): string | undefined {
  const peer = request.socket.remoteAddress
  if (peer === undefined) return undefined
  if (!isTrustedProxy(peer)) return isForwarded(request) ? undefined : peer
  const named = request.headers['x-forwarded-for']
  if (typeof named !== 'string' || request.headers.forwarded !== undefined) return undefined
  const hops = named.split(',').length + 1
  return request.ips?.length === hops ? namedAddress(request) : undefined
}

// What failures are counted by; undefined where it would be everybody's. In live that is a proxy: a trusted one that does not
// say for whom it asks, or, while TRUSTED_PROXIES names none, a caller on a private network. Another caller that says it
// forwards is counted as a proxy that many share, with the limit of a large network (modules/guesses): a header must not be
// a way out of the count.
export function countedAddress(
  { keyMode, trustedProxies }: Pick<HttpDeps, 'keyMode' | 'trustedProxies'>,
  request: FastifyRequest,
): string | undefined {
  const address = callerAddress(request)
  if (keyMode !== 'live') return address
  if (trustedProxies.has(address)) return undefined
  if (trustedProxies.list.length > 0) return address
  if (PRIVATE_NETWORKS.has(address)) return undefined
  return isForwarded(request) ? `via ${address}` : address
}

// A page from elsewhere can make a browser on a listed address call us, under a name of its own or across sites.
// Behind a proxy both names must be our public one: that page may set X-Forwarded-Host, and the proxy pass it on.
export function isAskedByItsOwn(
  request: FastifyRequest,
  own: { publicHost: string; publicOrigin: string; directHosts: ReadonlySet<string> },
): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { host, origin, 'x-forwarded-host': forwarded } = request.headers
  if (!isForwarded(request)) {
    const ownPage = origin === undefined || URL.parse(origin)?.host === host
    const byName = isFromThisMachine(request) ? isLocal(request) : own.directHosts.has(hostName(host))
    return ownPage && byName
  }
  if (origin !== undefined && origin !== own.publicOrigin) return false
  return [host, ...(forwarded === undefined ? [] : [forwarded])].every(
    (name) => hostName(name) === own.publicHost,
  )
}

// Without its port, and an IPv6 address without its brackets.
export function hostName(host: string | string[] | undefined): string {
  return String(host ?? '')
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}
