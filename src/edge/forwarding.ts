import type { FastifyRequest } from 'fastify'

// Headers by which a proxy says that it asks for someone else. One that we do not read still says so.
const HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
] as const

export function isForwarded(request: FastifyRequest): boolean {
  return HEADERS.some((name) => request.headers[name] !== undefined)
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
  return request.ips?.length === hops ? request.ip : undefined
}

// A page from elsewhere can make a browser on a listed address call us, under a name of its own or across sites.
// Behind a proxy both names must be our public one: that page may set X-Forwarded-Host, and the proxy pass it on.
export function isAskedByItsOwn(
  request: FastifyRequest,
  own: { publicHost: string; directHosts: ReadonlySet<string> },
): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { host, 'x-forwarded-host': forwarded } = request.headers
  if (!isForwarded(request)) return own.directHosts.has(hostName(host))
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
