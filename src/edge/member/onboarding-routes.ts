import Type from 'typebox'
import { refusals } from '#edge/http/error-answers.ts'
import type { ErrorCode } from '#edge/http/errors.ts'
import { object } from '#edge/http/named-schemas.ts'
import {
  ConfirmBody,
  details,
  moment,
  NoContent,
  PIN,
  RecoverBody,
  SessionAnswer,
  SignupBody,
  won,
} from './schemas.ts'

// For a visitor who registers a card, logs in by phone or signs up. The data is kept for ten minutes from the last
// use, an hour at most, under an id in a cookie of its own.

const CODES: ErrorCode[] = [
  'forbidden',
  'request_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'invalid_request',
  'internal_error',
  'service_unavailable',
]

const LINK_REFUSALS: ErrorCode[] = [
  'card_not_registered',
  'card_used',
  'card_already_yours',
  'card_expired',
  'card_cancelled',
]

const nothing = Type.Null()
const masked = Type.String({ description: 'Masked.' })

const OnboardingAnswer = object('Onboarding', {
  expiresAt: Type.Union([moment, nothing], { description: 'Null when nothing is kept.' }),
  card: Type.Union([
    object('OnboardingCard', {
      pin: Type.String({ description: 'Masked.', examples: ['••••-••••-••••-7K3Q'] }),
      told: Type.Union(
        [
          object('CardOfLink', {
            partner: Type.String(),
            amount: won,
            expiresOn: Type.String({ format: 'date' }),
          }),
          nothing,
        ],
        { description: "Only for a visitor who came by the link of the card's message." },
      ),
    }),
    nothing,
  ]),
  details: Type.Union([object('PersonDetails', details), nothing], {
    description: 'As typed, until they are verified.',
  }),
  code: Type.Union(
    [
      object('SentCode', {
        expiresAt: moment,
        resendAfterSeconds: Type.Integer({ minimum: 0 }),
        sandboxCode: Type.Union([Type.String(), nothing]),
      }),
      nothing,
    ],
    { description: 'While a code is on its way.' },
  ),
  purpose: Type.Union([Type.Literal('sign_up'), Type.Literal('recover'), nothing]),
  verified: Type.Union(
    [
      object('VerifiedPerson', {
        name: masked,
        isMember: Type.Boolean(),
        loginId: Type.Union([Type.String(), nothing]),
        knownThrough: Type.Array(Type.String()),
      }),
      nothing,
    ],
    { description: 'Once the code was right.' },
  ),
})

const ConfirmedAnswer = object('ConfirmedOnboarding', {
  onboarding: OnboardingAnswer,
  session: Type.Union([SessionAnswer, nothing]),
})

export const ONBOARDING_ROUTES = {
  getOnboarding: {
    method: 'GET',
    url: '/onboarding',
    schema: {
      operationId: 'getOnboarding',
      summary: 'What this visitor has brought and proven so far',
      tags: ['Onboarding'],
      response: { 200: OnboardingAnswer, ...refusals(...CODES) },
    },
  },
  keepCard: {
    method: 'PUT',
    url: '/onboarding',
    schema: {
      operationId: 'keepCard',
      summary: 'Begin with a card',
      description: 'Nothing is looked up: a PIN that nobody has is kept like any other.',
      tags: ['Onboarding'],
      body: object('CardPin', { pin: Type.String(PIN) }),
      response: { 200: OnboardingAnswer, ...refusals('pin_mistyped', ...CODES) },
    },
  },
  openCardLink: {
    method: 'POST',
    url: '/onboarding/link',
    schema: {
      operationId: 'openCardLink',
      summary: "Begin with the card that a message's link carries",
      description:
        'The code is what follows the # of the link. What became of a card that cannot be registered any more is told to a signed-in member whose identity is verified; to everybody else it is like one that never was.',
      tags: ['Onboarding'],
      body: object('CardLinkCode', { code: Type.String({ maxLength: 100 }) }),
      response: { 200: OnboardingAnswer, ...refusals(...LINK_REFUSALS, ...CODES) },
    },
  },
  endOnboarding: {
    method: 'DELETE',
    url: '/onboarding',
    schema: {
      operationId: 'endOnboarding',
      summary: 'Forget all of it',
      tags: ['Onboarding'],
      response: { 204: NoContent, ...refusals(...CODES) },
    },
  },
  startOnboardingIdentity: {
    method: 'POST',
    url: '/onboarding/identity',
    schema: {
      operationId: 'startOnboardingIdentity',
      summary: 'Send a code to the phone',
      tags: ['Onboarding'],
      body: object('OnboardingIdentityRequest', {
        purpose: Type.Enum(['sign_up', 'recover'], { type: 'string' }),
        ...details,
      }),
      response: { 200: OnboardingAnswer, ...refusals('identity_failed', 'under_age', ...CODES) },
    },
  },
  resendOnboardingCode: {
    method: 'POST',
    url: '/onboarding/identity/resend',
    schema: {
      operationId: 'resendOnboardingCode',
      summary: 'Send another code',
      tags: ['Onboarding'],
      response: { 200: OnboardingAnswer, ...refusals('identity_failed', 'not_found', ...CODES) },
    },
  },
  confirmOnboardingCode: {
    method: 'POST',
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
          ...CODES,
        ),
      },
    },
  },
  signUp: {
    method: 'POST',
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
          ...CODES,
        ),
      },
    },
  },
  recover: {
    method: 'POST',
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
        ...refusals('identity_failed', 'weak_password', 'login_id_taken', 'account_frozen', ...CODES),
      },
    },
  },
} as const
