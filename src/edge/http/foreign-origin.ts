import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { hostName, isForwarded } from '#edge/http/forwarding.ts'

// A call that changes something must come from our own pages. Browsers say where a call comes from. In live a call
// with a cookie must name the origin exactly. Servers have no cookie and need not.
export function refuseForeign(
  request: FastifyRequest,
  { own, keyMode }: Pick<HttpDeps, 'own' | 'keyMode'>,
): void {
  // A read changes nothing, and the headers of personal answers keep other sites from reading them.
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { 'sec-fetch-site': site, origin, host, cookie } = request.headers
  // Programs and old browsers send no such header, so its absence alone refuses nothing.
  if (site !== undefined && site !== 'same-origin') throw foreign()
  if (origin === own.publicOrigin) return
  if (keyMode === 'live' && cookie !== undefined) throw foreign()
  if (origin === undefined) return
  // On this machine, under another of its names than the public one.
  const direct = !isForwarded(request) && own.directHosts.has(hostName(host))
  if (direct && URL.parse(origin)?.host === host) return
  // A page that hides its address sends `null`. Then Sec-Fetch-Site counts.
  if (origin === 'null' && site === 'same-origin') return
  throw foreign()
}

// The same code as for a key without rights, so that a foreign page learns nothing from it.
function foreign(): ApiError {
  return new ApiError('forbidden').because('foreign_origin')
}
