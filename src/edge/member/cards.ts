import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { onboardingsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField, type ErrorCode } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import type { CheckCard } from '#flows/gift-cards/check-card.ts'
import type { RedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import type { Guard } from '#flows/guesses/guard-guesses.ts'
import { type Pin, parsePin } from '#modules/gift-cards/pin.ts'
import type { RedeemRefusal } from '#modules/gift-cards/types.ts'
import { type MemberAccess, refuseUnder14, tooMany, type Visitor } from './access.ts'
import { TRUSTED } from './refusal-lists.ts'
import { PIN, won } from './schema-parts.ts'

const CardBody = object('CardRequest', {
  pin: Type.Optional(
    Type.String({ ...PIN, description: `${PIN.description} Without it: the card of the onboarding.` }),
  ),
})

const CardAnswer = object(
  'CardToRegister',
  {
    amount: won,
    expiresOn: Type.String({ format: 'date' }),
    partner: Type.String({ description: 'The name of the partner that gave it.' }),
    holder: Type.String({ description: 'To whom it would be credited, masked.' }),
    again: Type.Boolean({
      description: 'Whether the same person has registered it already: nothing would be added.',
    }),
  },
  { description: 'What the card is worth and who gave it.' },
)

const RedeemedAnswer = object(
  'RegisteredCard',
  {
    amount: won,
    points: Type.Integer({ description: 'Points held now.', minimum: 0 }),
    again: Type.Boolean({
      description: 'Whether the same person had registered it before: nothing was added.',
    }),
    holder: Type.String(),
  },
  { description: 'The card has become points.' },
)

// The document names them all, although most callers only ever get `card_not_registered` (decisions/0043).
const CARD_REFUSALS = [
  'card_not_registered',
  'card_used',
  'card_expired',
  'card_cancelled',
  'pin_mistyped',
  'not_found',
] as const

const ROUTES = {
  checkCard: {
    url: '/cards/check',
    schema: {
      operationId: 'checkCard',
      summary: 'See what a card is worth before it is registered',
      tags: ['Cards'],
      body: CardBody,
      response: {
        200: CardAnswer,
        ...refusals(...CARD_REFUSALS, 'under_age', 'too_many_requests', ...TRUSTED),
      },
    },
  },
  redeemCard: {
    url: '/cards/redeem',
    schema: {
      operationId: 'redeemCard',
      summary: 'Register a card: it becomes points, once',
      tags: ['Cards'],
      body: CardBody,
      response: {
        200: RedeemedAnswer,
        ...refusals(...CARD_REFUSALS, 'under_age', 'too_many_requests', ...TRUSTED),
      },
    },
  },
} as const

// While the alarm is on, a PIN can be tried only for this long after a verification.
const FRESH_PROOF = { minutes: 15 }

interface Deps extends Pick<HttpDeps, 'log'> {
  guard: Guard
  onboarding: Onboarding
  checkCard: CheckCard
  redeemGiftCard: RedeemGiftCard
}

// Checking and registering a card. Both count wrong PINs.
export function registerCards(scope: Server, deps: Deps, access: MemberAccess): void {
  const { checkCard, redeemCard } = ROUTES

  scope.post(checkCard.url, { schema: checkCard.schema, ...jsonBody }, async (request) => {
    const visitor = refuseUnder14(await access.visitor(request))
    const pin = await pinFrom(request, request.body.pin)
    // A look counts as a guess, as registering does: otherwise this would be the free way to try PINs.
    const found = await guess(request, visitor, () => deps.checkCard({ pin, holderId: visitor.holderId }))
    const { amount, expiresOn, partnerName, again } = found
    return { amount: wonToJson(amount), expiresOn, partner: partnerName, holder: visitor.maskedName, again }
  })

  scope.post(redeemCard.url, { schema: redeemCard.schema, ...jsonBody }, async (request) => {
    const visitor = refuseUnder14(await access.visitor(request))
    const pin = await pinFrom(request, request.body.pin)
    // No idempotency key is needed: the PIN names the card, and a card becomes points once. A repeated
    // call finds it done.
    const redeemed = await guess(request, visitor, () =>
      deps.redeemGiftCard({ pin, holderId: visitor.holderId }),
    )
    // If this answer is lost, the visitor still has the card, and registering it again gives the same result.
    if (request.body.pin === undefined) await deps.onboarding.noteRegistered(held(request))
    return {
      amount: wonToJson(redeemed.card.amount),
      points: wonToJson(redeemed.points),
      again: redeemed.again,
      holder: visitor.maskedName,
    }
  })

  const held = (request: FastifyRequest) => onboardingsOf(request, access.cookie)

  // The typed PIN, or the PIN of the card that the visitor brought. A web view always takes a typed one.
  async function pinFrom(request: FastifyRequest, typed: string | undefined): Promise<Pin> {
    if (typed !== undefined) return pinOf(typed)
    if (access.cookie.sessionKind === 'web_view') throw badField(request, 'pin', 'must be given')
    const pin = await deps.onboarding.findPin(held(request))
    if (!pin) throw new ApiError('not_found')
    return pin
  }

  // Every refusal counts as a guess, whatever the answer says. The log has the cause.
  async function guess<Outcome extends { kind: string }>(
    request: FastifyRequest,
    visitor: Visitor,
    look: () => Promise<Outcome>,
  ): Promise<Exclude<Outcome, { kind: 'refused' }>> {
    const outcome = await deps.guard.attempt<Outcome | { kind: 'unproven' }>(
      'pin',
      { account: visitor.accountId ?? visitor.linkId ?? undefined, address: access.address(request) },
      async ({ alarmed, now }) => {
        const since = visitor.verifiedAt
        const proven = since && Temporal.Instant.compare(since, now.subtract(FRESH_PROOF)) > 0
        return alarmed && !proven ? { kind: 'unproven' } : look()
      },
      ({ kind }) => kind === 'refused',
    )
    if (outcome.kind === 'limited') throw tooMany(outcome as { kind: 'limited'; retryAfterSeconds: number })
    if (outcome.kind === 'unproven') throw new ApiError('step_up_required')
    if (outcome.kind === 'refused') {
      const { reason } = outcome as unknown as { reason: RedeemRefusal }
      deps.log.info('card refused', { requestId: request.id, reason })
      throw new ApiError(refusalFor(visitor, reason))
    }
    return outcome as Exclude<Outcome, { kind: 'refused' }>
  }
}

// What a verified member learns. Every other caller gets `card_not_registered` for all of them.
const TOLD = {
  absent: 'card_not_registered',
  used: 'card_used',
  voided: 'card_cancelled',
  expired: 'card_expired',
} as const satisfies Record<RedeemRefusal, ErrorCode>

// The same code for every dead PIN, unless the member is verified.
export function refusalFor(visitor: Visitor | undefined, reason: RedeemRefusal): ErrorCode {
  return visitor && !visitor.isUnder14 && isVerified(visitor) ? TOLD[reason] : 'card_not_registered'
}

// Only a member whose identity is known learns what became of a card. An unconfirmed link does not count. A web view,
// which a partner opens, counts only after a verification in it.
function isVerified({ accountId, memberId, holderId, mustVerify, verifiedAt }: Visitor): boolean {
  return holderId === memberId && !mustVerify && (accountId !== null || verifiedAt !== null)
}

// A typo is reported at once and does not count as a guess: the check character shows that it is no PIN.
export function pinOf(typed: string): Pin {
  const pin = parsePin(typed)
  if (!pin) throw new ApiError('pin_mistyped')
  return pin
}
