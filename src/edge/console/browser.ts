import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type CookieSetting,
  ceremoniesOf,
  cookieSetting,
  expiredCookies,
  passkeyCookie,
  sessionCookie,
  sessionsOf,
  staffDeviceCookie,
  staffDevicesOf,
} from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { countedAddress } from '#edge/http/forwarding.ts'
import type { StaffBrowser, StaffOpened } from '#flows/staff/open-session.ts'
import { deviceLabel } from '#modules/accounts/rules.ts'
import type { CeremonyToken } from '#modules/passkeys/types.ts'

export type BrowserDeps = Pick<HttpDeps, 'publicUrl' | 'keyMode' | 'trustedProxies'>

// The browser at the other end: what it brings, and what it is to keep.
export interface ConsoleBrowser {
  readonly cookie: CookieSetting
  of(request: FastifyRequest): StaffBrowser
  // The address that failures are counted by.
  address(request: FastifyRequest): string | undefined
  ceremonies(request: FastifyRequest): string[]
  keepOpened(reply: FastifyReply, opened: StaffOpened): void
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
      devices: staffDevicesOf(request, cookie),
    }),
    ceremonies: (request) => ceremoniesOf(request, cookie),
    keepOpened(reply, { session, device }) {
      reply.header('set-cookie', sessionCookie(cookie, session, false))
      // Only a sign-in with a password makes a browser known (decisions/0076).
      if (device) reply.header('set-cookie', staffDeviceCookie(cookie, device))
    },
    keepCeremony: (reply, token) => void reply.header('set-cookie', passkeyCookie(cookie, token)),
    // The cookie of a known browser stays: it opens nothing by itself.
    forget: (reply) => void reply.header('set-cookie', expiredCookies(cookie)),
  }
}
