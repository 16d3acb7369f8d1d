import type { FastifyRequest } from 'fastify'
import { ApiError, badField, type ErrorCode } from '#edge/errors.ts'
import { instantText } from '#edge/instant-text.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { Continued } from '#flows/continue-session.ts'
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
  const { provider, personas, sandboxCode } = deps.identity
  const { listPersonas, startIdentity, resendCode, confirmCode } = MEMBER_ROUTES

  scope.get(listPersonas.url, { schema: listPersonas.schema }, async () => ({ personas: [...personas] }))

  scope.post(startIdentity.url, { schema: startIdentity.schema, ...jsonBody }, async (request, reply) => {
    const { purpose, name, birthday, gender, carrier } = request.body
    const session = await sessionFor(request, purpose)
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
        const sessionId = session?.visitor.sessionId ?? null
        const begun = await deps.beginVerification({ purpose, sessionId, mdn, provider: provider.name })
        const word = await provider.start(begun.id, {
          name,
          birthday,
          gender,
          mdn,
          carrier,
          address: request.ip,
        })
        return { kind: word.kind, begun }
      },
      ({ kind }) => kind !== 'unavailable',
    )
    if (outcome.kind === 'limited') throw tooMany(reply, outcome)
    refuseUnsent(outcome)
    return begunAnswer(outcome.begun.id, outcome.begun.expiresAt)
  })

  scope.post(resendCode.url, { schema: resendCode.schema }, async (request, reply) => {
    const { begun } = await find(request, request.params.verificationId)
    const word = await deps.guard.attempt<StartWord>(
      'identity',
      { account: undefined, address: request.ip },
      () => provider.resend(begun.id),
      ({ kind }) => kind !== 'unavailable',
    )
    if (word.kind === 'limited') throw tooMany(reply, word)
    refuseUnsent(word)
    return begunAnswer(begun.id, begun.expiresAt)
  })

  scope.post(confirmCode.url, { schema: confirmCode.schema, ...jsonBody }, async (request, reply) => {
    const { begun, session } = await find(request, request.params.verificationId)
    const word = await provider.confirm(begun.id, request.body.code, { mdn: begun.mdn })
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
    const { purpose, maskedName, loginId, knownThrough } = proof
    return {
      purpose,
      name: maskedName,
      isMember: loginId !== null,
      loginId,
      knownThrough: [...knownThrough],
    }
  })

  // A step-up is of a session; the others are of the member's door, before there is one.
  async function sessionFor(request: FastifyRequest, purpose: string): Promise<Continued | null> {
    if (purpose === 'step_up') {
      const session = await gate.session(request)
      if (!session) throw new ApiError('unauthorized')
      return session
    }
    if (gate.cookie.door === 'web_view') throw badField(request, 'purpose', 'must be step_up')
    return null
  }

  // Somebody else's step-up, or one of another session, is as if it were not there.
  async function find(request: FastifyRequest, id: string) {
    const begun = await deps.findVerification(id)
    if (!begun || (begun.purpose !== 'step_up' && gate.cookie.door === 'web_view'))
      throw new ApiError('not_found')
    const session = begun.purpose === 'step_up' ? await gate.session(request) : null
    if ((session?.visitor.sessionId ?? null) !== begun.sessionId) throw new ApiError('not_found')
    return { begun, session: session ?? null }
  }

  function refuseUnsent({ kind }: { kind: StartWord['kind'] }): void {
    if (kind === 'unavailable') throw new ApiError('service_unavailable')
    if (kind === 'refused') throw new ApiError('identity_failed')
  }

  function begunAnswer(verificationId: string, expiresAt: Temporal.Instant) {
    return {
      verificationId,
      expiresAt: instantText(expiresAt),
      resendAfterSeconds: RESEND_AFTER_SECONDS,
      sandboxCode,
    }
  }
}
