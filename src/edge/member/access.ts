import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookieSetting, deviceCookie, devicesOf, sessionCookie, sessionsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { countedAddress } from '#edge/http/forwarding.ts'
import { languageOf } from '#edge/http/language.ts'
import type { CountSession } from '#edge/http/request-rate.ts'
import type { Limited } from '#flows/guesses/guard-guesses.ts'
import type {
  Continued,
  ContinueOutcome,
  ContinueSession,
  Visitor,
} from '#flows/sessions/continue-session.ts'
import type { Browser } from '#flows/sessions/open-session.ts'
import { deviceLabel } from '#modules/accounts/rules.ts'
import type { DeviceId, SessionId, SessionKind } from '#modules/sessions/types.ts'

export type { Visitor } from '#flows/sessions/continue-session.ts'

// The caller of every route behind a session: under /member a member who logged in, under /webview/member a partner's
// user.
export interface Access {
  // 401 if there is no session.
  visitor(request: FastifyRequest): Promise<Visitor>
  // Also 403 if identity must be verified first.
  trusted(request: FastifyRequest): Promise<Visitor>
}

export interface MemberAccess extends Access {
  readonly cookie: CookieSetting<SessionKind>
  // With the details that only the session's own routes need. Undefined if there is no session.
  session(request: FastifyRequest): Promise<Continued | undefined>
  // Also says why there is no session.
  look(request: FastifyRequest): Promise<ContinueOutcome>
  browser(request: FastifyRequest): Browser
  // The address that the caller's failures are counted by.
  address(request: FastifyRequest): string | undefined
  remember(reply: FastifyReply, opened: { session: SessionId; devices: DeviceId }, framed: boolean): void
}

export interface AccessDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  continueSession: ContinueSession
}

// One for the member's pages and one for the web view. A cookie of one opens nothing in the other.
export function createAccess(
  deps: AccessDeps,
  cookie: CookieSetting<SessionKind>,
  count: CountSession,
): MemberAccess {
  async function look(request: FastifyRequest): Promise<ContinueOutcome> {
    const outcome = await deps.continueSession(cookie.sessionKind, sessionsOf(request, cookie))
    if (outcome.kind !== 'continued') return outcome
    // Before the rate limit, so that the record of a refused request names its member, too.
    request.memberId = outcome.visitor.memberId
    await count(outcome.visitor.sessionId)
    return outcome
  }
  async function session(request: FastifyRequest): Promise<Continued | undefined> {
    const outcome = await look(request)
    return outcome.kind === 'continued' ? outcome : undefined
  }
  async function visitor(request: FastifyRequest): Promise<Visitor> {
    const continued = await session(request)
    if (!continued) {
      // For the log: a cookie that opens nothing tells an ended session from a new visitor.
      const reason = sessionsOf(request, cookie).length > 0 ? 'session_over' : 'no_session'
      throw new ApiError('unauthorized').because(reason)
    }
    return continued.visitor
  }
  const address = (request: FastifyRequest) => countedAddress(deps, request)
  return {
    cookie,
    address,
    look,
    session,
    visitor,
    async trusted(request) {
      const found = await visitor(request)
      if (found.mustVerify) throw new ApiError('step_up_required')
      return found
    },
    browser: (request) => ({
      sessions: sessionsOf(request, cookie),
      devices: devicesOf(request, cookie),
      deviceLabel: deviceLabel(request.headers['user-agent']),
      address: address(request),
      // Kept at sign-up as the language of the member's notices (decisions/0033).
      language: languageOf(request),
    }),
    remember(reply, { session, devices }, framed) {
      // Always both: the ids of session and device change together (decisions/0032).
      reply.header('set-cookie', [
        sessionCookie(cookie, session, framed),
        deviceCookie(cookie, devices, framed),
      ])
    },
  }
}

// For acts that cannot be undone: a password or a known browser is not enough.
export function requireFresh(visitor: Visitor): Visitor {
  if (visitor.mustVerify || !visitor.fresh) throw new ApiError('step_up_required')
  return visitor
}

// Refuses people under 14, with the contact. Checked before a PIN or a price is looked up.
export function refuseUnder14(visitor: Visitor): Visitor {
  if (visitor.isUnder14) throw new ApiError('under_age')
  return visitor
}

// The caller learns when the next try may be made, and not what it was counted by.
export function tooMany({ retryAfterSeconds }: Limited): ApiError {
  return new ApiError('too_many_requests', [], retryAfterSeconds)
}
