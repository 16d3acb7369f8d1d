import { cookieSetting } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { createProxyWatch } from '#edge/http/forwarding.ts'
import { guardPersonal } from '#edge/http/personal-answers.ts'
import { type CountAddress, createAddressRate, createSessionRate } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { SessionKind } from '#modules/sessions/types.ts'
import { type AccessDeps, createAccess, type MemberAccess } from './access.ts'
import { registerMemberDocument } from './document.ts'

// Below the path of each cookie, so that a browser sends the right one.
const PREFIXES: Record<SessionKind, string> = { member: '/member', web_view: '/webview/member' }

// Adds the routes of one subject for one kind of session. It gets every flow of the audience and names those that it
// calls.
type MemberRoutes<Deps> = (scope: Server, deps: Deps, access: MemberAccess, count: CountAddress) => void

interface Subjects<Deps> {
  both: readonly MemberRoutes<Deps>[]
  memberOnly: readonly MemberRoutes<Deps>[]
}

// The same routes twice, each with its own cookie: for members who log in, and for a partner's web view, where there
// is no account to manage.
export async function registerMember<Deps extends AccessDeps & HttpDeps>(
  server: Server,
  deps: Deps,
  { both, memberOnly }: Subjects<Deps>,
): Promise<void> {
  const watchProxy = createProxyWatch(deps)
  const countSession = createSessionRate(deps.takeToken)
  const countAddress = createAddressRate(deps.takeToken)
  // Both share one set of counters: an address cannot double its limit by using both.
  for (const sessionKind of ['member', 'web_view'] as const) {
    await server.register(
      async (scope: Server) => {
        guardPersonal(scope, deps, watchProxy)
        // The web view has the same operations, so one document describes both.
        if (sessionKind === 'member') await registerMemberDocument(scope, deps)
        const access = createAccess(deps, cookieSetting(deps, sessionKind), countSession)
        const subjects = sessionKind === 'member' ? [...both, ...memberOnly] : both
        for (const register of subjects) register(scope, deps, access, countAddress)
      },
      { prefix: PREFIXES[sessionKind] },
    )
  }
}
