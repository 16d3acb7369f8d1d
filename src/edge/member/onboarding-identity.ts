import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { ConfirmOnboarding } from '#flows/accounts/confirm-onboarding.ts'
import type { KeptOnboarding, Onboarding } from '#flows/accounts/onboarding.ts'
import type { MemberAccess } from './access.ts'
import { answerOf, nothing, OnboardingAnswer } from './onboarding-answer.ts'
import { OPEN_BODY } from './refusal-lists.ts'
import { ConfirmBody, details } from './schema-parts.ts'
import { type OpenedDeps, openedAnswer, SessionAnswer } from './session.ts'
import {
  checkCode,
  refusedProof,
  sendAgain,
  startVerification,
  type VerificationDeps,
} from './verification.ts'

const ConfirmedAnswer = object(
  'ConfirmedOnboarding',
  {
    onboarding: OnboardingAnswer,
    session: Type.Union([SessionAnswer, nothing]),
  },
  { description: 'The identity is verified.' },
)

const ROUTES = {
  startOnboardingIdentity: {
    url: '/onboarding/identity',
    schema: {
      operationId: 'startOnboardingIdentity',
      summary: 'Send a code to the phone',
      tags: ['Onboarding'],
      body: object('OnboardingIdentityRequest', {
        purpose: Type.Enum(['sign_up', 'recover'], { type: 'string' }),
        ...details,
      }),
      response: {
        200: OnboardingAnswer,
        ...refusals('identity_failed', 'under_age', 'too_many_requests', ...OPEN_BODY),
      },
    },
  },
  resendOnboardingCode: {
    url: '/onboarding/identity/resend',
    schema: {
      operationId: 'resendOnboardingCode',
      summary: 'Send another code',
      tags: ['Onboarding'],
      response: {
        200: OnboardingAnswer,
        ...refusals('identity_failed', 'not_found', 'too_many_requests', ...OPEN_BODY),
      },
    },
  },
  confirmOnboardingCode: {
    url: '/onboarding/identity/confirm',
    schema: {
      operationId: 'confirmOnboardingCode',
      summary: 'Type the code',
      description:
        'A member is logged in. Anybody else signs up next. With the purpose `recover` nobody is logged in: the account is recovered next.',
      tags: ['Onboarding'],
      body: ConfirmBody,
      response: {
        200: ConfirmedAnswer,
        ...refusals(
          'wrong_code',
          'under_age',
          'not_eligible',
          'account_frozen',
          'identity_failed',
          'not_found',
          'too_many_requests',
          ...OPEN_BODY,
        ),
      },
    },
  },
} as const

export interface PhoneDeps extends VerificationDeps, OpenedDeps {
  onboarding: Onboarding
  confirmOnboarding: ConfirmOnboarding
}

// What onboarding.ts lends: it counts the call, and sets the cookie of the new id.
interface Keeper {
  asked(request: FastifyRequest): Promise<string[]>
  keep(reply: FastifyReply, kept: KeptOnboarding): ReturnType<typeof answerOf>
}

// Logging in by phone: the right code opens a member's session, or lets a new person sign up.
export function registerPhone(
  scope: Server,
  deps: PhoneDeps,
  access: MemberAccess,
  { asked, keep }: Keeper,
): void {
  const { startOnboardingIdentity, resendOnboardingCode, confirmOnboardingCode } = ROUTES
  const start = { schema: startOnboardingIdentity.schema, ...jsonBody }
  scope.post(startOnboardingIdentity.url, start, async (request, reply) => {
    // Field by field: what else a caller sends must not be sealed into the row.
    const { purpose, name, birthday, gender, mdn, carrier } = request.body
    // Counts the call by its address before a text is sent.
    const tokens = await asked(request)
    const details = { name, birthday, gender, mdn, carrier }
    const wish = { purpose, sessionId: null, details }
    const { id: verificationId } = await startVerification({ deps, access, request }, wish)
    // What was typed is kept, so that a reload loses nothing.
    return keep(reply, await deps.onboarding.keepStarted(tokens, { details, verificationId, purpose }))
  })

  // The onboarding names the verification. The browser sends no id that it could exchange.
  async function running(tokens: readonly string[]) {
    const id = await deps.onboarding.findRunning(tokens)
    const begun = id && (await deps.findVerification(id))
    if (!begun) throw new ApiError('not_found')
    return begun
  }
  scope.post(resendOnboardingCode.url, { schema: resendOnboardingCode.schema }, async (request) => {
    const tokens = await asked(request)
    await sendAgain({ deps, access, request }, await running(tokens))
    return answerOf(deps, await deps.onboarding.find(tokens))
  })

  const confirm = { schema: confirmOnboardingCode.schema, ...jsonBody }
  scope.post(confirmOnboardingCode.url, confirm, async (request, reply) => {
    const tokens = await asked(request)
    const begun = await running(tokens)
    const outcome = await deps.confirmOnboarding({
      tokens,
      verificationId: begun.id,
      person: await checkCode(deps, begun, request.body.code),
      browser: access.browser(request),
      today: await deps.today(),
    })
    if (outcome.kind === 'refused') throw refusedProof(outcome.reason)
    const onboarding = await keep(reply, outcome.kept)
    // Not logged in yet: a new person signs up next, and a recovery goes on.
    if (!outcome.opened) return { onboarding, session: null }
    // Never framed: no site may frame the member's own pages.
    access.remember(reply, outcome.opened, false)
    return { onboarding, session: await openedAnswer(deps, outcome.opened, request) }
  })
}
