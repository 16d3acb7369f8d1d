import type { preHandlerHookHandler, RouteOptions } from 'fastify'
import { runActing } from '#base/acting.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import { callerAddress } from '#edge/http/caller.ts'
import { cookieSetting, sessionsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { createProxyWatch } from '#edge/http/forwarding.ts'
import { guardPersonal } from '#edge/http/personal-answers.ts'
import { type CountAddress, createAddressRate, createSessionRate } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { ContinueStaff } from '#flows/staff/continue-staff.ts'
import { type ConsoleAccess, createConsoleAccess } from './access.ts'
import { registerConsoleDocument } from './document.ts'
import { createPeopleRate } from './people-rate.ts'

// Adds the routes of one subject. It gets every flow of the console and names those that it calls.
export type ConsoleRoutes<Deps> = (
  scope: Server,
  deps: Deps,
  access: ConsoleAccess,
  count: CountAddress,
) => void

const CONSOLE_API = '/console/api'

export async function registerConsole<
  Deps extends HttpDeps & { continueStaff: ContinueStaff; keys: VaultKeeper },
>(server: Server, deps: Deps, subjects: readonly ConsoleRoutes<Deps>[]): Promise<void> {
  const cookie = cookieSetting(deps, 'console')
  const access = createConsoleAccess({
    continueStaff: deps.continueStaff,
    sessionsOf: (request) => sessionsOf(request, cookie),
    count: createSessionRate(deps.takeToken),
    countPeople: createPeopleRate(deps.takeToken),
  })
  const countAddress = createAddressRate(deps.takeToken)
  await server.register(
    async (scope: Server) => {
      scope.decorateRequest('staff', null)
      // After the guards of the routes, which find out who it is.
      scope.addHook('preHandler', sayWhoActs(deps))
      guardPersonal(scope, deps, createProxyWatch(deps))
      await registerConsoleDocument(scope, deps)
      // After the document, whose own route needs no permission.
      scope.addHook('onRoute', requireGuard)
      for (const register of subjects) register(scope, deps, access, countAddress)
    },
    { prefix: CONSOLE_API },
  )
}

// Audit entries of this request say from where. With a callback: whatever runs after it is inside.
function sayWhoActs({ keys }: { keys: VaultKeeper }): preHandlerHookHandler {
  return (request, _reply, done) => {
    const { staff } = request
    // The address itself, not the one that failures are counted by: the log says from where.
    const place = { by: 'console', address: callerAddress(request) }
    const from = staff ? { ...place, session: staff.sessionId } : place
    runActing({ actor: staff?.actor ?? null, from, keys }, done)
  }
}

// A route that names no permission would be open to everybody: the service does not start with one. The document says
// what each one takes.
function requireGuard(route: RouteOptions): void {
  const { url, config, schema } = route
  if (config?.refuses) return
  const declared = config?.console
  if (declared === undefined) throw new Error(`${url} names no permission: see access.ts`)
  if (declared === 'open') return
  // What the document leaves out, the test of roles and tenants does not see.
  if ((schema as { hide?: boolean })?.hide) throw new Error(`${url} is hidden: describe it`)
  const { permission, tenant, fresh } = declared
  Object.assign(route, {
    schema: { ...schema, 'x-permission': permission, 'x-tenant': tenant, 'x-fresh-proof': fresh },
  })
}
