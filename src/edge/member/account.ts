import type { FastifyRequest } from 'fastify'
import { assert } from '#base/assert.ts'
import { expiredCookies } from '#edge/http/cookies.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField, type ErrorCode } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { ChangePassword } from '#flows/accounts/change-password.ts'
import type { CloseAccount } from '#flows/accounts/close-account.ts'
import type { ManageAccount, Profile } from '#flows/accounts/manage-account.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import { type MemberAccess, requireFresh, tooMany, type Visitor } from './access.ts'
import { ACT, SIGNED_IN, TRUSTED } from './refusal-lists.ts'
import { loginId, moment, NoContent, password } from './schema-parts.ts'
import { forgetOnboarding } from './session.ts'

// The account.
const ProfileAnswer = object(
  'Profile',
  {
    loginId: Type.Union([Type.String(), Type.Null()], {
      description: 'Null of a member who never chose one and logs in by phone.',
    }),
    name: Type.String({ description: 'Masked, like the rest.' }),
    birthday: Type.String(),
    mdn: Type.String(),
    joinedAt: moment,
    passwordChangedAt: Type.Union([moment, Type.Null()], { description: 'Null without a password.' }),
    marketing: Type.Boolean(),
  },
  { description: 'The account, masked.' },
)

const ProfileBody = object('ProfileChange', { marketing: Type.Boolean() })

const SessionsAnswer = object(
  'Sessions',
  {
    sessions: Type.Array(
      object('DeviceSession', {
        id: uuid(),
        current: Type.Boolean(),
        device: Type.String({
          description: 'Browser and system, as the browser says.',
          examples: ['Chrome · Android'],
        }),
        partner: Type.Union([Type.String(), Type.Null()], {
          description: 'Of a web view: where it was opened.',
        }),
        startedAt: moment,
        seenAt: moment,
      }),
    ),
  },
  { description: 'The sessions of the member.' },
)

const SessionParams = Type.Object({ sessionId: uuid() })

// `current` is optional, because a member who signed up by phone has no password yet. The flow decides whether this
// account may leave it out.
const PasswordBody = object('PasswordChange', {
  current: Type.Optional(password),
  next: password,
  loginId: Type.Optional(loginId),
})

const CloseBody = object('AccountClosure', {
  password: Type.Optional(password),
  // Asked for on purpose: without the member's word the last won of an account are never written off.
  waive: Type.Boolean({ description: 'That what is left, less than ₩1,000 in all, may lapse.' }),
  erase: Type.Optional(
    Type.Boolean({
      description: 'Erase at once what no law keeps, and the rest on its day (`GET /erasure`).',
    }),
  ),
})

