import type { FastifyRequest } from 'fastify'
import type { EdgeDeps } from '#edge/types.ts'
import type { DeviceId, Door, SessionId } from '#modules/web-view/types.ts'

// The cookies of both doors. Each counts under its own path only, so that neither is ever sent to the other.
const NAMES = { member: 'ingot_member', web_view: 'ingot_webview' } as const
const PATHS = { member: '/member', web_view: '/webview' } as const
const DEVICE = 'ingot_device'
const DEVICE_SECONDS = 365 * 24 * 60 * 60
const MAX_COOKIES = 4 // one is usual, two or three are possible, more are somebody's game

export interface CookieSetting {
  door: Door
  path: string
  // Always, but for a sandbox that a phone on the same network reaches over plain http.
  secure: boolean
}

export function cookieSetting({ publicUrl, keyMode }: Pick<EdgeDeps, 'publicUrl' | 'keyMode'>, door: Door) {
  const { pathname, protocol, hostname } = new URL(publicUrl)
  const plainSandbox = keyMode === 'test' && protocol === 'http:'
  return {
    door,
    // A proxy may serve us under a path of its own; the browser knows that path only.
    path: `${pathname.replace(/\/+$/, '')}${PATHS[door]}`,
    secure: !plainSandbox || isThisMachine(hostname),
  }
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host)
}

// Every value of the session cookie. Someone who can set cookies for our domain can add one of their own, and the
// browser does not say which is whose.
export function sessionsOf(request: FastifyRequest, { door }: CookieSetting): string[] {
  return valuesOf(request, NAMES[door]).slice(0, MAX_COOKIES)
}

// The first is as good as any: a device that somebody planted is at most an unknown one.
export function deviceCookieOf(request: FastifyRequest): string | undefined {
  return valuesOf(request, DEVICE)[0]
}

function valuesOf(request: FastifyRequest, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const values = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []))
  return [...new Set(values)]
}

// Without an age: it goes with the browser. In a partner's frame we are a third party, and only a cookie that
// is kept apart for that partner's site is sent there at all.
export function sessionCookie(setting: CookieSetting, session: SessionId, framed: boolean): string {
  return `${NAMES[setting.door]}=${session.reveal()}; Path=${setting.path}; ${attributes(setting, framed)}`
}

export function deviceCookie(setting: CookieSetting, device: DeviceId, framed: boolean): string {
  const age = `Max-Age=${DEVICE_SECONDS}`
  return `${DEVICE}=${device.reveal()}; Path=${setting.path}; ${age}; ${attributes(setting, framed)}`
}

// Of both kinds, since the browser does not say which one it has. The device stays: it opens nothing.
export function expiredCookies(setting: CookieSetting): string[] {
  const kinds = setting.secure && setting.door === 'web_view' ? [false, true] : [false]
  return kinds.map(
    (framed) => `${NAMES[setting.door]}=; Path=${setting.path}; Max-Age=0; ${attributes(setting, framed)}`,
  )
}

function attributes({ secure }: CookieSetting, framed: boolean): string {
  if (!secure) return 'HttpOnly; SameSite=Lax'
  return framed ? 'HttpOnly; Secure; SameSite=None; Partitioned' : 'HttpOnly; Secure; SameSite=Lax'
}
