import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import findMyWay from 'find-my-way'
import { newRequestId } from '#base/ids.ts'
import { ApiError } from '#edge/http/errors.ts'
import type { RequestAudience } from '#modules/requests/types.ts'

// What has no route of its own: HEAD, wrong methods and unknown paths. Routes for HEAD and for each wrong method of every path
// would be nine tenths of all routes, and half of the time in which a server is built.

// The methods of a path, the scope it was registered in, and whom it is for.
export interface KnownPath {
  url: string
  scope: FastifyInstance
  methods: Set<string>
  audience: RequestAudience | undefined
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Find = (path: string) => KnownPath | undefined

// How paths are read, by the server's router and by ours.
const PATHS = { maxParamLength: 1024 }

// The router has a tree of paths for each method. No client uses this one, so its tree holds what answers all other requests.
const ANY = 'UNLINK'

const ownMethods = new WeakMap<IncomingMessage, string>()

// Options of the server. `find` is its router.
export function routing(find: Answer) {
  return {
    exposeHeadRoutes: false,
    routerOptions: {
      ...PATHS,
      // What was not found is looked for again: HEAD as GET, whose answer loses its body on the way out, and all else in the
      // tree of any method.
      defaultRoute(request: IncomingMessage, response: ServerResponse) {
        const method = request.method!
        if (!ownMethods.has(request)) ownMethods.set(request, method)
        request.method = method === 'HEAD' ? 'GET' : ANY
        find(request, response)
      },
    },
    // What the framework does first with a request that was found. From here on it has its own method again.
    genReqId(request: IncomingMessage) {
      const own = ownMethods.get(request)
      if (own !== undefined) request.method = own
      return newRequestId()
    },
  }
}

// Before the first route. What it returns is to be called after the last one.
export function collectPaths(server: FastifyInstance, audienceOf: () => KnownPath['audience']): () => void {
  const paths = new Map<string, KnownPath>()
  server.addHttpMethod(ANY)
  server.addHook('onRoute', function (this: FastifyInstance, route: RouteOptions) {
    const { url } = route
    if (route.config?.refuses) return
    const known = paths.get(url) ?? { url, scope: this, methods: new Set(), audience: audienceOf() }
    for (const method of [route.method].flat()) {
      known.methods.add(method)
      if (method === 'GET') known.methods.add('HEAD')
    }
    paths.set(url, known)
    // No route of an API can forget it: its requests are recorded.
    if (known.audience) route.config = { ...route.config, audience: known.audience }
  })
  return () => answerTheRest(server, [...paths.values()])
}

// A scope answers for its own paths, with its own headers and pages.
function answerTheRest(server: FastifyInstance, paths: readonly KnownPath[]): void {
  const find = findIn(paths)
  const scopes = Map.groupBy(paths, (path) => path.scope)
  scopes.delete(server)
  for (const [scope, own] of scopes) {
    if (scope.prefix) refuseBelow(scope, own[0]!.audience, find)
    else for (const path of own) refuseOthers(path)
  }
  refuse(server, { method: ANY, url: '*' }, (request, reply) => {
    const path = find(request.url)
    return path ? refuseMethod(path, request, reply) : reply.callNotFound()
  })
}

// For GET too: some pages answer every path below theirs, and would answer here.
function refuseBelow(scope: FastifyInstance, audience: KnownPath['audience'], find: Find): void {
  refuse(scope, { method: ['GET', ANY], url: '/*', audience }, (request, reply) => {
    const path = find(request.url)
    if (path?.scope !== scope) throw new ApiError('not_found')
    return refuseMethod(path, request, reply)
  })
}

function refuseOthers(path: KnownPath): void {
  const { scope, url, methods } = path
  refuse(scope, { method: methods.has('GET') ? ANY : ['GET', ANY], url }, (request, reply) =>
    refuseMethod(path, request, reply),
  )
}

interface Refused {
  method: string | string[]
  url: string
  audience?: KnownPath['audience']
}

// Before the body is read: what is wrong with it means nothing on a path that does not take it.
function refuse(
  scope: FastifyInstance,
  { method, url, audience }: Refused,
  answer: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const config = { refuses: true, ...(audience && { audience }) } as const
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => answer(request, reply)
  scope.route({ method, url, config, schema: { hide: true }, onRequest, handler: answer })
}

// 405, and the methods that work.
function refuseMethod(path: KnownPath, request: FastifyRequest, reply: FastifyReply): never {
  request.knownPath = path
  reply.header('allow', [...path.methods].join(', '))
  throw new ApiError('method_not_allowed')
}

// Built at the first question: most processes are never asked.
function findIn(paths: readonly KnownPath[]): Find {
  let router: findMyWay.Instance<findMyWay.HTTPVersion.V1> | undefined
  return (url) => {
    router ??= routerOf(paths)
    return router.find('GET', url)?.store
  }
}

function routerOf(paths: readonly KnownPath[]) {
  const router = findMyWay(PATHS)
  for (const path of paths) router.on('GET', path.url, () => {}, path)
  return router
}
