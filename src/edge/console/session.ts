import { refusals } from '#edge/http/error-answers.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { ContinueStaff } from '#flows/staff/continue-staff.ts'
import type { StaffOpened } from '#flows/staff/open-session.ts'
import type { StaffSignOut } from '#flows/staff/sign-out.ts'
import { permissionsOf } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import type { ConsoleAccess } from './access.ts'
import { type BrowserDeps, consoleBrowser } from './browser.ts'
import { OPEN_BODY, OPEN_ONLY } from './refusal-lists.ts'
import { PERMISSION, ROLE } from './roles.ts'

export const SessionAnswer = object(
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

const ROUTES = {
  consoleSession: {
    url: '/session',
    schema: {
      operationId: 'consoleSession',
      summary: 'Who is signed in',
      tags: ['Session'],
      security: [],
      response: { 200: SessionAnswer, ...refusals(...OPEN_ONLY) },
    },
  },
  signOut: {
    url: '/sign-out',
    schema: {
      operationId: 'signOut',
      summary: 'Sign out',
      tags: ['Session'],
      security: [],
      response: { 204: Type.Null(), ...refusals(...OPEN_BODY) },
    },
  },
} as const

export interface SessionDeps extends BrowserDeps {
  continueStaff: ContinueStaff
}

export function registerSession(
  scope: Server,
  deps: SessionDeps & { signOut: StaffSignOut },
  access: ConsoleAccess,
): void {
  const browser = consoleBrowser(deps)
  const { consoleSession, signOut } = ROUTES
  // Open, because the pages ask this before anybody is signed in.
  scope.get(consoleSession.url, { ...access.open(), schema: consoleSession.schema }, async (request) => {
    const sessions = access.sessionsOf(request)
    return sessionJson(deps, sessions.length > 0 ? await deps.continueStaff(sessions) : undefined)
  })
  // Open, so that a session that is over can be signed out, too.
  scope.post(signOut.url, { ...access.open(), schema: signOut.schema }, async (request, reply) => {
    await deps.signOut(access.sessionsOf(request))
    // Also if the session was over already: the browser must not keep what looks like one.
    browser.forget(reply)
    return reply.code(204).send(null)
  })
}

function sessionJson({ keyMode }: Pick<SessionDeps, 'keyMode'>, staff: Staff | undefined) {
  return {
    signedIn: staff !== undefined,
    sandbox: keyMode === 'test',
    staff: staff ? { email: staff.email, name: staff.name, role: staff.role } : null,
    // The pages hide what the role forbids. The service refuses it in any case.
    permissions: staff ? permissionsOf(staff.role) : [],
    singlePerson: staff?.singlePerson ?? false,
    fresh: staff?.fresh ?? false,
  }
}

// The answer for a session that was just opened or renewed, as the next request would find it.
export async function openedAnswer(deps: SessionDeps, { session }: StaffOpened) {
  return sessionJson(deps, await deps.continueStaff([session.reveal()]))
}
