import { refusals } from '#edge/http/error-answers.ts'
import type { ErrorCode } from '#edge/http/errors.ts'
import { ONBOARDING_ROUTES } from './onboarding-routes.ts'
import { PASSKEY_ROUTES } from './passkey-routes.ts'
import * as s from './schemas.ts'
import { STATEMENT_ROUTES } from './statement-routes.ts'
import { TRADE_ROUTES } from './trade-routes.ts'

// Every operation of the member's side: its address, what goes in and what comes out. A handler takes its row from
// here. The document and the types of the pages (contract/member.gen.ts) are made from the same rows.

const ANY: ErrorCode[] = ['invalid_request', 'internal_error', 'service_unavailable']
const BODY: ErrorCode[] = [
  'forbidden',
  'account_frozen',
  'request_too_large',
  'unsupported_media_type',
  ...ANY,
]
const SIGNED_IN: ErrorCode[] = ['unauthorized', 'too_many_requests', ...ANY]
const ACT: ErrorCode[] = ['unauthorized', 'too_many_requests', ...BODY]
const TRUSTED: ErrorCode[] = ['step_up_required', ...ACT]

const IDENTITY: ErrorCode[] = ['identity_failed', 'not_found', 'too_many_requests', ...BODY]

const SESSION_ROUTES = {
  getSession: {
    method: 'GET',
    url: '/session',
    schema: {
      operationId: 'getSession',
      summary: 'Who is signed in',
      tags: ['Session'],
      response: { 200: s.SessionAnswer, ...refusals('too_many_requests', ...ANY) },
    },
  },
  logIn: {
    method: 'POST',
    url: '/login',
    schema: {
      operationId: 'logIn',
      summary: 'Log in with id and password',
      tags: ['Session'],
      body: s.LoginBody,
      response: { 200: s.SessionAnswer, ...refusals('wrong_login', 'too_many_requests', ...BODY) },
    },
  },
  logOut: {
    method: 'POST',
    url: '/logout',
    schema: {
      operationId: 'logOut',
      summary: 'End this session',
      tags: ['Session'],
      response: { 204: s.NoContent, ...refusals(...BODY) },
    },
  },
} as const

const IDENTITY_ROUTES = {
  listPersonas: {
    method: 'GET',
    url: '/personas',
    schema: {
      operationId: 'listPersonas',
      summary: "The sandbox's people, to fill the form with",
      tags: ['Identity'],
      response: { 200: s.PersonasAnswer, ...refusals(...ANY) },
    },
  },
  startIdentity: {
    method: 'POST',
    url: '/identity',
    schema: {
      operationId: 'startIdentity',
      summary: 'Send a code to a phone',
      description: '`step_up` needs a session.',
      tags: ['Identity'],
      body: s.IdentityBody,
      response: { 200: s.IdentityAnswer, ...refusals('unauthorized', ...IDENTITY) },
    },
  },
  resendCode: {
    method: 'POST',
    url: '/identity/:verificationId/resend',
    schema: {
      operationId: 'resendCode',
      summary: 'Send another code',
      tags: ['Identity'],
      params: s.VerificationParams,
      response: { 200: s.IdentityAnswer, ...refusals(...IDENTITY) },
    },
  },
  confirmCode: {
    method: 'POST',
    url: '/identity/:verificationId/confirm',
    schema: {
      operationId: 'confirmCode',
      summary: 'Type the code',
      description:
        'Of `step_up`: the session is trusted from now on. Of the others: sign up, or set a password, with the same id.',
      tags: ['Identity'],
      params: s.VerificationParams,
      body: s.ConfirmBody,
      response: {
        200: s.ConfirmAnswer,
        ...refusals('wrong_code', 'other_person', 'under_age', 'not_eligible', ...IDENTITY),
      },
    },
  },
  getTerms: {
    method: 'GET',
    url: '/terms',
    schema: {
      operationId: 'getTerms',
      summary: 'The versions of the terms and of the privacy policy that are in force',
      description: 'Each can be read at `/terms/VERSION` and `/privacy/VERSION`.',
      tags: ['Session'],
      response: { 200: s.TermsAnswer, ...refusals(...ANY) },
    },
  },
} as const

