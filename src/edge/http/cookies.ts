import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { OnboardingToken } from '#modules/onboarding/types.ts'
import { CEREMONY_SECONDS } from '#modules/passkeys/rules.ts'
import type { CeremonyToken } from '#modules/passkeys/types.ts'
import { readDevices } from '#modules/sessions/rules.ts'
import type { DeviceId, SessionId, SessionKind } from '#modules/sessions/types.ts'
import type { StaffDeviceToken } from '#modules/staff/known-device.ts'
import type { StaffSessionId } from '#modules/staff/secrets.ts'
import type { SignOnToken } from '#modules/staff/sign-on-attempt.ts'

// The cookies of the member's pages, of the console and of the web view. The web view's cookies count under its own path only. So do
// the others, unless the `__Host-` prefix, which keeps other hosts from setting them, requires the whole host.
const NAMES = { member: 'ingot_member', web_view: 'ingot_webview', console: 'ingot_console' } as const
const PATHS = { member: '/member', web_view: '/webview', console: '/console' } as const
const DEVICE = 'ingot_device'
const ONBOARDING = 'ingot_onboarding'
const ONBOARDING_SECONDS = 60 * 60 // its longest; the service decides when it is over
const PASSKEY = 'ingot_passkey'
const SIGN_ON = 'ingot_sign_on'
const SIGN_ON_SECONDS = 10 * 60 // to type a password and a code at the provider
const STAFF_DEVICE = 'ingot_console_device'
const DEVICE_SECONDS = 365 * 24 * 60 * 60
const MAX_COOKIES = 4 // one is usual, two or three are possible, more are an attack

// The audience whose cookies they are.
type CookieKind = SessionKind | 'console'

export interface CookieSetting<Kind extends CookieKind = CookieKind> {
  sessionKind: Kind
  // `__Host-` or `__Secure-` under https, where browsers enforce it. Then cookies of any other name are ignored.
  prefix: string
  path: string
  // The path of the pages.
  pages: string
  // Always set, except in a sandbox that a phone on the same network reaches over plain http.
  secure: boolean
}

export function cookieSetting<Kind extends CookieKind>(
  { publicUrl, keyMode }: Pick<HttpDeps, 'publicUrl' | 'keyMode'>,
  sessionKind: Kind,
): CookieSetting<Kind> {
  const { pathname, protocol, hostname } = new URL(publicUrl)
  const plainSandbox = keyMode === 'test' && protocol === 'http:'
  // A proxy may serve us under a path of its own, and the browser knows only that path.
  const base = pathname.replace(/\/+$/, '')
  const pages = `${base}${PATHS[sessionKind]}`
  // `__Host-` counts for the whole host. So it is not used on a host that we share, nor for the web view, whose
  // cookies count under /webview only.
  const whole = protocol === 'https:' && sessionKind !== 'web_view' && base === ''
  return {
    sessionKind,
    prefix: protocol === 'https:' ? (whole ? '__Host-' : '__Secure-') : '',
    path: whole ? '/' : pages,
    pages,
    secure: !plainSandbox || isThisMachine(hostname),
  }
}

// Most browsers accept `Secure` cookies over plain http from this machine.
function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host)
}

// Every value of the session cookie. Another host of our domain can add one of its own, and the browser does not say
// which is whose.
export function sessionsOf(request: FastifyRequest, { sessionKind, prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + NAMES[sessionKind]).slice(0, MAX_COOKIES)
}

// Planted ids are unknown at most.
export function devicesOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return readDevices(valuesOf(request, prefix + DEVICE))
}

// A planted cookie may stand beside ours, so all are read. The flow decides what two ids mean.
export function onboardingsOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + ONBOARDING).slice(0, MAX_COOKIES)
}

// Browsers send one pair for each path and host that set the name, without saying which is whose.
function valuesOf(request: FastifyRequest, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const values = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []))
  // The same value under two paths is one session, not two.
  return [...new Set(values)]
}

