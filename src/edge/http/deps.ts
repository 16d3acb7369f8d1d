import type { Networks } from '#base/http/networks.ts'
import type { Log } from '#base/log.ts'
import type { RequestMetrics } from '#base/metrics.ts'
import type { TakeToken } from '#base/queues/rate-limits.ts'
import type { RequestRecord } from '#modules/requests/types.ts'

// What every audience gets. A handler names the rest in its own file: the flows it calls, already bound to what they
// need. No handler can open a transaction.
export interface HttpDeps {
  publicUrl: string
  version: string
  keyMode: 'test' | 'live'
  trustedProxies: Networks
  // The names by which callers reach us, through a proxy and without one.
  own: { publicHost: string; publicOrigin: string; directHosts: ReadonlySet<string> }
  log: Log
  metrics: RequestMetrics
  // Keeps a request for support. Returns at once.
  recordRequest(record: RequestRecord): void
  // The rate limits of the whole service.
  takeToken: TakeToken
  // The contact that people can ask.
  contact: string
}