const ROUTES = {
  // Masked even for the owner: a session left open on a shared computer shows no stranger a whole number or birthday.
  getProfile: {
    url: '/profile',
    schema: {
      operationId: 'getProfile',
      summary: 'The account, masked',
      tags: ['Account'],
      response: { 200: ProfileAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  setProfile: {
    url: '/profile',
    schema: {
      operationId: 'setProfile',
      summary: 'Agree to news, or no longer',
      tags: ['Account'],
      body: ProfileBody,
      response: { 200: ProfileAnswer, ...refusals(...ACT) },
    },
  },
  listSessions: {
    url: '/sessions',
    schema: {
      operationId: 'listSessions',
      summary: 'Where the member is signed in',
      tags: ['Account'],
      response: { 200: SessionsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  endSession: {
    url: '/sessions/:sessionId',
    schema: {
      operationId: 'endSession',
      summary: 'End one session',
      tags: ['Account'],
      params: SessionParams,
      response: { 204: NoContent, ...refusals('not_found', ...ACT) },
    },
  },
  endOtherSessions: {
    url: '/sessions/end-others',
    schema: {
      operationId: 'endOtherSessions',
      summary: 'End all sessions but this one',
      tags: ['Account'],
      response: { 204: NoContent, ...refusals(...ACT) },
    },
  },
  changePassword: {
    url: '/password',
    schema: {
      operationId: 'changePassword',
      summary: 'Change the password, or set one',
      description:
        'Every other session ends. An account that has no password sends no `current`, and chooses a login id if it has none.',
      tags: ['Account'],
      body: PasswordBody,
      response: {
        204: NoContent,
        ...refusals('wrong_login', 'weak_password', 'login_id_taken', 'too_many_requests', ...TRUSTED),
      },
    },
  },
  closeAccount: {
    url: '/close',
    schema: {
      operationId: 'closeAccount',
      summary: 'Close the account',
      tags: ['Account'],
      body: CloseBody,
      response: {
        204: NoContent,
        ...refusals('wrong_login', 'assets_remain', 'too_many_requests', ...TRUSTED),
      },
    },
  },
} as const

interface Deps {
  onboarding: Onboarding
  manageAccount: ManageAccount
  changePassword: ChangePassword
  closeAccount: CloseAccount
}

// What a member does with the account, on the member's own pages only.
export function registerAccount(scope: Server, deps: Deps, access: MemberAccess): void {
  registerProfile(scope, deps, access)
  registerSessions(scope, deps, access)
  const { changePassword, closeAccount } = ROUTES

  scope.post(changePassword.url, { schema: changePassword.schema, ...jsonBody }, async (request, reply) => {
    // A thief with a stolen session must not lock the owner out.
    const { accountId, sessionId } = ownerOf(requireFresh(await access.visitor(request)))
    const { current = null, next, loginId = null } = request.body
    // For the notice of the new password, which names the browser.
    const { deviceLabel } = access.browser(request)
    const wish = { accountId, sessionId, current, next, loginId, deviceLabel }
    const outcome = await deps.changePassword(wish)
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw refusedLogin(request, outcome.reason)
    return reply.code(204).send(null)
  })

  scope.post(closeAccount.url, { schema: closeAccount.schema, ...jsonBody }, async (request, reply) => {
    // Closing cannot be undone.
    const { accountId } = ownerOf(requireFresh(await access.visitor(request)))
    // Null from a member who has no password: the fresh identity is enough then.
    const { password = null, waive, erase = false } = request.body
    const outcome = await deps.closeAccount({ accountId, password, waive, erase })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    // All sessions ended with the account. Nothing stays in the browser for the next person.
    reply.header('set-cookie', expiredCookies(access.cookie))
    await forgetOnboarding(deps, access, request, reply)
    return reply.code(204).send(null)
  })
}

// An account without a login id must choose one with its first password.
export function refusedLogin(
  request: FastifyRequest,
  reason: ErrorCode | 'login_id_needed' | 'password_needed',
): ApiError {
  if (reason === 'password_needed') return badField(request, 'password', 'must be given')
  if (reason === 'login_id_needed') return badField(request, 'loginId', 'must be given: the account has none')
  return new ApiError(reason)
}

// Asserts that there is an account: these routes do not exist in a web view.
function ownerOf({ accountId, memberId, sessionId }: Visitor) {
  assert(accountId !== null, "the member's scope has sessions of accounts only")
  return { accountId, memberId, sessionId }
}

function registerProfile(scope: Server, { manageAccount }: Deps, access: MemberAccess): void {
  const { getProfile, setProfile } = ROUTES
  const owner = async (request: FastifyRequest) => ownerOf(await access.visitor(request))
  scope.get(getProfile.url, { schema: getProfile.schema }, async (request) =>
    toProfile(await manageAccount.profile(await owner(request))),
  )
  scope.post(setProfile.url, { schema: setProfile.schema, ...jsonBody }, async (request) =>
    toProfile(await manageAccount.agreeToNews(await owner(request), request.body.marketing)),
  )
}

function toProfile({ joinedAt, passwordChangedAt, ...profile }: Profile) {
  return {
    ...profile,
    joinedAt: instantText(joinedAt),
    passwordChangedAt: passwordChangedAt && instantText(passwordChangedAt),
  }
}

function registerSessions(scope: Server, { manageAccount }: Deps, access: MemberAccess): void {
  const { listSessions, endSession, endOtherSessions } = ROUTES
  scope.get(listSessions.url, { schema: listSessions.schema }, async (request) => {
    const owner = ownerOf(await access.visitor(request))
    const sessions = await manageAccount.sessions(owner)
    return {
      sessions: sessions.map(({ startedAt, seenAt, ...session }) => ({
        ...session,
        current: session.id === owner.sessionId,
        startedAt: instantText(startedAt),
        seenAt: instantText(seenAt),
      })),
    }
  })
  // Ending sessions only takes rights away, so it needs no fresh identity.
  scope.delete(endSession.url, { schema: endSession.schema }, async (request, reply) => {
    const owner = ownerOf(await access.visitor(request))
    if (!(await manageAccount.endSession(owner, request.params.sessionId))) throw new ApiError('not_found')
    return reply.code(204).send(null)
  })
  scope.post(endOtherSessions.url, { schema: endOtherSessions.schema }, async (request, reply) => {
    const owner = ownerOf(await access.visitor(request))
    await manageAccount.endOtherSessions(owner, owner.sessionId)
    return reply.code(204).send(null)
  })
}