// Without an age the cookie ends with the browser. In a partner's frame we are a third party: browsers send only a
// cookie that is kept apart for that partner's site.
export function sessionCookie(
  setting: CookieSetting,
  session: SessionId | StaffSessionId,
  framed: boolean,
): string {
  const name = setting.prefix + NAMES[setting.sessionKind]
  return `${name}=${session.reveal()}; Path=${setting.path}; ${attributes(setting, framed)}`
}

// Outlives the session: it is how a browser stays known. It opens nothing by itself.
export function deviceCookie(setting: CookieSetting, devices: DeviceId, framed: boolean): string {
  const age = `Max-Age=${DEVICE_SECONDS}`
  return `${setting.prefix}${DEVICE}=${devices.reveal()}; Path=${setting.path}; ${age}; ${attributes(setting, framed)}`
}

// For the member's own pages only, where nothing is framed. Only our own pages need it, so browsers do not send it
// from other sites.
export function onboardingCookie(setting: CookieSetting, token: OnboardingToken | null): string {
  const [value, age] = token ? [token.reveal(), ONBOARDING_SECONDS] : ['', 0]
  const secure = setting.secure ? 'Secure; ' : ''
  const rest = `HttpOnly; ${secure}SameSite=Strict`
  return `${setting.prefix}${ONBOARDING}=${value}; Path=${setting.path}; Max-Age=${age}; ${rest}`
}

// Names the ceremony of a passkey that is being added or used, on the member's own pages.
export function passkeyCookie(setting: CookieSetting, token: CeremonyToken): string {
  const age = `Max-Age=${CEREMONY_SECONDS}`
  return `${setting.prefix}${PASSKEY}=${token.reveal()}; Path=${setting.path}; ${age}; ${attributes(setting, false)}`
}

// All of them, because a planted cookie may stand beside ours.
export function ceremoniesOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + PASSKEY).slice(0, MAX_COOKIES)
}

// Names a single sign-on that is under way. The browser comes back from another site, so the cookie has to come along.
export function signOnCookie(setting: CookieSetting, token: SignOnToken | null): string {
  const [value, age] = token ? [token.reveal(), SIGN_ON_SECONDS] : ['', 0]
  const secure = setting.secure ? 'Secure; ' : ''
  return `${setting.prefix}${SIGN_ON}=${value}; Path=${setting.path}; Max-Age=${age}; HttpOnly; ${secure}SameSite=Lax`
}

export function signOnsOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + SIGN_ON).slice(0, MAX_COOKIES)
}

// Outlives the session, as a member's: it opens nothing by itself.
export function staffDeviceCookie(setting: CookieSetting, device: StaffDeviceToken): string {
  const rest = `Max-Age=${DEVICE_SECONDS}; ${attributes(setting, false)}`
  return `${setting.prefix}${STAFF_DEVICE}=${device.reveal()}; Path=${setting.path}; ${rest}`
}

export function staffDevicesOf(request: FastifyRequest, { prefix }: CookieSetting): string[] {
  return valuesOf(request, prefix + STAFF_DEVICE).slice(0, MAX_COOKIES)
}

// Deletes both kinds, because the browser does not say which one it has. The device cookie stays: it opens nothing by
// itself.
export function expiredCookies(setting: CookieSetting): string[] {
  const kinds = setting.secure && setting.sessionKind === 'web_view' ? [false, true] : [false]
  const name = setting.prefix + NAMES[setting.sessionKind]
  return kinds.map((framed) => `${name}=; Path=${setting.path}; Max-Age=0; ${attributes(setting, framed)}`)
}

// `Partitioned` needs `Secure`, so a plain sandbox cannot show the web view in a frame. Nothing of the console is asked
// from another site: its pages are the same for everybody, and ask for the data themselves.
function attributes({ secure, sessionKind }: CookieSetting, framed: boolean): string {
  const site = sessionKind === 'console' ? 'Strict' : 'Lax'
  if (!secure) return `HttpOnly; SameSite=${site}`
  return framed ? 'HttpOnly; Secure; SameSite=None; Partitioned' : `HttpOnly; Secure; SameSite=${site}`
}
