import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { ClaimRefund, QuoteRefund } from '#flows/refunds/claim-refund.ts'
import type { ExtendOwnCard } from '#flows/refunds/extend-own-card.ts'
import { PAYOUTS, type RefundLines } from '#modules/refunds/types.ts'
import { type MemberAccess, refuseUnder14 } from './access.ts'
import { CARD_REFUSALS, CardBody, type CardDeps, createCardGuess } from './card-guess.ts'
import { ACT, TRUSTED } from './refusal-lists.ts'
import { moment, won } from './schema-parts.ts'

const LINES = {
  payout: choice('RefundPayout', PAYOUTS),
  face: Type.Integer({ description: 'What the card was worth.', minimum: 1 }),
  percent: Type.Integer({ description: 'How much of it is refunded.', minimum: 1, maximum: 100 }),
  deduction: Type.Integer({ description: 'What is kept back, rounded down to the won.', minimum: 0 }),
  total: Type.Integer({ description: 'face − deduction.', minimum: 1 }),
}

const OffersAnswer = object(
  'RefundOffers',
  {
    amount: won,
    expiresOn: Type.String({ format: 'date' }),
    partner: Type.String({ description: 'The name of the partner that gave the card.' }),
    holder: Type.String({ description: 'Who would get it, masked.' }),
    policy: Type.String({ description: 'The version of the refund policy.', examples: ['kr-2025-09'] }),
    refundableUntil: Type.String({ format: 'date', description: 'The last day to ask for a refund.' }),
    offers: Type.Array(object('RefundOffer', { quoteId: uuid(), ...LINES }), {
      description:
        'One for each way. In a web view points only: money is paid out by a withdrawal, which is not there.',
    }),
    expiresAt: moment,
  },
  { description: 'What the expired card still gives. Nothing has moved yet.' },
)

const ClaimBody = object('RefundClaim', { quoteId: uuid() })

const RefundAnswer = object(
  'Refund',
  {
    refundId: uuid(),
    ...LINES,
    held: Type.Integer({ description: 'Points held now, or deposit.', minimum: 0 }),
    again: Type.Boolean({ description: 'Whether it was paid before: nothing was added.' }),
    refundedAt: moment,
  },
  { description: 'The refund.' },
)

const ExtendedAnswer = object(
  'ExtendedCard',
  { expiresOn: Type.String({ format: 'date' }), was: Type.String({ format: 'date' }) },
  { description: 'The card with its new last day.' },
)

const ROUTES = {
  quoteRefund: {
    url: '/cards/refund-offers',
    schema: {
      operationId: 'quoteRefund',
      summary: 'See what an expired card still gives, line by line',
      description: 'The figures hold for ten minutes. Wrong PINs count, as in checking a card.',
      tags: ['Cards'],
      body: CardBody,
      response: {
        200: OffersAnswer,
        ...refusals(
          ...CARD_REFUSALS,
          'card_refunded',
          'refund_too_late',
          'card_still_valid',
          'step_up_required',
          'under_age',
          'too_many_requests',
          ...TRUSTED,
        ),
      },
    },
  },
  claimRefund: {
    url: '/cards/refunds',
    schema: {
      operationId: 'claimRefund',
      summary: 'Take a refund, once',
      description:
        'The same quote again gets the same refund. Money goes to the deposit; a withdrawal pays it out.',
      tags: ['Cards'],
      body: ClaimBody,
      response: {
        200: RefundAnswer,
        ...refusals('step_up_required', 'under_age', 'quote_expired', 'card_refunded', ...ACT),
      },
    },
  },
  extendCard: {
    url: '/cards/extend',
    schema: {
      operationId: 'extendCard',
      summary: 'Move the last day of a card that is not registered, once',
      tags: ['Cards'],
      body: CardBody,
      response: {
        200: ExtendedAnswer,
        ...refusals(...CARD_REFUSALS, 'card_not_extendable', 'under_age', 'too_many_requests', ...TRUSTED),
      },
    },
  },
} as const

interface Deps extends CardDeps {
  quoteRefund: QuoteRefund
  claimRefund: ClaimRefund
  extendOwnCard: ExtendOwnCard
}

// Refunds of expired cards and the one extension, for whoever has the PIN and is verified.
export function registerRefunds(scope: Server, deps: Deps, access: MemberAccess): void {
  const { quoteRefund, claimRefund, extendCard } = ROUTES
  const { pinFrom, guess, requireVerified } = createCardGuess(deps, access)
  // A web view has no withdrawals, so it offers no money (decisions/0074).
  const payouts = access.cookie.sessionKind === 'web_view' ? (['points'] as const) : PAYOUTS

  scope.post(quoteRefund.url, { schema: quoteRefund.schema, ...jsonBody }, async (request) => {
    const visitor = requireVerified(refuseUnder14(await access.trusted(request)))
    const pin = await pinFrom(request, request.body.pin)
    const offer = await guess(request, visitor, () =>
      deps.quoteRefund({ pin, holderId: visitor.holderId, payouts }),
    )
    // All quotes are of one card and end at one moment, so the first speaks for them.
    request.about = { kind: 'card', id: offer.quotes[0]!.cardId }
    return {
      amount: wonToJson(offer.amount),
      expiresOn: offer.expiresOn,
      partner: offer.partnerName,
      holder: visitor.maskedName,
      policy: offer.policy.version,
      refundableUntil: offer.until,
      offers: offer.quotes.map(({ id, payout, ...lines }) => ({ quoteId: id, payout, ...linesJson(lines) })),
      expiresAt: offer.quotes[0]!.expiresAt.toString({ smallestUnit: 'millisecond' }),
    }
  })

  scope.post(claimRefund.url, { schema: claimRefund.schema, ...jsonBody }, async (request) => {
    const { holderId } = requireVerified(refuseUnder14(await access.trusted(request)))
    const outcome = await deps.claimRefund({ quoteId: request.body.quoteId, holderId })
    if (outcome.kind === 'refused')
      throw new ApiError(outcome.reason === 'refunded' ? 'card_refunded' : 'quote_expired')
    const { refund, held, again } = outcome
    request.about = { kind: 'card', id: refund.cardId }
    return {
      refundId: refund.id,
      payout: refund.payout,
      ...linesJson(refund),
      held: wonToJson(held),
      again,
      refundedAt: refund.at.toString({ smallestUnit: 'millisecond' }),
    }
  })

  scope.post(extendCard.url, { schema: extendCard.schema, ...jsonBody }, async (request) => {
    const visitor = refuseUnder14(await access.trusted(request))
    const pin = await pinFrom(request, request.body.pin)
    const extended = await guess(request, visitor, () =>
      deps.extendOwnCard({ pin, holderId: visitor.holderId }),
    )
    request.about = { kind: 'card', id: extended.card.id }
    return { expiresOn: extended.toDay, was: extended.fromDay }
  })
}

function linesJson({ face, percent, deduction, total }: RefundLines) {
  return { face: wonToJson(face), percent, deduction: wonToJson(deduction), total: wonToJson(total) }
}
