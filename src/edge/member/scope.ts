import type { FastifyRequest } from 'fastify'
import { cookieSetting } from '#edge/http/cookies.ts'
import { ApiError } from '#edge/http/errors.ts'
import { createProxyWatch } from '#edge/http/forwarding.ts'
import {
  type CountAddress,
  type CountSession,
  createAddressRate,
  createSessionRate,
} from '#edge/http/request-rate.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { Door } from '#modules/sessions/types.ts'
import { createAccess, refuseForeign } from './access.ts'
import { registerAccount } from './account.ts'
import { registerAssets } from './assets.ts'
import { registerCards } from './cards.ts'
import { registerMemberDocument } from './document.ts'
import { registerIdentity } from './identity.ts'
import { registerIssuedStatements } from './issued-statements.ts'
import { registerLinks } from './links.ts'
import { registerOnboarding } from './onboarding.ts'
import { registerPasskeys } from './passkeys.ts'
import { registerPrices } from './prices.ts'
import { registerSession } from './session.ts'
import { registerSignup } from './signup.ts'
import { registerStop } from './stop.ts'
import { registerTrade } from './trade.ts'
import { registerWithdrawals } from './withdrawals.ts'

const PREFIXES: Record<Door, string> = { member: '/member', web_view: '/webview/member' }

// The same routes twice: for members who log in, and for the web view of a partner, where there is no account to look
// after. Each with its own cookie.
export async function registerMember(server: Server, deps: EdgeDeps): Promise<void> {
  const watchProxy = createProxyWatch(deps)
  const rates = { session: createSessionRate(), address: createAddressRate() }
  for (const door of ['member', 'web_view'] as const) {
    await server.register(
      async (scope: Server) => {
        guardScope(scope, deps, watchProxy)
        if (door === 'member') await registerMemberDocument(scope, deps)
        registerRoutes(scope, deps, door, rates)
        // Otherwise what is not there would be taken for a hash key.
        if (door === 'web_view') scope.all('/*', { schema: { hide: true } }, refuseUnknown)
      },
      { prefix: PREFIXES[door] },
    )
  }
}

async function refuseUnknown(): Promise<never> {
  throw new ApiError('not_found')
}

function registerRoutes(
  scope: Server,
  deps: EdgeDeps,
  door: Door,
  rates: { session: CountSession; address: CountAddress },
): void {
  const access = createAccess(deps, cookieSetting(deps, door), rates.session)
  registerSession(scope, deps, access)
  registerIdentity(scope, deps, access)
  registerCards(scope, deps, access)
  registerLinks(scope, deps, access)
  registerPrices(scope, deps)
  registerTrade(scope, deps, access)
  registerAssets(scope, deps, access)
  if (door === 'web_view') return
  // Won leave by the member's own door only: a bank pays to the name that the account was verified under.
  registerWithdrawals(scope, deps, access)
  registerStop(scope, deps, access)
  registerIssuedStatements(scope, deps, access)
  registerOnboarding(scope, deps, access, rates.address)
  registerSignup(scope, deps, access)
  registerAccount(scope, deps, access)
  registerPasskeys(scope, deps, access, rates.address)
}

// Answers are about one person: nobody frames them or reads them from elsewhere.
function guardScope(scope: Server, deps: EdgeDeps, watchProxy: (request: FastifyRequest) => void): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    watchProxy(request)
    refuseForeign(request, deps)
  })
}
