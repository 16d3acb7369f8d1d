import type { RequestMetrics } from '#base/metrics.ts'
import type { ServiceToday } from '#base/time/service-clock.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { OperatorPages } from '#edge/site/legal/operator-pages.ts'
import type { PageFiles } from '#edge/site/shell/files.ts'
import type { ReadInbox } from '#flows/deliveries/read-inbox.ts'
import type { ContinueSession } from '#flows/sessions/continue-session.ts'
import type { EnterWebView } from '#flows/sessions/enter-web-view.ts'

// Whether this process should get requests. A worker in trouble is shown, and takes no process out of service.
export type Readiness =
  | { ready: true; worker?: string | undefined }
  | {
      ready: false
      because: 'starting' | 'database' | 'migration' | 'restoration' | 'writes' | 'moved' | 'stopping'
    }

// The site: the pages, the web view's entry, the legal texts, the API documents, the sandbox's inbox and the health
// checks.
export interface SiteDeps extends HttpDeps {
  metrics: RequestMetrics
  // The figures of the whole service.
  readMetrics(): Promise<{ contentType: string; text: string }>
  readiness(): Promise<Readiness>
  // Another place serves this installation: what is here grows old, so nothing is answered from it.
  isMoved(): boolean
  pages: PageFiles
  // The operator and its terms.
  operator: OperatorPages
  today: ServiceToday
  // Undefined if browsers support no passkeys: PUBLIC_URL is an IP address, or plain http.
  passkeyOrigin: string | undefined
  enterWebView: EnterWebView
  continueSession: ContinueSession
  readInbox: ReadInbox
  // Numbers of the sandbox that fail on purpose, and how. Empty with a real provider.
  magicNumbers: readonly { number: string; does: Record<'ko' | 'en', string> }[]
}
