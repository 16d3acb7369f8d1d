import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { OnboardingToken } from '#modules/onboarding/types.ts'
import { CEREMONY_SECONDS } from '#modules/passkeys/rules.ts'
import type { CeremonyToken } from '#modules/passkeys/types.ts'
import { readDevices } from '#modules/sessions/rules.ts'
import type { DeviceId, Door, SessionId } from '#modules/sessions/types.ts'

// The cookies of both doors. The web view's count under its own path only. So do the member's, but where the prefix that
// keeps other hosts from setting them asks for the whole host.
const NAMES = { member: 'ingot_member', web_view: 'ingot_webview' } as const
const PATHS = { member: '/member', web_view: '/webview' } as const
const DEVICE = 'ingot_device'
const ONBOARDING = 'ingot_onboarding'
const ONBOARDING_SECONDS = 60 * 60 // its longest; the service decides when it is over
const PASSKEY = 'ingot_passkey'
const DEVICE_SECONDS = 365 * 24 * 60 * 60
const MAX_COOKIES = 4 // one is usual, two or three are possible, more are somebody's game

export interface CookieSetting {
  door: Door
  // `__Host-` or `__Secure-` where browsers heed it, which is under https. Then no other name counts.
  prefix: string
  path: string
  // Where the pages of the door are.
  pages: string
  // Always, but for a sandbox that a phone on the same network reaches over plain http.
  secure: boolean
}

export function cookieSetting({ publicUrl, keyMode }: Pick<HttpDeps, 'publicUrl' | 'keyMode'>, door: Door) {
  const { pathname, protocol, hostname } = new URL(publicUrl)
  const plainSandbox = keyMode === 'test' && protocol === 'http:'
  // A proxy may serve us under a path of its own; the browser knows that path only.
  const base = pathname.replace(/\/+$/, '')
  const pages = `${base}${PATHS[door]}`
  // `__Host-` counts for the whole host: not where it has others than us, nor for the web view, whose cookies count under
  // /webview only.
  const whole = protocol === 'https:' && door === 'member' && base === ''
  return {
    door,
    prefix: protocol === 'https:' ? (whole ? '__Host-' : '__Secure-') : '',
    path: whole ? '/' : pages,
    pages,
    secure: !plainSandbox || isThisMachine(hostname),
  }
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host)
}

// Every value of the session cookie. Someone who can set cookies for our domain can add one of their own, and the
// browser does not say which is whose.
export function sessionsOf(request: FastifyRequest, { door, prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + NAMES[door]).slice(0, MAX_COOKIES)
}

// Those that somebody planted are at most unknown ones.
export function devicesOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return readDevices(valuesOf(request, prefix + DEVICE))
}

export function onboardingsOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + ONBOARDING).slice(0, MAX_COOKIES)
}

function valuesOf(request: FastifyRequest, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const values = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []))
  return [...new Set(values)]
}

// Without an age: it goes with the browser. In a partner's frame we are a third party, and only a cookie that
// is kept apart for that partner's site is sent there at all.
export function sessionCookie(setting: CookieSetting, session: SessionId, framed: boolean): string {
  const name = setting.prefix + NAMES[setting.door]
  return `${name}=${session.reveal()}; Path=${setting.path}; ${attributes(setting, framed)}`
}

export function deviceCookie(setting: CookieSetting, devices: DeviceId, framed: boolean): string {
  const age = `Max-Age=${DEVICE_SECONDS}`
  return `${setting.prefix}${DEVICE}=${devices.reveal()}; Path=${setting.path}; ${age}; ${attributes(setting, framed)}`
}

// At the member's own door only, where nothing is framed. Only our own pages need it, so it does not come along from
// anywhere else.
export function onboardingCookie(setting: CookieSetting, token: OnboardingToken | null): string {
  const [value, age] = token ? [token.reveal(), ONBOARDING_SECONDS] : ['', 0]
  const secure = setting.secure ? 'Secure; ' : ''
  const rest = `HttpOnly; ${secure}SameSite=Strict`
  return `${setting.prefix}${ONBOARDING}=${value}; Path=${setting.path}; Max-Age=${age}; ${rest}`
}

// Of a passkey that is being made or used, in the member's own pages.
export function passkeyCookie(setting: CookieSetting, token: CeremonyToken): string {
  const age = `Max-Age=${CEREMONY_SECONDS}`
  return `${setting.prefix}${PASSKEY}=${token.reveal()}; Path=${setting.path}; ${age}; ${attributes(setting, false)}`
}

export function ceremoniesOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + PASSKEY).slice(0, MAX_COOKIES)
}

// Of both kinds, since the browser does not say which one it has. The device stays: it opens nothing.
export function expiredCookies(setting: CookieSetting): string[] {
  const kinds = setting.secure && setting.door === 'web_view' ? [false, true] : [false]
  const name = setting.prefix + NAMES[setting.door]
  return kinds.map((framed) => `${name}=; Path=${setting.path}; Max-Age=0; ${attributes(setting, framed)}`)
}

function attributes({ secure }: CookieSetting, framed: boolean): string {
  if (!secure) return 'HttpOnly; SameSite=Lax'
  return framed ? 'HttpOnly; Secure; SameSite=None; Partitioned' : 'HttpOnly; Secure; SameSite=Lax'
}
