import { ceremoniesOf, passkeyCookie } from '#edge/http/cookies.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import { toUse, UseAnswer, UsedBody } from '#edge/http/webauthn.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { offered, type PasskeyDeps, UNAVAILABLE } from './passkey-parts.ts'
import { OPEN_BODY } from './refusal-lists.ts'
import { openedAnswer, SessionAnswer } from './session.ts'

const ROUTES = {
  beginPasskeyLogin: {
    url: '/login/passkey/options',
    schema: {
      operationId: 'beginPasskeyLogin',
      summary: 'What the browser needs to ask for a passkey',
      description: `Kept for five minutes and used once, in the browser that asked. ${UNAVAILABLE}`,
      tags: ['Session'],
      response: { 200: UseAnswer, ...refusals('not_found', ...OPEN_BODY) },
    },
  },
  logInWithPasskey: {
    url: '/login/passkey',
    schema: {
      operationId: 'logInWithPasskey',
      summary: 'Log in with a passkey',
      tags: ['Session'],
      body: UsedBody,
      response: {
        200: SessionAnswer,
        ...refusals('passkey_failed', 'not_found', 'too_many_requests', ...OPEN_BODY),
      },
    },
  },
} as const

// Any visitor can begin a log-in, and each is a row, so they are limited by address. A log-in that finishes too late
// is not a guess.
export function registerPasskeyLogin(
  scope: Server,
  deps: PasskeyDeps,
  access: MemberAccess,
  count: CountAddress,
): void {
  const { beginPasskeyLogin, logInWithPasskey } = ROUTES
  scope.post(beginPasskeyLogin.url, { schema: beginPasskeyLogin.schema }, async (request, reply) => {
    const { login, party } = offered(deps)
    await count('begin passkey', access.address(request))
    // No list of the account's passkeys goes out: it would tell which login ids exist. The device finds
    // the passkey itself.
    const { token, challenge } = await login.begin()
    reply.header('set-cookie', passkeyCookie(access.cookie, token))
    return { publicKey: toUse(party, challenge) }
  })
  scope.post(
    logInWithPasskey.url,
    { schema: logInWithPasskey.schema, ...jsonBody },
    async (request, reply) => {
      const { login } = offered(deps)
      // Counted under a name of its own, so that begun log-ins do not use up the tries to finish one.
      await count('passkey', access.address(request))
      const outcome = await login.finish({
        tokens: ceremoniesOf(request, access.cookie),
        credential: request.body.credential,
        browser: access.browser(request),
      })
      if (outcome.kind === 'limited') throw tooMany(outcome)
      // One answer for an unknown passkey, a bad signature, a blocked copy and a challenge that is over:
      // a guesser learns nothing.
      if (outcome.kind === 'refused') throw new ApiError('passkey_failed')
      access.remember(reply, outcome, false)
      return openedAnswer(deps, outcome, request)
    },
  )
}
