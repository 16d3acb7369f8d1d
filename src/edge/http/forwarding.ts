import type { FastifyRequest } from 'fastify'
import { LOOPBACK, PRIVATE_NETWORKS } from '#base/http/networks.ts'
import { callerAddress, namedAddress } from '#edge/http/caller.ts'
import type { HttpDeps } from '#edge/http/deps.ts'

// Headers by which a proxy says that it forwards for another caller, in any dialect, including those that we do not
// read. Headers that ordinary clients send too (traceparent, b3, X-Request-Id, X-Cloud-Trace-Context) do not count:
// decisions/0031.
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

// By default nginx speaks HTTP/1.0 to the server behind it, calls it by the address it knows and adds no header.
// Clients send a whole address in place of a path only to proxies.
function isSilentProxy(request: FastifyRequest): boolean {
  const { httpVersion, url } = request.raw
  return (httpVersion !== '1.1' && isFromThisMachine(request)) || !url?.startsWith('/')
}

function isFromThisMachine(request: FastifyRequest): boolean {
  return LOOPBACK.has(request.socket.remoteAddress ?? '')
}

// HOST is often set to one of the last two. As a name they lead nowhere else.
const LOCAL_NAMES = new Set(['localhost', '0.0.0.0', '::'])

function isLoopbackName(name: string): boolean {
  return LOCAL_NAMES.has(name) || LOOPBACK.has(name)
}

// A caller on this machine that uses a loopback name. A proxy on this machine that adds no header passes a public
// name on.
export function isLocal(request: FastifyRequest): boolean {
  return isFromThisMachine(request) && isLoopbackName(hostName(request.headers.host)) && !isForwarded(request)
}

// Logs once that a proxy is not in TRUSTED_PROXIES, or that a trusted one names no caller: then its callers cannot be
// told apart.
export function createProxyWatch({
  keyMode,
  trustedProxies,
  log,
}: Pick<HttpDeps, 'keyMode' | 'trustedProxies' | 'log'>): (request: FastifyRequest) => void {
  // A sandbox counts every address as it is, so a warning would help no one there.
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

// The address that gives a call without a key its rights. Undefined if it is not certain. Only a trusted proxy's
// X-Forwarded-For counts, and only if every hop in it is trusted: an entry that another party wrote may hide the real
// caller.
export function certainAddress(
  request: FastifyRequest,
  isTrustedProxy: (address: string) => boolean,
): string | undefined {
  const peer = request.socket.remoteAddress
  if (peer === undefined) return undefined
  if (!isTrustedProxy(peer)) return isForwarded(request) ? undefined : peer
  const named = request.headers['x-forwarded-for']
  // Two headers may name two callers, and which one the proxy wrote is not certain.
  if (typeof named !== 'string' || request.headers.forwarded !== undefined) return undefined
  // The connection's own hop is in `ips` and not in the header, hence one more.
  const hops = named.split(',').length + 1
  return request.ips?.length === hops ? namedAddress(request) : undefined
}

// The address that failures are counted by. Undefined if all visitors share it. In live that is a trusted proxy that
// names no caller or, while TRUSTED_PROXIES is empty, a caller on a private network. Any other caller that says it
// forwards counts as a shared proxy, with the limit of a large network (modules/guesses). Otherwise a header would be a
// way out of the count.
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

// A page of another site can make a browser on a listed address call us, under a name of its own or across sites.
// Behind a proxy both names must be our public one: that page may set X-Forwarded-Host, and the proxy may pass it on.
export function isSameOriginRequest(
  request: FastifyRequest,
  own: { publicHost: string; publicOrigin: string; directHosts: ReadonlySet<string> },
): boolean {
  const site = request.headers['sec-fetch-site']
  // Browsers send `none` for an address that a person typed or saved.
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
