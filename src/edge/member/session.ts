import type { FastifyReply, FastifyRequest } from 'fastify'
import { hangUpOf } from '#edge/http/caller.ts'
import { expiredCookies, onboardingCookie, onboardingsOf, sessionsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import type { ContinueOutcome, ContinueSession } from '#flows/sessions/continue-session.ts'
import type { LogIn } from '#flows/sessions/log-in.ts'
import type { LeaveSession } from '#flows/sessions/log-out.ts'
import type { Opened } from '#flows/sessions/open-session.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { MEMBER_ROUTES } from './routes.ts'

// To answer with a session that was just opened.
export interface OpenedDeps extends Pick<HttpDeps, 'keyMode'> {
  continueSession: ContinueSession
}

interface Deps extends OpenedDeps {
  leaveSession: LeaveSession
  logIn: LogIn
  onboarding: Onboarding
}

export function registerSession(scope: Server, deps: Deps, access: MemberAccess): void {
  const { getSession, logIn, logOut } = MEMBER_ROUTES
  scope.get(getSession.url, { schema: getSession.schema }, async (request) =>
    sessionAnswer(deps, await access.look(request)),
  )
  scope.post(logOut.url, { schema: logOut.schema }, async (request, reply) => {
    await deps.leaveSession(access.cookie.door, sessionsOf(request, access.cookie))
    reply.header('set-cookie', expiredCookies(access.cookie))
    if (access.cookie.door === 'member') await forgetOnboarding(deps, access, request, reply)
    return reply.code(204).send(null)
  })
  if (access.cookie.door === 'web_view') return
  scope.post(logIn.url, { schema: logIn.schema, ...jsonBody }, async (request, reply) => {
    const { loginId, password } = request.body
    const browser = access.browser(request)
    const outcome = await deps.logIn({ loginId, password, browser, hangUp: hangUpOf(reply) })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw new ApiError('wrong_login')
    access.remember(reply, outcome, false)
    return openedAnswer(deps, outcome)
  })
}

// Nothing stays for the next one at a shared computer.
export async function forgetOnboarding(
  { onboarding }: Pick<Deps, 'onboarding'>,
  { cookie }: MemberAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const tokens = onboardingsOf(request, cookie)
  if (tokens.length === 0) return
  await onboarding.end(tokens)
  reply.header('set-cookie', onboardingCookie(cookie, null))
}

function sessionAnswer({ keyMode }: OpenedDeps, outcome: ContinueOutcome) {
  const continued = outcome.kind === 'continued' ? outcome : undefined
  const visitor = continued?.visitor
  return {
    signedIn: visitor !== undefined,
    sandbox: keyMode === 'test',
    kind: visitor?.kind ?? null,
    name: visitor?.maskedName ?? null,
    loginId: visitor?.loginId ?? null,
    partner: visitor?.partnerName ?? null,
    mustVerify: visitor?.mustVerify ?? false,
    undecidedLinks: continued?.undecidedLinks ?? 0,
    linkRefused: outcome.kind === 'ended' && outcome.linkRefused,
  }
}

// Of a session that was opened a moment ago, as the next request would find it.
export async function openedAnswer(deps: OpenedDeps, { session }: Opened) {
  return sessionAnswer(deps, await deps.continueSession('member', [session.reveal()]))
}
