import type { FastifyRequest } from 'fastify'
import { assert } from '#base/assert.ts'
import { expiredCookies } from '#edge/http/cookies.ts'
import { ApiError, badField, type ErrorCode } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { ChangePassword } from '#flows/accounts/change-password.ts'
import type { CloseAccount } from '#flows/accounts/close-account.ts'
import type { AccountCare, Profile } from '#flows/accounts/manage-account.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import { type MemberAccess, requireFresh, tooMany, type Visitor } from './access.ts'
import { MEMBER_ROUTES } from './routes.ts'
import { forgetOnboarding } from './session.ts'

interface Deps {
  onboarding: Onboarding
  accountCare: AccountCare
  changePassword: ChangePassword
  closeAccount: CloseAccount
}

// What a member does with the account: in the member's scope only.
export function registerAccount(scope: Server, deps: Deps, access: MemberAccess): void {
  registerProfile(scope, deps, access)
  registerSessions(scope, deps, access)
  const { changePassword, closeAccount } = MEMBER_ROUTES

  scope.post(changePassword.url, { schema: changePassword.schema, ...jsonBody }, async (request, reply) => {
    const { accountId, sessionId } = ownerOf(requireFresh(await access.visitor(request)))
    const { current = null, next, loginId = null } = request.body
    const { deviceLabel } = access.browser(request)
    const wish = { accountId, sessionId, current, next, loginId, deviceLabel }
    const outcome = await deps.changePassword(wish)
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw refusedLogin(request, outcome.reason)
    return reply.code(204).send(null)
  })

  scope.post(closeAccount.url, { schema: closeAccount.schema, ...jsonBody }, async (request, reply) => {
    const { accountId } = ownerOf(requireFresh(await access.visitor(request)))
    const { password = null, waive } = request.body
    const outcome = await deps.closeAccount({ accountId, password, waive })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    reply.header('set-cookie', expiredCookies(access.cookie))
    await forgetOnboarding(deps, access, request, reply)
    return reply.code(204).send(null)
  })
}

// An account that has no login id has to choose one with its first password.
export function refusedLogin(
  request: FastifyRequest,
  reason: ErrorCode | 'login_id_needed' | 'password_needed',
): ApiError {
  if (reason === 'password_needed') return badField(request, 'password', 'must be given')
  if (reason === 'login_id_needed') return badField(request, 'loginId', 'must be given: the account has none')
  return new ApiError(reason)
}

function ownerOf({ accountId, memberId, sessionId }: Visitor) {
  assert(accountId !== null, "the member's scope has sessions of accounts only")
  return { accountId, memberId, sessionId }
}

function registerProfile(scope: Server, { accountCare }: Deps, access: MemberAccess): void {
  const { getProfile, setProfile } = MEMBER_ROUTES
  const owner = async (request: FastifyRequest) => ownerOf(await access.visitor(request))
  scope.get(getProfile.url, { schema: getProfile.schema }, async (request) =>
    toProfile(await accountCare.profile(await owner(request))),
  )
  scope.post(setProfile.url, { schema: setProfile.schema, ...jsonBody }, async (request) =>
    toProfile(await accountCare.agreeToNews(await owner(request), request.body.marketing)),
  )
}

function toProfile({ joinedAt, passwordChangedAt, ...profile }: Profile) {
  return {
    ...profile,
    joinedAt: instantText(joinedAt),
    passwordChangedAt: passwordChangedAt && instantText(passwordChangedAt),
  }
}

function registerSessions(scope: Server, { accountCare }: Deps, access: MemberAccess): void {
  const { listSessions, endSession, endOtherSessions } = MEMBER_ROUTES
  scope.get(listSessions.url, { schema: listSessions.schema }, async (request) => {
    const owner = ownerOf(await access.visitor(request))
    const sessions = await accountCare.sessions(owner)
    return {
      sessions: sessions.map(({ startedAt, seenAt, ...session }) => ({
        ...session,
        current: session.id === owner.sessionId,
        startedAt: instantText(startedAt),
        seenAt: instantText(seenAt),
      })),
    }
  })
  scope.delete(endSession.url, { schema: endSession.schema }, async (request, reply) => {
    const owner = ownerOf(await access.visitor(request))
    if (!(await accountCare.endSession(owner, request.params.sessionId))) throw new ApiError('not_found')
    return reply.code(204).send(null)
  })
  scope.post(endOtherSessions.url, { schema: endOtherSessions.schema }, async (request, reply) => {
    const owner = ownerOf(await access.visitor(request))
    await accountCare.endOtherSessions(owner, owner.sessionId)
    return reply.code(204).send(null)
  })
}
