import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import { MadeBody, MakeAnswer, toMake } from '#edge/http/webauthn.ts'
import type { Welcome } from '#flows/staff/welcome.ts'
import type { ConsoleAccess } from './access.ts'
import { consoleBrowser } from './browser.ts'
import { OPEN_BODY } from './refusal-lists.ts'
import { ROLE } from './roles.ts'
import { openedAnswer, SessionAnswer } from './session.ts'
import { code, letIn, offered, password, type SignInDeps } from './sign-in.ts'

const link = Type.String({ description: "What follows the # in the link's address.", maxLength: 64 })

const LinkBody = object('OneTimeLink', { link })

const WelcomeAnswer = object(
  'WelcomedStaff',
  {
    email: Type.String(),
    name: Type.String(),
    role: ROLE,
    expiresAt: Type.String({ format: 'date-time' }),
    passkeys: Type.Boolean({ description: 'Browsers refuse passkeys on an IP address: false there.' }),
  },
  { description: 'Whose link it is.' },
)

export const TotpAnswer = object(
  'OfferedTotp',
  {
    secret: Type.String({ description: 'In base 32, for those who cannot scan.' }),
    uri: Type.String({ description: 'For a QR code.' }),
  },
  { description: 'For an authenticator app. It counts when its first code was right.' },
)

export const recoveryCodes = Type.Array(Type.String(), { description: 'Shown once. Each is good once.' })

const route = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Session'],
  security: [],
})

const SCHEMAS = {
  look: {
    ...route(
      'welcome',
      'Whose one-time link it is',
      '404 once it was used, replaced or is older than a day.',
    ),
    body: LinkBody,
    response: { 200: WelcomeAnswer, ...refusals('not_found', ...OPEN_BODY) },
  },
  begin: {
    ...route('beginFirstPasskey', 'What the browser needs to make a passkey'),
    body: LinkBody,
    response: { 200: MakeAnswer, ...refusals('not_found', ...OPEN_BODY) },
  },
  passkey: {
    ...route('chooseFirstPasskey', 'Choose the passkey that the browser made, and sign in'),
    body: object('FirstPasskey', { link, ...MadeBody.properties }),
    response: { 200: SessionAnswer, ...refusals('not_found', 'passkey_failed', ...OPEN_BODY) },
  },
  totp: {
    ...route('beginFirstPassword', 'A secret for the authenticator app'),
    body: LinkBody,
    response: { 200: TotpAnswer, ...refusals('not_found', ...OPEN_BODY) },
  },
  password: {
    ...route('chooseFirstPassword', 'Choose a password and an authenticator app, and sign in'),
    body: object('FirstPassword', { link, password, code }),
    response: {
      200: object('FirstSignIn', { session: SessionAnswer, recoveryCodes }),
      ...refusals('not_found', 'weak_password', 'wrong_code', ...OPEN_BODY),
    },
  },
}

export type WelcomeDeps = SignInDeps & { welcome: Welcome }

// Whoever has the link chooses the first way in. So it is good once, and for a day.
export function registerWelcome(
  scope: Server,
  deps: WelcomeDeps,
  access: ConsoleAccess,
  count: CountAddress,
): void {
  const { welcome } = deps
  const browser = consoleBrowser(deps)
  const open = { ...access.open(), ...jsonBody }
  // POST, so that the link's secret is in no address and no log.
  scope.post('/welcome', { ...open, schema: SCHEMAS.look }, async (request) => {
    // Guessing links is limited by address, as other tries to come in.
    await count('console link', browser.address(request))
    const { staff, expiresAt } = offered(await welcome.look(request.body.link))
    const { email, name, role } = staff
    return {
      email,
      name,
      role,
      expiresAt: instantText(expiresAt),
      passkeys: deps.staffPasskeys !== undefined,
    }
  })
  scope.post('/welcome/passkey/options', { ...open, schema: SCHEMAS.begin }, async (request, reply) => {
    await count('console link', browser.address(request))
    const { party } = offered(deps.staffPasskeys)
    const { token, challenge, staff } = offered(await welcome.beginPasskey(request.body.link))
    browser.keepCeremony(reply, token)
    return { publicKey: toMake(party, { challenge, ownerId: staff.id, name: staff.email, known: [] }) }
  })
  scope.post('/welcome/passkey', { ...open, schema: SCHEMAS.passkey }, async (request, reply) => {
    await count('console link', browser.address(request))
    const tokens = browser.ceremonies(request)
    const outcome = await welcome.addPasskey({ ...request.body, tokens, browser: browser.of(request) })
    if (outcome.kind === 'refused') throw refusal(outcome.reason)
    return letIn(deps, browser, reply, outcome)
  })
  scope.post('/welcome/totp', { ...open, schema: SCHEMAS.totp }, async (request) => {
    await count('console link', browser.address(request))
    return offered(await welcome.offerTotp(request.body.link))
  })
  scope.post('/welcome/password', { ...open, schema: SCHEMAS.password }, async (request, reply) => {
    await count('console link', browser.address(request))
    const outcome = await welcome.setPassword({ ...request.body, browser: browser.of(request) })
    if (outcome.kind === 'refused') throw refusal(outcome.reason)
    // Not letIn(): this answer also has the recovery codes, which are shown once.
    browser.keepOpened(reply, outcome)
    return { session: await openedAnswer(deps, outcome), recoveryCodes: outcome.recoveryCodes }
  })
}

function refusal(reason: 'link_over' | 'passkey_failed' | 'weak_password' | 'wrong_code'): ApiError {
  // A link that is over and one that never was get the same answer.
  return new ApiError(reason === 'link_over' ? 'not_found' : reason)
}
