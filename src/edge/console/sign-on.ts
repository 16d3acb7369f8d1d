import { cookieSetting, signOnCookie, signOnsOf } from '#edge/http/cookies.ts'
import { Type } from '#edge/http/json-schema.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { SignInByProvider } from '#flows/staff/sign-in-by-provider.ts'
import { attemptOf, newSignOn } from '#modules/staff/sign-on-attempt.ts'
import type { SingleSignOn } from '#providers/single-sign-on/port.ts'
import type { ConsoleAccess } from './access.ts'
import { type BrowserDeps, consoleBrowser } from './browser.ts'
import { offered } from './sign-in.ts'

const BEGIN = '/sign-in/sso'
const BACK = '/sign-in/sso/callback'

// A browser goes to these by itself. They answer no page, so the document leaves them out.
const SCHEMAS = {
  begin: { hide: true, querystring: Type.Object({ proof: Type.Optional(Type.Literal('true')) }) },
  back: { hide: true },
}

// Undefined unless the settings name a provider.
type Deps = BrowserDeps & {
  signOn: { provider: SingleSignOn; signIn: SignInByProvider } | undefined
}

// The provider says who somebody is. It adds nobody and gives no role (decisions/0076).
export function registerSignOn(scope: Server, deps: Deps, access: ConsoleAccess, count: CountAddress): void {
  const browser = consoleBrowser(deps)
  const cookie = cookieSetting(deps, 'console')
  const base = deps.publicUrl.replace(/\/+$/, '')
  const back = `${base}/console/api${BACK}`
  scope.get(BEGIN, { ...access.open(), schema: SCHEMAS.begin }, async (request, reply) => {
    const { provider } = offered(deps.signOn)
    await count('console sign-on', browser.address(request))
    const token = newSignOn()
    // State, nonce and verifier follow from the cookie, so no table is needed (decisions/0076).
    const attempt = attemptOf([token.reveal()])!
    // If the provider is away, the browser gets a page that says so, and no JSON.
    const away = await provider.begin(attempt, back, request.query.proof === 'true').catch(() => undefined)
    if (away === undefined) return reply.redirect(`${base}/console/?sso=unavailable`, 303)
    reply.header('set-cookie', signOnCookie(cookie, token))
    return reply.redirect(away, 303)
  })
  scope.get(BACK, { ...access.open(), schema: SCHEMAS.back }, async (request, reply) => {
    const { provider, signIn } = offered(deps.signOn)
    await count('console sign-on', browser.address(request))
    // The attempt is of the browser that began it. Another one's link would sign this person in as its sender.
    const attempt = attemptOf(signOnsOf(request, cookie))
    // The provider knows our public address. Behind a proxy the request itself has another one.
    const address = new URL(back + (URL.parse(request.url, 'http://here')?.search ?? ''))
    const person = attempt && (await provider.finish(attempt, address))
    const opened = person && (await signIn(person, browser.of(request)))
    // Whatever came of it, this attempt is over.
    reply.header('set-cookie', signOnCookie(cookie, null))
    if (!opened) return reply.redirect(`${base}/console/?sso=refused`, 303)
    browser.keepOpened(reply, opened)
    return reply.redirect(`${base}/console/`, 303)
  })
}
