import type { FastifyReply, FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { onboardingCookie, onboardingsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { ConfirmOnboarding } from '#flows/accounts/confirm-onboarding.ts'
import type { KeptOnboarding, Onboarding, OnboardingState } from '#flows/accounts/onboarding.ts'
import type { OpenCardLink } from '#flows/gift-cards/open-card-link.ts'
import { maskPin } from '#modules/onboarding/rules.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { pinOf, refusalFor } from './cards.ts'
import {
  checkCode,
  codeAnswer,
  refusedProof,
  sendAgain,
  startVerification,
  type VerificationDeps,
} from './identity.ts'
import { MEMBER_ROUTES } from './routes.ts'
import { type OpenedDeps, openedAnswer } from './session.ts'

const NOTHING = { expiresAt: null, card: null, details: null, code: null, purpose: null, verified: null }

interface Deps extends VerificationDeps, OpenedDeps, Pick<HttpDeps, 'log'> {
  onboarding: Onboarding
  openCardLink: OpenCardLink
  confirmOnboarding: ConfirmOnboarding
}

// Nobody is signed in here. What each call costs is bounded by address, and all of them share the connections of
// strangers; texts and codes are counted as everywhere.
export function registerOnboarding(
  scope: Server,
  deps: Deps,
  access: MemberAccess,
  count: CountAddress,
): void {
  const { getOnboarding, keepCard, openCardLink, endOnboarding } = MEMBER_ROUTES
  const asked = (request: FastifyRequest) => {
    const tokens = onboardingsOf(request, access.cookie)
    // Whoever opens a page and has nothing yet is answered without looking.
    if (request.method !== 'GET' || tokens.length > 0) count('onboarding', access.address(request))
    return tokens
  }
  scope.get(getOnboarding.url, { schema: getOnboarding.schema }, async (request) =>
    answerOf(deps, await deps.onboarding.find(asked(request))),
  )
  scope.put(keepCard.url, { schema: keepCard.schema, ...jsonBody }, async (request, reply) => {
    const pin = pinOf(request.body.pin)
    return keep(reply, await deps.onboarding.keepCard(asked(request), { pin, told: null }))
  })
  const open = { schema: openCardLink.schema, ...jsonBody }
  scope.post(openCardLink.url, open, async (request, reply) => {
    const tokens = asked(request)
    const { pin, amount, ...card } = await openLink(deps, access, request)
    const told = { partner: card.partner, amount: wonToJson(amount), expiresOn: card.expiresOn }
    return keep(reply, await deps.onboarding.keepCard(tokens, { pin, told }))
  })
  scope.delete(endOnboarding.url, { schema: endOnboarding.schema }, async (request, reply) => {
    await deps.onboarding.end(asked(request))
    return reply.header('set-cookie', onboardingCookie(access.cookie, null)).code(204).send(null)
  })
  registerPhone(scope, deps, access, { asked, keep })

  function keep(reply: FastifyReply, kept: KeptOnboarding) {
    reply.header('set-cookie', onboardingCookie(access.cookie, kept.token))
    return answerOf(deps, kept)
  }
}

// A code that does not read is a guess as a wrong PIN is. Nobody is known yet: it counts for the address. Whoever has one that
// reads did not guess it, also when its card is used by now; what became of it is told as of a typed PIN.
async function openLink(
  deps: Deps,
  access: MemberAccess,
  request: FastifyRequest<{ Body: { code: string } }>,
) {
  const outcome = await deps.openCardLink(request.body.code)
  if (outcome.kind === 'found') return outcome
  if (outcome.kind === 'unread') {
    const who = { account: undefined, address: access.address(request) }
    const counted = await deps.guard.attempt(
      'pin',
      who,
      async () => outcome,
      () => true,
    )
    if (counted.kind === 'limited') throw tooMany(counted)
  }
  const reason = outcome.kind === 'refused' ? outcome.reason : 'absent'
  deps.log.info('card refused', { requestId: request.id, reason })
  if (outcome.kind === 'unread') throw new ApiError('card_not_registered')
  const visitor = (await access.session(request))?.visitor
  const told = refusalFor(visitor, outcome.reason)
  const isTheirs = told === 'card_used' && outcome.usedBy === visitor?.memberId
  throw new ApiError(isTheirs ? 'card_already_yours' : told)
}

interface Keeper {
  asked(request: FastifyRequest): string[]
  keep(reply: FastifyReply, kept: KeptOnboarding): Promise<ReturnType<typeof answer>>
}

function registerPhone(scope: Server, deps: Deps, access: MemberAccess, { asked, keep }: Keeper): void {
  const { startOnboardingIdentity, resendOnboardingCode, confirmOnboardingCode } = MEMBER_ROUTES
  const start = { schema: startOnboardingIdentity.schema, ...jsonBody }
  scope.post(startOnboardingIdentity.url, start, async (request, reply) => {
    const { purpose, name, birthday, gender, mdn, carrier } = request.body
    const tokens = asked(request)
    const details = { name, birthday, gender, mdn, carrier }
    const wish = { purpose, sessionId: null, details }
    const { id: verificationId } = await startVerification({ deps, access, request }, wish)
    return keep(reply, await deps.onboarding.keepStarted(tokens, { details, verificationId, purpose }))
  })

  async function running(tokens: readonly string[]) {
    const id = await deps.onboarding.findRunning(tokens)
    const begun = id && (await deps.findVerification(id))
    if (!begun) throw new ApiError('not_found')
    return begun
  }
  scope.post(resendOnboardingCode.url, { schema: resendOnboardingCode.schema }, async (request) => {
    const tokens = asked(request)
    await sendAgain({ deps, access, request }, await running(tokens))
    return answerOf(deps, await deps.onboarding.find(tokens))
  })

  const confirm = { schema: confirmOnboardingCode.schema, ...jsonBody }
  scope.post(confirmOnboardingCode.url, confirm, async (request, reply) => {
    const tokens = asked(request)
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
    if (!outcome.opened) return { onboarding, session: null }
    access.remember(reply, outcome.opened, false)
    return { onboarding, session: await openedAnswer(deps, outcome.opened) }
  })
}

// Of a visitor whose code is on its way also how long it is good for.
async function answerOf(deps: Deps, state: OnboardingState | undefined) {
  const verification = state?.content.verification
  const begun =
    verification && !verification.verified ? await deps.findVerification(verification.id) : undefined
  return answer(state, begun ? codeAnswer(deps, begun) : null)
}

function answer(state: OnboardingState | undefined, code: ReturnType<typeof codeAnswer> | null) {
  if (!state) return NOTHING
  const { card, details, verification } = state.content
  const verified = verification?.verified ?? null
  return {
    expiresAt: instantText(state.expiresAt),
    card: card && !card.registered ? { pin: maskPin(card.pin), told: card.told } : null,
    details,
    code,
    purpose: verification?.purpose ?? null,
    verified: verified && { ...verified, knownThrough: [...verified.knownThrough] },
  }
}
