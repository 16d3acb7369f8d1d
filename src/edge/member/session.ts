import type { FastifyReply, FastifyRequest } from 'fastify'
import { hangUpOf } from '#edge/http/caller.ts'
import { expiredCookies, onboardingCookie, onboardingsOf, sessionsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import type { ContinueOutcome, ContinueSession } from '#flows/sessions/continue-session.ts'
import type { LogIn } from '#flows/sessions/log-in.ts'
import type { LogOut } from '#flows/sessions/log-out.ts'
import type { Opened } from '#flows/sessions/open-session.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { ANY, BODY } from './refusal-lists.ts'
import { NoContent, password } from './schema-parts.ts'

// The session.
export const SessionAnswer = object(
  'Session',
  {
    signedIn: Type.Boolean(),
    sandbox: Type.Boolean({ description: 'No real money, gold or silver.' }),
    kind: Type.Union([Type.Literal('member'), Type.Literal('web_view'), Type.Null()], {
      description: '`member`: by id and password. `web_view`: opened from a partner, without signing up.',
    }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Masked.', examples: ['홍*동'] }),
    loginId: Type.Union([Type.String(), Type.Null()]),
    partner: Type.Union([Type.String(), Type.Null()], {
      description: "The partner's name, in a web view.",
      examples: ['한빛페이 Hanbit Pay'],
    }),
    mustVerify: Type.Boolean({
      description:
        'Whether identity has to be verified before trading, withdrawing and changing the account.',
    }),
    undecidedLinks: Type.Integer({
      description: 'Partners that know this person, whom the member has neither confirmed nor refused.',
      minimum: 0,
    }),
    linkRefused: Type.Boolean({
      description:
        'Of a web view that has ended: the person has refused its link, and no app opens it again.',
    }),
  },
  { description: 'Who is signed in, how, and what this session may do.' },
)

const LoginBody = object('LoginRequest', {
  // No pattern: an id that cannot exist gets the answer of a wrong one.
  loginId: Type.String({ minLength: 1, maxLength: 64 }),
  password,
})

const ROUTES = {
  getSession: {
    url: '/session',
    schema: {
      operationId: 'getSession',
      summary: 'Who is signed in',
      tags: ['Session'],
      response: { 200: SessionAnswer, ...refusals('too_many_requests', ...ANY) },
    },
  },
  logIn: {
    url: '/login',
    schema: {
      operationId: 'logIn',
      summary: 'Log in with id and password',
      tags: ['Session'],
      body: LoginBody,
      response: { 200: SessionAnswer, ...refusals('wrong_login', 'too_many_requests', ...BODY) },
    },
  },
  logOut: {
    url: '/logout',
    schema: {
      operationId: 'logOut',
      summary: 'End this session',
      tags: ['Session'],
      response: { 204: NoContent, ...refusals(...BODY) },
    },
  },
} as const

// What answering with a new session needs.
export interface OpenedDeps extends Pick<HttpDeps, 'keyMode'> {
  continueSession: ContinueSession
}

interface Deps extends OpenedDeps {
  logOut: LogOut
  logIn: LogIn
  onboarding: Onboarding
}

// A web view has no log-in: the partner's hash key opened its session.
export function registerSession(scope: Server, deps: Deps, access: MemberAccess): void {
  const { getSession, logIn, logOut } = ROUTES
  scope.get(getSession.url, { schema: getSession.schema }, async (request) =>
    sessionAnswer(deps, await access.look(request)),
  )
  scope.post(logOut.url, { schema: logOut.schema }, async (request, reply) => {
    await deps.logOut(access.cookie.sessionKind, sessionsOf(request, access.cookie))
    // Also if the session was over already: the browser must not keep what looks like one.
    reply.header('set-cookie', expiredCookies(access.cookie))
    // A web view has no onboarding.
    if (access.cookie.sessionKind === 'member') await forgetOnboarding(deps, access, request, reply)
    return reply.code(204).send(null)
  })
  if (access.cookie.sessionKind === 'web_view') return
  scope.post(logIn.url, { schema: logIn.schema, ...jsonBody }, async (request, reply) => {
    const { loginId, password } = request.body
    const browser = access.browser(request)
    // A caller that hangs up while it waits costs no password check (decisions/0036).
    const outcome = await deps.logIn({ loginId, password, browser, hangUp: hangUpOf(reply) })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    // One answer for a wrong id and a wrong password: it does not say which ids exist.
    if (outcome.kind === 'refused') throw new ApiError('wrong_login')
    access.remember(reply, outcome, false)
    return openedAnswer(deps, outcome, request)
  })
}

// Leaves nothing for the next person at a shared computer.
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

// The same shape with and without a session, so that the pages need no error case for visitors.
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

// The answer for a session that was just opened, as the next request would find it.
export async function openedAnswer(deps: OpenedDeps, { session }: Opened, request: FastifyRequest) {
  const outcome = await deps.continueSession('member', [session.reveal()])
  // For the record of this request, which began without a session.
  if (outcome.kind === 'continued') request.memberId = outcome.visitor.memberId
  return sessionAnswer(deps, outcome)
}
