import { refusals } from '#edge/http/error-answers.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { ContinueStaff } from '#flows/staff/continue-staff.ts'
import { permissionsOf } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import type { ConsoleAccess } from './access.ts'
import { PERMISSION, ROLE } from './roles.ts'

const SessionAnswer = object(
  'ConsoleSession',
  {
    signedIn: Type.Boolean(),
    sandbox: Type.Boolean(),
    staff: Type.Union([
      object('SignedInStaff', {
        email: Type.String(),
        name: Type.String(),
        role: ROLE,
      }),
      Type.Null(),
    ]),
    permissions: Type.Array(PERMISSION),
    singlePerson: Type.Boolean({
      description: 'Whoever asks may also approve: a declared mode of a sandbox.',
    }),
    fresh: Type.Boolean({ description: 'Identity was proved within the last ten minutes.' }),
  },
  { description: 'Who is signed in, and what they may do.' },
)

const SCHEMA = {
  operationId: 'consoleSession',
  summary: 'Who is signed in',
  tags: ['Session'],
  security: [],
  response: {
    200: SessionAnswer,
    ...refusals('invalid_request', 'too_many_requests', 'internal_error', 'service_unavailable'),
  },
}

interface SessionDeps {
  keyMode: 'test' | 'live'
  continueStaff: ContinueStaff
}

export function registerSession(scope: Server, deps: SessionDeps, access: ConsoleAccess): void {
  scope.get('/session', { ...access.open(), schema: SCHEMA }, async (request) => {
    const sessions = access.sessionsOf(request)
    const staff = sessions.length > 0 ? await deps.continueStaff(sessions) : undefined
    return sessionJson(deps, staff)
  })
}

function sessionJson({ keyMode }: Pick<SessionDeps, 'keyMode'>, staff: Staff | undefined) {
  return {
    signedIn: staff !== undefined,
    sandbox: keyMode === 'test',
    staff: staff ? { email: staff.email, name: staff.name, role: staff.role } : null,
    permissions: staff ? permissionsOf(staff.role) : [],
    singlePerson: staff?.singlePerson ?? false,
    fresh: staff?.fresh ?? false,
  }
}
