import type { FastifyRequest } from 'fastify'
import type { SessionId } from '#modules/web-view/types.ts'

const NAME = 'ingot_webview'
const MAX_COOKIES = 4 // one is usual, two or three are possible, more are somebody's game

// Every value of the cookie's name. Someone who can set cookies for our domain can add one of their own, and
// the browser does not say which is whose.
export function sessionsOf(request: FastifyRequest): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const values = pairs.flatMap((pair) => (pair.startsWith(`${NAME}=`) ? pair.slice(NAME.length + 1) : []))
  return [...new Set(values)].slice(0, MAX_COOKIES)
}

export interface CookieSetting {
  path: string
  // Always, but for a sandbox that a phone on the same network reaches over plain http.
  secure: boolean
}

// Without an age: it goes with the browser. In a partner's frame we are a third party, and only a cookie that
// is kept apart for that partner's site is sent there at all.
export function sessionCookie(setting: CookieSetting, session: SessionId, framed: boolean): string {
  return `${NAME}=${session.reveal()}; Path=${setting.path}; ${attributes(setting, framed)}`
}

// Of both kinds, since the browser does not say which one it has.
export function expiredCookies(setting: CookieSetting): string[] {
  const kinds = setting.secure ? [false, true] : [false]
  return kinds.map((framed) => `${NAME}=; Path=${setting.path}; Max-Age=0; ${attributes(setting, framed)}`)
}

function attributes({ secure }: CookieSetting, framed: boolean): string {
  if (!secure) return 'HttpOnly; SameSite=Lax'
  return framed ? 'HttpOnly; Secure; SameSite=None; Partitioned' : 'HttpOnly; Secure; SameSite=Lax'
}
