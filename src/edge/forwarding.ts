import type { FastifyRequest } from 'fastify'
import { LOOPBACK, PRIVATE_NETWORKS } from '#base/networks.ts'
import { callerAddress } from '#edge/caller.ts'
import type { EdgeDeps } from '#edge/types.ts'

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

// Tells the operator, once, of a proxy whose word does not count (TRUSTED_PROXIES): failures of those who come
// through it are not counted by address.
export function createProxyWatch({
  keyMode,
  trustedProxies,
  log,
}: Pick<EdgeDeps, 'keyMode' | 'trustedProxies' | 'log'>): (request: FastifyRequest) => void {
  let isDone = keyMode !== 'live'
  return (request) => {
    if (isDone || !isForwarded(request) || trustedProxies.has(request.socket.remoteAddress ?? '')) return
    isDone = true
    log.warn('proxy not trusted', {
      reason: 'TRUSTED_PROXIES does not name it: failures are not counted by address',
    })
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
  return request.ips?.length === hops ? callerAddress(request) : undefined
}

// The address that failures are counted by; undefined where it would be everybody's. In live that is a proxy that
// TRUSTED_PROXIES does not name: one that forwards, or one that says nothing and sits on a private network.
export function countedAddress(
  { keyMode, trustedProxies }: Pick<EdgeDeps, 'keyMode' | 'trustedProxies'>,
  request: FastifyRequest,
): string | undefined {
  const address = callerAddress(request)
  if (keyMode !== 'live' || trustedProxies.list.length > 0) return address
  return isForwarded(request) || PRIVATE_NETWORKS.has(address) ? undefined : address
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
