import type { FastifyReply, FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { onboardingCookie, onboardingsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, type ErrorCode } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { KeptOnboarding } from '#flows/accounts/onboarding.ts'
import type { OpenCardLink } from '#flows/gift-cards/open-card-link.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { pinOf, refusalFor } from './card-guess.ts'
import { answerOf, OnboardingAnswer } from './onboarding-answer.ts'
import { type PhoneDeps, registerPhone } from './onboarding-identity.ts'
import { OPEN_BODY } from './refusal-lists.ts'
import { NoContent, PIN } from './schema-parts.ts'

const LINK_REFUSALS: ErrorCode[] = [
  'card_not_registered',
  'card_used',
  'card_already_yours',
  'card_expired',
  'card_cancelled',
]

const ROUTES = {
  getOnboarding: {
    url: '/onboarding',
    schema: {
      operationId: 'getOnboarding',
      summary: 'What this visitor has brought and proven so far',
      tags: ['Onboarding'],
      response: { 200: OnboardingAnswer, ...refusals('too_many_requests', ...OPEN_BODY) },
    },
  },
  keepCard: {
    url: '/onboarding',
    schema: {
      operationId: 'keepCard',
      summary: 'Begin with a card',
      description: 'Nothing is looked up: a PIN that nobody has is kept like any other.',
      tags: ['Onboarding'],
      body: object('CardPin', { pin: Type.String(PIN) }),
      response: { 200: OnboardingAnswer, ...refusals('pin_mistyped', 'too_many_requests', ...OPEN_BODY) },
    },
  },
  openCardLink: {
    url: '/onboarding/link',
    schema: {
      operationId: 'openCardLink',
      summary: "Begin with the card that a message's link carries",
      description:
        'The code is what follows the # of the link. What became of a card that cannot be registered any more is told to a signed-in member whose identity is verified; to everybody else it is like one that never was.',
      tags: ['Onboarding'],
      body: object('CardLinkCode', { code: Type.String({ maxLength: 100 }) }),
      response: { 200: OnboardingAnswer, ...refusals(...LINK_REFUSALS, 'too_many_requests', ...OPEN_BODY) },
    },
  },
  endOnboarding: {
    url: '/onboarding',
    schema: {
      operationId: 'endOnboarding',
      summary: 'Forget all of it',
      tags: ['Onboarding'],
      response: { 204: NoContent, ...refusals('too_many_requests', ...OPEN_BODY) },
    },
  },
} as const

interface Deps extends PhoneDeps, Pick<HttpDeps, 'log'> {
  openCardLink: OpenCardLink
}

// There is no session here. Calls are limited by address, and all share the connections of unauthenticated work.
// Texts and codes are counted as everywhere.
export function registerOnboarding(
  scope: Server,
  deps: Deps,
  access: MemberAccess,
  count: CountAddress,
): void {
  const { getOnboarding, keepCard, openCardLink, endOnboarding } = ROUTES
  const asked = async (request: FastifyRequest) => {
    const tokens = onboardingsOf(request, access.cookie)
    // A visitor without a cookie is answered without a look-up.
    if (request.method !== 'GET' || tokens.length > 0) await count('onboarding', access.address(request))
    return tokens
  }
  scope.get(getOnboarding.url, { schema: getOnboarding.schema }, async (request) =>
    answerOf(deps, await deps.onboarding.find(await asked(request))),
  )
  scope.put(keepCard.url, { schema: keepCard.schema, ...jsonBody }, async (request, reply) => {
    // A typo is refused before it counts against the address: the check character tells, without a look-up.
    const pin = pinOf(request.body.pin)
    return keep(reply, await deps.onboarding.keepCard(await asked(request), { pin, told: null }))
  })
  const open = { schema: openCardLink.schema, ...jsonBody }
  scope.post(openCardLink.url, open, async (request, reply) => {
    const tokens = await asked(request)
    const { pin, amount, ...card } = await openLink(deps, access, request)
    const told = { partner: card.partner, amount: wonToJson(amount), expiresOn: card.expiresOn }
    return keep(reply, await deps.onboarding.keepCard(tokens, { pin, told }))
  })
  scope.delete(endOnboarding.url, { schema: endOnboarding.schema }, async (request, reply) => {
    await deps.onboarding.end(await asked(request))
    return reply.header('set-cookie', onboardingCookie(access.cookie, null)).code(204).send(null)
  })
  registerPhone(scope, deps, access, { asked, keep })

  function keep(reply: FastifyReply, kept: KeptOnboarding) {
    // Whatever is kept gets a new id. One that an attacker planted beforehand never comes to hold the
    // visitor's card or identity.
    reply.header('set-cookie', onboardingCookie(access.cookie, kept.token))
    return answerOf(deps, kept)
  }
}

// An invalid link code counts as a wrong PIN, for the address, because the person is not known yet. A valid one
// cannot be guessed, so it never counts, also if its card is used by now. The answer about the card follows the rules
// of a typed PIN.
async function openLink(
  deps: Deps,
  access: MemberAccess,
  request: FastifyRequest<{ Body: { code: string } }>,
) {
  // Read before the guard is asked: a valid code is answered also while the address has to wait (decisions/0047).
  const outcome = await deps.openCardLink(request.body.code)
  if (outcome.kind === 'found') return outcome
  if (outcome.kind === 'unread') {
    const who = { account: undefined, address: access.address(request) }
    // Always a failure: the guard is asked only to count it.
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
  // The same person tapped the link again. To them it is good news and no failure.
  const isTheirs = told === 'card_used' && outcome.usedBy === visitor?.memberId
  throw new ApiError(isTheirs ? 'card_already_yours' : told)
}
