import type { FastifyRequest } from 'fastify'
import { assert } from '#base/assert.ts'
import { expiredCookies } from '#edge/cookies.ts'
import { ApiError } from '#edge/errors.ts'
import { instantText } from '#edge/instant-text.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { Profile } from '#flows/look-after-account.ts'
import { type MemberGate, requireFresh, tooMany, type Visitor } from './gate.ts'
import { MEMBER_ROUTES } from './routes.ts'

// What a member does with the account: in the member's scope only.
export function registerAccount(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  registerProfile(scope, deps, gate)
  registerSessions(scope, deps, gate)
  const { changePassword, closeAccount } = MEMBER_ROUTES

  scope.post(changePassword.url, { schema: changePassword.schema, ...jsonBody }, async (request, reply) => {
    const { accountId, sessionId } = ownerOf(requireFresh(await gate.visitor(request)))
    const { current, next } = request.body
    const { deviceLabel } = gate.browser(request)
    const outcome = await deps.changePassword({ accountId, sessionId, current, next, deviceLabel })
    if (outcome.kind === 'limited') throw tooMany(reply, outcome)
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    return reply.code(204).send(null)
  })

  scope.post(closeAccount.url, { schema: closeAccount.schema, ...jsonBody }, async (request, reply) => {
    const { accountId } = ownerOf(requireFresh(await gate.visitor(request)))
    const { password, waive } = request.body
    const outcome = await deps.closeAccount({ accountId, password, waive })
    if (outcome.kind === 'limited') throw tooMany(reply, outcome)
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    return reply.header('set-cookie', expiredCookies(gate.cookie)).code(204).send(null)
  })
}

function ownerOf({ accountId, memberId, sessionId }: Visitor) {
  assert(accountId !== null, "the member's scope has sessions of accounts only")
  return { accountId, memberId, sessionId }
}

function registerProfile(scope: Server, { accountCare }: EdgeDeps, gate: MemberGate): void {
  const { getProfile, setProfile } = MEMBER_ROUTES
  const owner = async (request: FastifyRequest) => ownerOf(await gate.visitor(request))
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
    passwordChangedAt: instantText(passwordChangedAt),
  }
}

function registerSessions(scope: Server, { accountCare }: EdgeDeps, gate: MemberGate): void {
  const { listSessions, endSession, endOtherSessions } = MEMBER_ROUTES
  scope.get(listSessions.url, { schema: listSessions.schema }, async (request) => {
    const owner = ownerOf(await gate.visitor(request))
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
    const owner = ownerOf(await gate.visitor(request))
    if (!(await accountCare.endSession(owner, request.params.sessionId))) throw new ApiError('not_found')
    return reply.code(204).send(null)
  })
  scope.post(endOtherSessions.url, { schema: endOtherSessions.schema }, async (request, reply) => {
    const owner = ownerOf(await gate.visitor(request))
    await accountCare.endOtherSessions(owner, owner.sessionId)
    return reply.code(204).send(null)
  })
}
