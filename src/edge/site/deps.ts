import type { Registry, RequestMetrics } from '#base/metrics.ts'
import type { ServiceToday } from '#base/service-clock.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { OperatorPages } from '#edge/site/legal/operator-pages.ts'
import type { PageFiles } from '#edge/site/shell/files.ts'
import type { ReadInbox } from '#flows/deliveries/read-inbox.ts'
import type { ContinueSession } from '#flows/sessions/continue-session.ts'
import type { EnterWebView } from '#flows/sessions/enter-web-view.ts'

// Whether requests belong here. A worker in trouble is told, and takes nothing out of service.
export type Readiness =
  | { ready: true; worker?: string | undefined }
  | { ready: false; because: 'starting' | 'database' | 'migration' | 'writes' | 'stopping' }

// The pages, the web view's door, the legal texts, the documents, the sandbox's inbox and the health checks.
export interface SiteDeps extends HttpDeps {
  metrics: { registry: Registry } & RequestMetrics
  readiness(): Promise<Readiness>
  pages: PageFiles
  // Who runs the service, and its terms.
  operator: OperatorPages
  today: ServiceToday
  // None where browsers know no passkeys: PUBLIC_URL is an IP address, or plain http.
  passkeyOrigin: string | undefined
  enterWebView: EnterWebView
  continueSession: ContinueSession
  readInbox: ReadInbox
  // Numbers of the sandbox that fail on purpose, and how; none with a real provider.
  magicNumbers: readonly { number: string; does: Record<'ko' | 'en', string> }[]
}
