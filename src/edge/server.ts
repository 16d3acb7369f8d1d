import fastify from 'fastify'
import { openFilesAllowed } from '#base/open-files.ts'
import { answerHeaders } from '#edge/http/answer-headers.ts'
import { watchArrivals } from '#edge/http/arriving-requests.ts'
import { withoutPort } from '#edge/http/caller.ts'
import { beingMoved, sendError, toApiError } from '#edge/http/errors.ts'
import { acceptJson } from '#edge/http/json-body.ts'
import { collectPaths, routing } from '#edge/http/no-route.ts'
import { refuseRepeatedHeaders } from '#edge/http/repeated-headers.ts'
import { NOTES, registerRequestLog } from '#edge/http/request-log.ts'
import { registerRequestSpans } from '#edge/http/request-spans.ts'
import { buildSerializer } from '#edge/http/serializers.ts'
import { createBrokenRequestAnswer } from '#edge/http/socket-errors.ts'
import type { Register, Server } from '#edge/http/types.ts'
import { VALIDATION } from '#edge/http/validation.ts'
import { buildValidator } from '#edge/http/validators.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { registerHealth, registerMetrics } from '#edge/site/health.ts'
import { registerSite } from '#edge/site/routes.ts'
import { answerNotFound, isVisit } from '#edge/site/shell/not-found.ts'
import { guard, isWebViewAddress, sendNotice } from '#edge/site/webview/answers.ts'
import type { RequestAudience } from '#modules/requests/types.ts'

export const LIMITS = {
  bodyBytes: 16 * 1024, // the largest request of the interface is under 2 kB
  headerBytes: 16 * 1024,
  requestMs: 30_000, // to arrive whole: a phone on a bad line makes it, one byte a second does not
  headersMs: 15_000,
  // How often the two limits above are checked.
  checkMs: 2_000,
  drainMs: 5_000, // to arrive whole, for a request that is on its way when the service stops
  // Longer than the 60 s of common load balancers, so that we never close a connection under a request.
  keepAliveMs: 75_000,
  // Each takes some 20 kB: a flood stays well within the memory that the start script allows.
  connections: 5_000,
}
export type Limits = typeof LIMITS

// Answered even where the installation was moved away from.
const OPERATORS = new Set(['/healthz', '/readyz', '/metrics'])

// A server without routes: limits, errors, logging, and the 404 and 405 of the routes that are added.
function newServer(deps: SiteDeps, limits: Limits) {
  const everyAnswer = answerHeaders(deps)
  const server: Server = fastify({
    logger: false,
    ...routing((request, response) => server.routing(request, response)),
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer a missing Host by itself, in a shape of its own. The same goes for Expect, below.
      requireHostHeader: false,
    },
    trustProxy: (address: string) => deps.trustedProxies.has(withoutPort(address)),
    // While draining, requests that arrive on open connections are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: createBrokenRequestAnswer(everyAnswer),
    frameworkErrors: (error, request, reply) => {
      followBroken(request, reply)
      if (isWebViewAddress(request)) sendNotice(deps, request, guard(reply), 404, 'bad_key')
      else if (isVisit(request)) answerNotFound(deps, request, reply)
      else sendError(request, reply, toApiError(error))
    },
    ajv: { customOptions: VALIDATION },
    schemaController: { compilersFactory: { buildSerializer, buildValidator } },
  })
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  // With several processes, one that is full closes the connection. Otherwise full ones pass it around for ever.
  Object.assign(server.server, { maxConnections: connectionsOf(deps, limits), dropMaxConnection: true })
  // JSON only: anything else is 415, plain text included.
  acceptJson(server)
  server.decorate('publicUrl', deps.publicUrl)
  server.decorate('contact', deps.contact)
  for (const [name, value] of Object.entries(NOTES)) server.decorateRequest(name, value as null)
  registerRequestSpans(server, deps)
  const isDraining = watchDrain(server, limits)
  const followBroken = registerRequestLog(server, deps, { everyAnswer, isDraining })
  server.addHook('onRequest', refuseRepeatedHeaders)
  server.addHook('onRequest', (request, _reply, done) =>
    done(deps.isMoved() && !OPERATORS.has(request.routeOptions.url ?? '') ? beingMoved() : undefined),
  )
  server.setNotFoundHandler((request, reply) => answerNotFound(deps, request, reply))
  let audience: RequestAudience | undefined
  const answerTheRest = collectPaths(server, () => audience)
  async function ready(): Promise<Server> {
    answerTheRest()
    await server.ready()
    return server
  }
  return {
    server,
    ready,
    isDraining,
    // Whom the routes are for that are registered from now on.
    setAudience(next: RequestAudience | undefined) {
      audience = next
    },
  }
}

// Without a file left, the process could reach neither its database nor its own code.
const OTHER_FILES = 256

function connectionsOf({ log }: Pick<SiteDeps, 'log'>, { connections }: Limits): number {
  const allowed = openFilesAllowed() ?? Number.POSITIVE_INFINITY
  const most = Math.max(Math.floor(allowed / 2), allowed - OTHER_FILES)
  if (most >= connections) return connections
  log.warn('fewer connections are accepted', {
    reason: `the process may open ${allowed} files (ulimit -n)`,
    count: most,
  })
  return most
}

// True from the beginning of a stop on.
function watchDrain(server: Server, { drainMs }: Limits): () => boolean {
  let draining = false
  const closeStalled = watchArrivals(server.server)
  server.addHook('preClose', async () => {
    draining = true
    setTimeout(closeStalled, drainMs).unref()
  })
  return () => draining
}

interface ServerOptions {
  // True if metrics have a listener of their own and are not served here.
  metricsApart?: boolean
  limits?: Limits | undefined
}

// The site, which also answers unknown addresses, and the routes of every other audience. No audience knows what
// another gets.
export interface Edge {
  site: SiteDeps
  partner: Register
  hooks: Register
  member: Register
  console: Register
}

export async function buildServer(
  { site, partner, hooks, member, console }: Edge,
  roles: { api: boolean },
  { metricsApart = false, limits = LIMITS }: ServerOptions = {},
): Promise<Server> {
  const { server, ready, isDraining, setAudience } = newServer(site, limits)
  registerHealth(server, site, isDraining)
  if (!metricsApart) registerMetrics(server, site, 'this_machine')
  if (roles.api) {
    await registerSite(server, site)
    for (const [register, audience] of [
      [partner, 'partner'],
      [hooks, undefined],
      [member, 'member'],
      [console, 'console'],
    ] as const) {
      setAudience(audience)
      await register(server)
    }
  }
  return ready()
}

// The listener on METRICS_ADDRESS.
export function buildMetricsServer({ site }: Pick<Edge, 'site'>, limits: Limits = LIMITS): Promise<Server> {
  const { server, ready } = newServer(site, limits)
  registerMetrics(server, site, 'anyone')
  return ready()
}
