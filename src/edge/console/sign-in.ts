import type { FastifyReply } from 'fastify'
import { hangUpOf } from '#edge/http/caller.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { isLocal } from '#edge/http/forwarding.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import { toUse, UseAnswer, UsedBody } from '#edge/http/webauthn.ts'
import type { DemoSignIn } from '#flows/staff/demo-staff.ts'
import type { StaffOpened } from '#flows/staff/open-session.ts'
import type { StaffSignIn } from '#flows/staff/sign-in.ts'
import type { StaffPasskeySignIn } from '#flows/staff/sign-in-with-passkey.ts'
import type { RelyingParty } from '#modules/passkeys/types.ts'
import type { ConsoleAccess } from './access.ts'
import { type ConsoleBrowser, consoleBrowser } from './browser.ts'
import { OPEN_BODY, OPEN_ONLY } from './refusal-lists.ts'
import { openedAnswer, SessionAnswer, type SessionDeps } from './session.ts'

const WaysAnswer = object(
  'WaysIn',
  {
    passkeys: Type.Boolean({ description: 'Browsers refuse passkeys on an IP address: false there.' }),
    singleSignOn: Type.Boolean(),
    demo: Type.Boolean({ description: 'A demo operator: in a sandbox, to a browser on this machine.' }),
  },
  { description: 'How one can sign in here.' },
)

export const email = Type.String({ minLength: 3, maxLength: 254, examples: ['kim@ingot.example'] })
export const password = Type.String({ minLength: 1, maxLength: 256 })
export const code = Type.String({
  description: 'Six digits of the authenticator app, or a recovery code.',
  minLength: 6,
  maxLength: 40,
  examples: ['123456'],
})

const SignInBody = object('SignIn', { email, password, code })

const UNAVAILABLE = 'Where `PUBLIC_URL` is an IP address, or plain http on another machine: 404.'

const route = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Session'],
  security: [],
})

const SCHEMAS = {
  ways: {
    ...route('waysIn', 'How one can sign in'),
    response: { 200: WaysAnswer, ...refusals(...OPEN_ONLY) },
  },
  signIn: {
    ...route('signIn', 'Sign in with a password and a code'),
    body: SignInBody,
    response: { 200: SessionAnswer, ...refusals('wrong_login', ...OPEN_BODY) },
  },
  begin: {
    ...route('beginPasskeySignIn', 'What the browser needs to ask for a passkey', UNAVAILABLE),
    response: { 200: UseAnswer, ...refusals('not_found', ...OPEN_BODY) },
  },
  passkey: {
    ...route('signInWithPasskey', 'Sign in with a passkey'),
    body: UsedBody,
    response: { 200: SessionAnswer, ...refusals('passkey_failed', 'not_found', ...OPEN_BODY) },
  },
  demo: {
    ...route(
      'signInAsDemo',
      'Sign in as the demo operator',
      'In a sandbox, from this machine. Elsewhere: 404.',
    ),
    response: { 200: SessionAnswer, ...refusals('not_found', ...OPEN_BODY) },
  },
}

interface PasskeyWays {
  party: RelyingParty
  signIn: StaffPasskeySignIn
}

export interface SignInDeps extends SessionDeps {
  signIn: StaffSignIn
  // Undefined where browsers support no passkeys.
  staffPasskeys: PasskeyWays | undefined
  // Undefined but in a sandbox.
  demo: DemoSignIn | undefined
  // Undefined unless the settings name a provider.
  signOn: object | undefined
}

export function registerSignIn(
  scope: Server,
  deps: SignInDeps,
  access: ConsoleAccess,
  count: CountAddress,
): void {
  const browser = consoleBrowser(deps)
  const open = access.open()
  // Asked before anybody is signed in, so it tells nothing about a person.
  scope.get('/sign-in', { ...open, schema: SCHEMAS.ways }, async (request) => ({
    passkeys: deps.staffPasskeys !== undefined,
    singleSignOn: deps.signOn !== undefined,
    demo: isLocal(request) && ((await deps.demo?.isOffered()) ?? false),
  }))
  scope.post('/sign-in', { ...open, schema: SCHEMAS.signIn, ...jsonBody }, async (request, reply) => {
    const from = browser.of(request)
    // By address, before any password is hashed.
    await count('console sign-in', from.address)
    const outcome = await deps.signIn({ ...request.body, browser: from, hangUp: hangUpOf(reply) })
    // One answer for an unknown email, a wrong password and a wrong code.
    if (outcome.kind === 'refused') throw new ApiError('wrong_login')
    return letIn(deps, browser, reply, outcome)
  })
  scope.post('/sign-in/demo', { ...open, schema: SCHEMAS.demo }, async (request, reply) => {
    // A page that a stranger reaches through a proxy must not be a way in.
    const opened = isLocal(request) ? await deps.demo?.signIn(browser.of(request)) : undefined
    if (!opened) throw new ApiError('not_found')
    return letIn(deps, browser, reply, opened)
  })
  registerPasskeySignIn(scope, deps, access, count)
}

function registerPasskeySignIn(
  scope: Server,
  deps: SignInDeps,
  access: ConsoleAccess,
  count: CountAddress,
): void {
  const browser = consoleBrowser(deps)
  const open = access.open()
  scope.post('/sign-in/passkey/options', { ...open, schema: SCHEMAS.begin }, async (request, reply) => {
    const { party, signIn } = offered(deps.staffPasskeys)
    await count('begin passkey', browser.address(request))
    // Names no passkeys: a list would tell which emails exist. The device finds the passkey itself.
    const { token, challenge } = await signIn.begin()
    browser.keepCeremony(reply, token)
    return { publicKey: toUse(party, challenge) }
  })
  scope.post(
    '/sign-in/passkey',
    { ...open, schema: SCHEMAS.passkey, ...jsonBody },
    async (request, reply) => {
      const { signIn } = offered(deps.staffPasskeys)
      const from = browser.of(request)
      await count('passkey', from.address)
      const tokens = browser.ceremonies(request)
      const outcome = await signIn.finish({ tokens, credential: request.body.credential, browser: from })
      if (outcome.kind === 'refused') throw new ApiError('passkey_failed')
      return letIn(deps, browser, reply, outcome)
    },
  )
}

// The installation has no such way in, so its path answers as if it were not there.
export function offered<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new ApiError('not_found')
  return part
}

// The new session's cookie, or how long to wait.
export function letIn(
  deps: SessionDeps,
  browser: ConsoleBrowser,
  reply: FastifyReply,
  outcome: StaffOpened | { kind: 'limited'; retryAfterSeconds: number },
) {
  if (outcome.kind === 'limited') throw new ApiError('too_many_requests', [], outcome.retryAfterSeconds)
  browser.keepOpened(reply, outcome)
  return openedAnswer(deps, outcome)
}
