import { wonToJson } from '#base/money.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { CardLookup } from '#modules/gift-cards/lookup.ts'
import { CardParams } from './card-schemas.ts'
import { namedCard } from './named-card.ts'

const LookupAnswer = object(
  'GiftCardAnswer',
  {
    // `Success` here and `success` at the purchase: the interface spells them so, and partners compare.
    result: Type.Literal('Success'),
    data: object('GiftCard', {
      giftId: Type.Integer({ description: 'Number of the gift card.' }),
      amount: Type.Integer({ description: 'Won credited to the recipient.' }),
      used: Type.Boolean({ description: 'Whether the card has been redeemed.' }),
      expires: Type.String({
        format: 'date',
        description: 'Last day on which it can be redeemed, in Seoul.',
      }),
      valid: Type.Boolean({ description: 'Whether it can be redeemed now.' }),
    }),
  },
  {
    description: 'The card as it is now.',
    examples: [
      {
        result: 'Success',
        data: { giftId: 4821739051827364, amount: 50000, used: false, expires: '2027-11-15', valid: true },
      },
    ],
  },
)

// Look-ups that arrive together share one statement. Another partner's card is not found.
export function registerLookup(server: Server, deps: { lookupCard: CardLookup }, auth: PartnerAuth): void {
  server.get(
    '/v2/partner/metal/giftcard/buy/:giftUUID',
    {
      ...auth.withKey('giftcards:read'),
      schema: {
        operationId: 'lookUpGiftCard',
        summary: 'Look up a gift card',
        description:
          "The status of a gift card bought by the calling partner. Another partner's is not found.",
        tags: ['Gift cards'],
        params: CardParams,
        response: { 200: LookupAnswer, ...answers(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      const card = await deps.lookupCard(request.caller!.partner.id, namedCard(request))
      // Another partner's card and one that never was get the same answer.
      if (!card) throw new ApiError('not_found')
      return {
        result: 'Success' as const,
        data: {
          // Here `giftId` is the card's number, in the answer to a purchase it is the id. Partners rely on both.
          // A card number is below 2^53, so a JavaScript number holds it exactly.
          giftId: Number(card.number),
          amount: wonToJson(card.amount),
          used: card.used,
          expires: card.expiresOn,
          valid: card.valid,
        },
      }
    },
  )
}
