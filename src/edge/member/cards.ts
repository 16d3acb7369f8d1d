import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { CheckCard } from '#flows/gift-cards/check-card.ts'
import type { RedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { type MemberAccess, refuseUnder14 } from './access.ts'
import { CARD_REFUSALS, CardBody, type CardDeps, createCardGuess } from './card-guess.ts'
import { TRUSTED } from './refusal-lists.ts'
import { won } from './schema-parts.ts'

const CardAnswer = object(
  'CardToRegister',
  {
    amount: won,
    expiresOn: Type.String({ format: 'date' }),
    extendsTo: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'Its last day after the one extension; null if there is none left.',
    }),
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

interface Deps extends CardDeps {
  checkCard: CheckCard
  redeemGiftCard: RedeemGiftCard
}

// Checking and registering a card. Both count wrong PINs.
export function registerCards(scope: Server, deps: Deps, access: MemberAccess): void {
  const { checkCard, redeemCard } = ROUTES
  const { held, pinFrom, guess } = createCardGuess(deps, access)

  scope.post(checkCard.url, { schema: checkCard.schema, ...jsonBody }, async (request) => {
    const visitor = refuseUnder14(await access.visitor(request))
    const pin = await pinFrom(request, request.body.pin)
    // A look counts as a guess, as registering does: otherwise this would be the free way to try PINs.
    const found = await guess(request, visitor, () => deps.checkCard({ pin, holderId: visitor.holderId }))
    const { amount, expiresOn, partnerName, again, extendsTo } = found
    request.about = { kind: 'card', id: found.cardId }
    const holder = visitor.maskedName
    return { amount: wonToJson(amount), expiresOn, extendsTo, partner: partnerName, holder, again }
  })

  scope.post(redeemCard.url, { schema: redeemCard.schema, ...jsonBody }, async (request) => {
    const visitor = refuseUnder14(await access.visitor(request))
    const pin = await pinFrom(request, request.body.pin)
    // No idempotency key is needed: the PIN names the card, and a card becomes points once. A repeated
    // call finds it done.
    const redeemed = await guess(request, visitor, () =>
      deps.redeemGiftCard({ pin, holderId: visitor.holderId }),
    )
    request.about = { kind: 'card', id: redeemed.card.id }
    // If this answer is lost, the visitor still has the card, and registering it again gives the same result.
    if (request.body.pin === undefined) await deps.onboarding.noteRegistered(held(request))
    return {
      amount: wonToJson(redeemed.card.amount),
      points: wonToJson(redeemed.points),
      again: redeemed.again,
      holder: visitor.maskedName,
    }
  })
}
