import type { Server } from '#edge/http/types.ts'
import { registerInbox } from '#edge/site/dev/inbox.ts'
import { registerLegal } from '#edge/site/legal/routes.ts'
import { registerPages } from '#edge/site/shell/routes.ts'
import { registerWebView } from '#edge/site/webview/routes.ts'
import type { SiteDeps } from './deps.ts'
import { registerDocs } from './docs.ts'

// Before the other audiences: the document describes what is registered after it.
export async function registerSite(server: Server, deps: SiteDeps): Promise<void> {
  await registerDocs(server, deps)
  registerPages(server, deps)
  registerLegal(server, deps, '', async () => [])
  await registerWebView(server, deps)
  if (deps.keyMode === 'test') await registerInbox(server, deps)
}
