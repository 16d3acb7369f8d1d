import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type CookieSetting,
  ceremoniesOf,
  cookieSetting,
  expiredCookies,
  passkeyCookie,
  sessionCookie,
  sessionsOf,
} from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { countedAddress } from '#edge/http/forwarding.ts'
import type { StaffBrowser } from '#flows/staff/open-session.ts'
import { deviceLabel } from '#modules/accounts/rules.ts'
import type { CeremonyToken } from '#modules/passkeys/types.ts'
import type { StaffSessionId } from '#modules/staff/secrets.ts'

export type BrowserDeps = Pick<HttpDeps, 'publicUrl' | 'keyMode' | 'trustedProxies'>

// The browser at the other end: what it brings, and what it is to keep.
export interface ConsoleBrowser {
  readonly cookie: CookieSetting
  of(request: FastifyRequest): StaffBrowser
  // The address that failures are counted by.
  address(request: FastifyRequest): string | undefined
  ceremonies(request: FastifyRequest): string[]
  keepSession(reply: FastifyReply, session: StaffSessionId): void
  keepCeremony(reply: FastifyReply, token: CeremonyToken): void
  forget(reply: FastifyReply): void
}

export function consoleBrowser(deps: BrowserDeps): ConsoleBrowser {
  const cookie = cookieSetting(deps, 'console')
  const address = (request: FastifyRequest) => countedAddress(deps, request)
  return {
    cookie,
    address,
    of: (request) => ({
      sessions: sessionsOf(request, cookie),
      deviceLabel: deviceLabel(request.headers['user-agent']),
      address: address(request),
    }),
    ceremonies: (request) => ceremoniesOf(request, cookie),
    keepSession: (reply, session) => void reply.header('set-cookie', sessionCookie(cookie, session, false)),
    keepCeremony: (reply, token) => void reply.header('set-cookie', passkeyCookie(cookie, token)),
    forget: (reply) => void reply.header('set-cookie', expiredCookies(cookie)),
  }
}
