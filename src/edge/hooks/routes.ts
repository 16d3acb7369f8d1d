import { repeatsProperty } from '#base/text/json.ts'
import { ApiError } from '#edge/http/errors.ts'
import type { Server } from '#edge/http/types.ts'
import type { DeliveryMetrics } from '#flows/deliveries/metrics.ts'
import type { RecordReports } from '#flows/deliveries/record-reports.ts'
import type { ReportHook } from '#providers/messaging/port.ts'

export const MOST_BYTES = 4 * 1024 * 1024 // some thousands of reports in one call

// The edge knows only what a provider posts to us.
interface HookedProvider {
  name: string
  hook: ReportHook | undefined
}

interface Deps {
  metrics: Pick<DeliveryMetrics, 'reports'>
  providers: readonly HookedProvider[]
  recordReports: RecordReports
}

// Providers report the outcome of messages here. The scope is its own: bodies may be large, and one that we cannot
// read is counted.
export async function registerHooks(server: Server, deps: Deps): Promise<void> {
  await server.register(async (scope: Server) => {
    // The server's own parser would refuse a strange body before the handler could count it.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    for (const { name, hook } of deps.providers) if (hook) registerHook(scope, deps, name, hook)
  })
}

// 200 means that the reports are stored. After any other answer the provider posts them again. An account that is
// shared has reports about messages that are not ours: we accept and ignore them.
function registerHook(scope: Server, deps: Deps, provider: string, hook: ReportHook): void {
  const count = (outcome: string, reports = 1) => deps.metrics.reports.inc({ provider, outcome }, reports)
  scope.post(
    `/hooks/${provider}`,
    {
      schema: { hide: true },
      // Checked before the body is read, so that a caller without the secret costs little.
      onRequest(request, _reply, done) {
        const authentic = hook.isAuthentic(request.headers)
        if (!authentic) count('forged')
        done(authentic ? undefined : new ApiError('unauthorized'))
      },
    },
    async (request) => {
      const reports = hook.read(parse(request.body))
      if (!reports) {
        count('unreadable')
        throw new ApiError('invalid_request')
      }
      await deps.recordReports(provider, reports)
      count('noted', reports.length)
      return { result: 'ok' }
    },
  )
}

// Undefined if it is not JSON, or names a property twice: a proxy may have read the other one.
function parse(body: unknown): unknown {
  try {
    const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
    const value: unknown = JSON.parse(text)
    return repeatsProperty(text, value) ? undefined : value
  } catch {
    return undefined
  }
}
