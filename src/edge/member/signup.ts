import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceToday } from '#base/time/service-clock.ts'
import { onboardingsOf } from '#edge/http/cookies.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import type { RecoverAccount } from '#flows/accounts/recover-account.ts'
import type { SignUpMember } from '#flows/accounts/sign-up-member.ts'
import type { Opened } from '#flows/sessions/open-session.ts'
import { versionsInForce } from '#modules/operator/rules.ts'
import type { LegalTexts } from '#modules/operator/types.ts'
import type { MemberAccess } from './access.ts'
import { refusedLogin } from './account.ts'
import { ANY, OPEN_BODY } from './refusal-lists.ts'
import { loginId, password } from './schema-parts.ts'
import { type OpenedDeps, openedAnswer, SessionAnswer } from './session.ts'

// A version is named by the day it takes effect.
const version = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-16'] })

const AgreedVersions = object(
  'AgreedVersions',
  { terms: version, privacy: version },
  { description: 'What `GET /terms` said and was shown. Others than those in force are a conflict.' },
)

const TermsAnswer = object(
  'TermsVersions',
  { terms: version, privacy: version },
  { description: 'The versions that are in force.' },
)

const ONBOARDED = 'Without it: the one that was confirmed in the onboarding of this browser.'

const SignupBody = object('SignupRequest', {
  verificationId: Type.Optional(uuid({ description: ONBOARDED })),
  loginId: Type.Optional(loginId),
  password: Type.Optional(password),
  agreed: object('Agreements', {
    // Consent is `true`, or the request is invalid before any flow sees it.
    service: Type.Literal(true),
    privacy: Type.Literal(true),
    marketing: Type.Boolean(),
  }),
  versions: Type.Optional(AgreedVersions),
})

const RecoverBody = object('RecoveryRequest', {
  verificationId: Type.Optional(uuid({ description: ONBOARDED })),
  loginId: Type.Optional(loginId),
  password: Type.Optional(password),
})

const ROUTES = {
  getTerms: {
    url: '/terms',
    schema: {
      operationId: 'getTerms',
      summary: 'The versions of the terms and of the privacy policy that are in force',
      description: 'Each can be read at `/terms/VERSION` and `/privacy/VERSION`.',
      tags: ['Session'],
      response: { 200: TermsAnswer, ...refusals(...ANY) },
    },
  },
  signUp: {
    url: '/signup',
    schema: {
      operationId: 'signUp',
      summary: 'Sign up with a verified identity',
      description: 'With a login id and a password, or with neither: then the member logs in by phone.',
      tags: ['Session'],
      body: SignupBody,
      response: {
        200: SessionAnswer,
        ...refusals(
          'identity_failed',
          'already_member',
          'login_id_taken',
          'conflict',
          'weak_password',
          'account_frozen',
          'too_many_requests',
          ...OPEN_BODY,
        ),
      },
    },
  },
  recover: {
    url: '/recover',
    schema: {
      operationId: 'recover',
      summary: 'Recover an account with a verified identity',
      description:
        'Sets a new password. Every session of the account ends, every passkey is removed, and a new session begins here. ' +
        'Withdrawals that were stopped are allowed again. An account that has no password sends none, or one with a login id.',
      tags: ['Session'],
      body: RecoverBody,
      response: {
        200: SessionAnswer,
        ...refusals(
          'identity_failed',
          'weak_password',
          'login_id_taken',
          'account_frozen',
          'too_many_requests',
          ...OPEN_BODY,
        ),
      },
    },
  },
} as const

interface Deps extends OpenedDeps {
  operator: { texts: LegalTexts }
  today: ServiceToday
  onboarding: Onboarding
  signUpMember: SignUpMember
  recoverAccount: RecoverAccount
}

export function registerSignup(scope: Server, deps: Deps, access: MemberAccess): void {
  const { getTerms, signUp, recover } = ROUTES
  const inForce = async () => versionsInForce(deps.operator.texts, (await deps.today()).toString())
  scope.get(getTerms.url, { schema: getTerms.schema }, inForce)

  scope.post(signUp.url, { schema: signUp.schema, ...jsonBody }, async (request, reply) => {
    const { loginId, password, agreed, versions: shown } = request.body
    // A member who read a text that has been replaced since has not agreed to the one in force.
    const versions = await inForce()
    if (shown && (shown.terms !== versions.terms || shown.privacy !== versions.privacy)) {
      throw new ApiError('conflict')
    }
    const outcome = await deps.signUpMember({
      verificationId: await proven(request, 'sign_up'),
      login: loginOf(request, loginId, password),
      marketing: agreed.marketing,
      // A page of the release before sends no versions, because it showed none.
      versions: shown ?? { terms: null, privacy: null },
      browser: access.browser(request),
    })
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    return opened(request, reply, outcome)
  })

  // Ends all sessions and removes all passkeys: only the owner could say which are a thief's (decisions/0038).
  scope.post(recover.url, { schema: recover.schema, ...jsonBody }, async (request, reply) => {
    const { password = null, loginId = null } = request.body
    const verificationId = await proven(request, 'recover')
    const browser = access.browser(request)
    const outcome = await deps.recoverAccount({ verificationId, password, loginId, browser })
    if (outcome.kind === 'refused') throw refusedLogin(request, outcome.reason)
    return opened(request, reply, outcome)
  })

  // The verification that the caller names, or the one of its onboarding.
  async function proven(request: Asked, purpose: 'sign_up' | 'recover'): Promise<string> {
    const { verificationId } = request.body
    const id =
      verificationId ?? (await deps.onboarding.findProven(onboardingsOf(request, access.cookie), purpose))
    if (!id) throw new ApiError('identity_failed')
    return id
  }

  async function opened(request: Asked, reply: FastifyReply, outcome: Opened) {
    // If this answer is lost, the onboarding names a verification that is used up.
    if (!request.body.verificationId) await deps.onboarding.settle(onboardingsOf(request, access.cookie))
    access.remember(reply, outcome, false)
    return openedAnswer(deps, outcome, request)
  }
}

type Asked = FastifyRequest & { body: { verificationId?: string } }

// Both or neither. Without them the phone is the way to log in.
function loginOf(request: FastifyRequest, loginId: string | undefined, password: string | undefined) {
  if (loginId === undefined && password === undefined) return null
  if (loginId === undefined) throw badField(request, 'loginId', 'must come with a password')
  if (password === undefined) throw badField(request, 'password', 'must come with a login id')
  return { id: loginId, password }
}
