import type { FastifyRequest } from 'fastify'
import { ApiError } from '#edge/http/errors.ts'
import type { CountSession } from '#edge/http/request-rate.ts'
import type { ContinueStaff } from '#flows/staff/continue-staff.ts'
import { isAllowed, type Permission } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import type { CountPeople } from './people-rate.ts'

// Whom a route is for. `operator`: the operator's own staff. `own`: a partner's staff as well, and the handler answers
// them only about what belongs to `staff.partnerId`; anything else is 404, as if it did not exist.
type Tenant = 'operator' | 'own'

interface Guard {
  permission: Permission
  tenant: Tenant
  // Also needs identity to be proved within the last minutes: a stolen cookie is not enough.
  fresh: boolean
}

// What a route declares about itself. 'open' is for callers without a session.
type Declared = Guard | 'open'

declare module 'fastify' {
  interface FastifyRequest {
    staff: Staff | null
  }
  interface FastifyContextConfig {
    console?: Declared
  }
}

export interface ConsoleAccess {
  // Options of a route: `scope.get(url, { ...access.may('cards.read', 'own'), schema }, …)`.
  may(permission: Permission, tenant: Tenant): RouteOptions
  // The same for what cannot be undone, and for every act that takes two people.
  mayWithProof(permission: Permission, tenant: Tenant): RouteOptions
  // Signing in, and what a visitor sees before that.
  open(): { config: { console: 'open' } }
  sessionsOf(request: FastifyRequest): readonly string[]
  // Before anybody is looked for by name or number.
  countPeople: CountPeople
}

interface RouteOptions {
  config: { console: Guard }
  onRequest: (request: FastifyRequest) => Promise<void>
}

interface AccessParts {
  continueStaff: ContinueStaff
  sessionsOf(request: FastifyRequest): readonly string[]
  count: CountSession
  countPeople: CountPeople
}

export function createConsoleAccess({
  continueStaff,
  sessionsOf,
  count,
  countPeople,
}: AccessParts): ConsoleAccess {
  const guarded = (guard: Guard): RouteOptions => ({
    config: { console: guard },
    // Before the body is read.
    async onRequest(request) {
      // All of them: two that are both alive open nothing, since one may be planted.
      const sessions = sessionsOf(request)
      // Without a cookie the database is not asked.
      const staff = sessions.length > 0 ? await continueStaff(sessions) : undefined
      if (!staff) {
        throw new ApiError('unauthorized').because(sessions.length > 0 ? 'session_over' : 'no_session')
      }
      // Before anything is refused: the record of the request says whose it was.
      request.staff = staff
      // Before the role is looked at, so that refused calls count, too.
      await count(staff.sessionId)
      refuseStaff(staff, guard)
    },
  })
  return {
    may: (permission, tenant) => guarded({ permission, tenant, fresh: false }),
    mayWithProof: (permission, tenant) => guarded({ permission, tenant, fresh: true }),
    open: () => ({ config: { console: 'open' } }),
    sessionsOf,
    countPeople,
  }
}

function refuseStaff(staff: Staff, { permission, tenant, fresh }: Guard): void {
  const isForeign = tenant === 'operator' && staff.partnerId !== null
  // A partner's staff on an operator's route get the answer of a role without the permission.
  if (isForeign || !isAllowed(staff.role, permission)) {
    throw new ApiError('forbidden').because('role_missing')
  }
  // Last: a person is not asked to prove identity for something that the role forbids.
  if (fresh && !staff.fresh) throw new ApiError('proof_required')
}

// Of a route behind `may`.
export function staffOf({ staff }: FastifyRequest): Staff {
  // A mistake in code: an open route has no staff.
  if (!staff) throw new Error('the route names no permission')
  return staff
}