const CARD_REFUSALS = [
  'card_not_registered',
  'card_used',
  'card_expired',
  'card_cancelled',
  'pin_mistyped',
  'not_found',
] as const

const CARD_ROUTES = {
  checkCard: {
    method: 'POST',
    url: '/cards/check',
    schema: {
      operationId: 'checkCard',
      summary: 'See what a card is worth before it is registered',
      tags: ['Cards'],
      body: s.CardBody,
      response: {
        200: s.CardAnswer,
        ...refusals(...CARD_REFUSALS, 'under_age', 'too_many_requests', ...TRUSTED),
      },
    },
  },
  redeemCard: {
    method: 'POST',
    url: '/cards/redeem',
    schema: {
      operationId: 'redeemCard',
      summary: 'Register a card: it becomes points, once',
      tags: ['Cards'],
      body: s.CardBody,
      response: {
        200: s.RedeemedAnswer,
        ...refusals(...CARD_REFUSALS, 'under_age', 'too_many_requests', ...TRUSTED),
      },
    },
  },
} as const

const ACCOUNT_ROUTES = {
  getProfile: {
    method: 'GET',
    url: '/profile',
    schema: {
      operationId: 'getProfile',
      summary: 'The account, masked',
      tags: ['Account'],
      response: { 200: s.ProfileAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  setProfile: {
    method: 'POST',
    url: '/profile',
    schema: {
      operationId: 'setProfile',
      summary: 'Agree to news, or no longer',
      tags: ['Account'],
      body: s.ProfileBody,
      response: { 200: s.ProfileAnswer, ...refusals(...ACT) },
    },
  },
  listSessions: {
    method: 'GET',
    url: '/sessions',
    schema: {
      operationId: 'listSessions',
      summary: 'Where the member is signed in',
      tags: ['Account'],
      response: { 200: s.SessionsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  endSession: {
    method: 'DELETE',
    url: '/sessions/:sessionId',
    schema: {
      operationId: 'endSession',
      summary: 'End one session',
      tags: ['Account'],
      params: s.SessionParams,
      response: { 204: s.NoContent, ...refusals('not_found', ...ACT) },
    },
  },
  endOtherSessions: {
    method: 'POST',
    url: '/sessions/end-others',
    schema: {
      operationId: 'endOtherSessions',
      summary: 'End all sessions but this one',
      tags: ['Account'],
      response: { 204: s.NoContent, ...refusals(...ACT) },
    },
  },
  changePassword: {
    method: 'POST',
    url: '/password',
    schema: {
      operationId: 'changePassword',
      summary: 'Change the password, or set one',
      description:
        'Every other session ends. An account that has no password sends no `current`, and chooses a login id if it has none.',
      tags: ['Account'],
      body: s.PasswordBody,
      response: {
        204: s.NoContent,
        ...refusals('wrong_login', 'weak_password', 'login_id_taken', 'too_many_requests', ...TRUSTED),
      },
    },
  },
  closeAccount: {
    method: 'POST',
    url: '/close',
    schema: {
      operationId: 'closeAccount',
      summary: 'Close the account',
      tags: ['Account'],
      body: s.CloseBody,
      response: {
        204: s.NoContent,
        ...refusals('wrong_login', 'assets_remain', 'too_many_requests', ...TRUSTED),
      },
    },
  },
  listLinks: {
    method: 'GET',
    url: '/links',
    schema: {
      operationId: 'listLinks',
      summary: 'Partners that know this person',
      tags: ['Links'],
      response: { 200: s.LinksAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  decideLink: {
    method: 'POST',
    url: '/links/:linkId',
    schema: {
      operationId: 'decideLink',
      summary: "Confirm or refuse a partner's link",
      tags: ['Links'],
      params: s.LinkParams,
      body: s.LinkBody,
      response: { 200: s.LinksAnswer, ...refusals('not_found', 'conflict', ...TRUSTED) },
    },
  },
} as const

export const MEMBER_ROUTES = {
  ...SESSION_ROUTES,
  ...IDENTITY_ROUTES,
  ...ONBOARDING_ROUTES,
  ...CARD_ROUTES,
  ...ACCOUNT_ROUTES,
  ...PASSKEY_ROUTES,
  ...TRADE_ROUTES,
  ...STATEMENT_ROUTES,
} as const
