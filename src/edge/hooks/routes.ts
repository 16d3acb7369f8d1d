import { ApiError } from '#edge/errors.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { ReportHook } from '#providers/messaging/port.ts'

const MOST_BYTES = 4 * 1024 * 1024 // some thousands of reports in one call

// Of a provider the edge knows what it posts to us.
export interface HookedProvider {
  name: string
  hook: ReportHook | undefined
}

// Where providers report what became of messages. A scope of its own: the body is needed as it came, since some sign it.
export async function registerHooks(server: Server, deps: EdgeDeps): Promise<void> {
  await server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    for (const { name, hook } of deps.providers) if (hook) registerHook(scope, deps, name, hook)
  })
}

// 200 once it is written down; anything else has the provider post it again. Reports about messages that are not ours,
// as an account that is shared has them, are taken and left alone.
function registerHook(scope: Server, deps: EdgeDeps, provider: string, hook: ReportHook): void {
  const count = (outcome: string, reports = 1) => deps.metrics.reports.inc({ provider, outcome }, reports)
  scope.post(`/hooks/${provider}`, { schema: { hide: true } }, async (request) => {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!hook.isAuthentic(request.headers, raw)) {
      count('forged')
      throw new ApiError('unauthorized')
    }
    const reports = hook.read(parse(raw))
    if (!reports) {
      count('unreadable')
      throw new ApiError('invalid_request')
    }
    await deps.recordReports(reports)
    count('noted', reports.length)
    return { result: 'ok' }
  })
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}
