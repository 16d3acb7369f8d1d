import { consoleEndpoints } from '#app/endpoints/console.ts'
import { hookEndpoints } from '#app/endpoints/hooks.ts'
import { memberEndpoints } from '#app/endpoints/member.ts'
import { partnerEndpoints } from '#app/endpoints/partner.ts'
import { type Parts, share } from '#app/endpoints/shared.ts'
import { siteDeps } from '#app/endpoints/site.ts'
import type { Runtime } from '#app/runtime.ts'
import type { Edge } from '#edge/server.ts'

// Every audience, each with its own flows.
export function createEdge(runtime: Runtime, parts: Parts): Edge {
  const shared = share(runtime, parts)
  return {
    site: siteDeps(shared),
    partner: partnerEndpoints(shared),
    hooks: hookEndpoints(shared),
    member: memberEndpoints(shared),
    console: consoleEndpoints(shared),
  }
}
