import { wonToJson } from '#base/money.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { CardLookup } from '#modules/gift-cards/lookup.ts'
import { namedCard } from './named-card.ts'
import { LookupAnswer, LookupParams } from './schemas.ts'

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
        params: LookupParams,
        response: { 200: LookupAnswer, ...answers(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      const card = await deps.lookupCard(request.caller!.partner.id, namedCard(request))
      if (!card) throw new ApiError('not_found')
      return {
        result: 'Success' as const,
        data: {
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
