import type { FastifyRequest } from 'fastify'
import { ApiError, badField, type ErrorCode } from '#edge/errors.ts'
import { instantText } from '#edge/instant-text.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { ProofRefusal } from '#flows/verify-identity.ts'
import { isUnder14 } from '#modules/accounts/rules.ts'
import { isBirthday, isName } from '#modules/members/rules.ts'
import type { StartWord } from '#providers/identity/port.ts'
import { type MemberGate, tooMany } from './gate.ts'
import { MEMBER_ROUTES } from './routes.ts'

const RESEND_AFTER_SECONDS = 60 // a text takes seconds; impatience costs money

const REFUSED: Record<ProofRefusal, ErrorCode> = {
  gone: 'identity_failed',
  not_eligible: 'not_eligible',
  under_age: 'under_age',
  other_person: 'other_person',
}

// The provider is asked here, between two flows: no transaction waits for it.
export function registerIdentity(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  const { personas } = deps.identity
  const { listPersonas } = MEMBER_ROUTES
  scope.get(listPersonas.url, { schema: listPersonas.schema }, async () => ({ personas: [...personas] }))
  registerStart(scope, deps, gate)
  registerResend(scope, deps, gate)
  registerConfirm(scope, deps, gate)
}

function registerStart(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  const { provider } = deps.identity
  const { startIdentity } = MEMBER_ROUTES
  scope.post(startIdentity.url, { schema: startIdentity.schema, ...jsonBody }, async (request, reply) => {
    const { purpose, name, birthday, gender, carrier } = request.body
    const sessionId = await sessionFor(gate, request, purpose)
    const mdn = request.body.mdn.replace(/[\s-]/g, '')
    const today = await deps.today()
    if (!isName(name)) throw badField(request, 'name', 'must be a name')
    if (!isBirthday(birthday, today)) throw badField(request, 'birthday', 'must be a day that has been')
    if (!/^01[0-9]{8,9}$/.test(mdn)) throw badField(request, 'mdn', 'must be a mobile number')
    // The carrier would only say the same.
    if (isUnder14(birthday, today)) throw new ApiError('under_age')
    const outcome = await deps.guard.attempt(
      'identity',
      { account: undefined, address: request.ip },
      async () => {
        const begun = await deps.beginVerification({ purpose, sessionId, mdn, provider: provider.name })
        const applicant = { name, birthday, gender, mdn, carrier, address: request.ip }
        return { kind: (await provider.start(begun.id, applicant)).kind, begun }
      },
      costs,
    )
    if (outcome.kind === 'limited') throw tooMany(reply, outcome)
    refuseUnsent(outcome)
    return begunAnswer(deps, outcome.begun)
  })
}

function registerResend(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  const { resendCode } = MEMBER_ROUTES
  scope.post(resendCode.url, { schema: resendCode.schema }, async (request, reply) => {
    const { begun } = await find(deps, gate, request, request.params.verificationId)
    const word = await deps.guard.attempt<StartWord>(
      'identity',
      { account: undefined, address: request.ip },
      () => deps.identity.provider.resend(begun.id),
      costs,
    )
    if (word.kind === 'limited') throw tooMany(reply, word)
    refuseUnsent(word)
    return begunAnswer(deps, begun)
  })
}

function registerConfirm(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  const { confirmCode } = MEMBER_ROUTES
  scope.post(confirmCode.url, { schema: confirmCode.schema, ...jsonBody }, async (request, reply) => {
    const { begun, session } = await find(deps, gate, request, request.params.verificationId)
    const word = await deps.identity.provider.confirm(begun.id, request.body.code, { mdn: begun.mdn })
    if (word.kind === 'unavailable') throw new ApiError('service_unavailable')
    if (word.kind === 'wrong_code') throw new ApiError('wrong_code')
    if (word.kind === 'failed') throw new ApiError('identity_failed')
    const proof = await deps.recordProof({
      id: begun.id,
      person: word.person,
      session: session && { id: session.visitor.sessionId, memberId: session.visitor.memberId },
      today: await deps.today(),
    })
    if (proof.kind === 'refused') throw new ApiError(REFUSED[proof.reason])
    if (proof.session) gate.remember(reply, proof.session, undefined, session?.framed ?? false)
    const { purpose, maskedName: name, loginId, knownThrough } = proof
    return { purpose, name, isMember: loginId !== null, loginId, knownThrough: [...knownThrough] }
  })
}

// A step-up is of a session; the others are of the member's door, before there is one.
async function sessionFor(
  gate: MemberGate,
  request: FastifyRequest,
  purpose: string,
): Promise<string | null> {
  if (purpose === 'step_up') return (await gate.visitor(request)).sessionId
  if (gate.cookie.door === 'web_view') throw badField(request, 'purpose', 'must be step_up')
  return null
}

// Somebody else's step-up, or one of another session, is as if it were not there.
async function find(deps: EdgeDeps, gate: MemberGate, request: FastifyRequest, id: string) {
  const begun = await deps.findVerification(id)
  if (!begun || (begun.purpose !== 'step_up' && gate.cookie.door === 'web_view'))
    throw new ApiError('not_found')
  const session = begun.purpose === 'step_up' ? await gate.session(request) : undefined
  if ((session?.visitor.sessionId ?? null) !== begun.sessionId) throw new ApiError('not_found')
  return { begun, session: session ?? null }
}

// Every code that was asked for, unless the provider was away.
function costs({ kind }: { kind: StartWord['kind'] }): boolean {
  return kind !== 'unavailable'
}

function refuseUnsent({ kind }: { kind: StartWord['kind'] }): void {
  if (kind === 'unavailable') throw new ApiError('service_unavailable')
  if (kind === 'refused') throw new ApiError('identity_failed')
}

function begunAnswer({ identity }: EdgeDeps, { id, expiresAt }: { id: string; expiresAt: Temporal.Instant }) {
  return {
    verificationId: id,
    expiresAt: instantText(expiresAt),
    resendAfterSeconds: RESEND_AFTER_SECONDS,
    sandboxCode: identity.sandboxCode,
  }
}
