import type { Reader } from '#base/db.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import { listDeliveries } from '#modules/deliveries/timeline.ts'
import type { DeliveryView } from '#modules/deliveries/types.ts'
import type { CardLookup } from '#modules/gift-cards/lookup.ts'
import { namedCard } from './named-card.ts'
import { DeliveriesAnswer, LookupParams } from './schemas.ts'

interface Deps {
  database: Reader
  lookupCard: CardLookup
}

export function registerDeliveries(server: Server, deps: Deps, auth: PartnerAuth): void {
  server.get(
    '/v2/partner/metal/giftcard/buy/:giftUUID/deliveries',
    {
      ...auth.withKey('giftcards:read'),
      schema: {
        operationId: 'giftCardDeliveries',
        summary: "How a card's messages fared (extension)",
        description:
          'Every message of a card, oldest first, with its history: the notification and the text message of the ' +
          'purchase, those sent again, and reminders before the card expires.',
        tags: ['Gift cards'],
        params: LookupParams,
        response: { 200: DeliveriesAnswer, ...answers(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      const card = await deps.lookupCard(request.caller!.partner.id, namedCard(request))
      if (!card) throw new ApiError('not_found')
      const deliveries = await listDeliveries(deps.database, card.id)
      return { result: 'Success' as const, data: { giftId: card.id, deliveries: deliveries.map(toJson) } }
    },
  )
}

function toJson({ createdAt, sentAt, settledAt, events, ...delivery }: DeliveryView) {
  return {
    ...delivery,
    createdAt: instantText(createdAt),
    sentAt: sentAt && instantText(sentAt),
    settledAt: settledAt && instantText(settledAt),
    events: events.map((event) => ({ ...event, at: instantText(event.at) })),
  }
}
