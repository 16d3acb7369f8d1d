import type { Reader } from '#base/db/db.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { NAME, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import { listDeliveries } from '#modules/deliveries/timeline.ts'
import type { DeliveryView } from '#modules/deliveries/types.ts'
import type { CardLookup } from '#modules/gift-cards/lookup.ts'
import { CardParams, Channel, EXAMPLE_IDS, giftUUIDs } from './card-schemas.ts'
import { namedCard } from './named-card.ts'

const Status = Type.Union(
  [
    Type.Literal('queued'),
    Type.Literal('accepted'),
    Type.Literal('delivered'),
    Type.Literal('failed'),
    Type.Literal('unknown'),
  ],
  {
    [NAME]: 'DeliveryStatus',
    description:
      'queued: to be sent, or to be tried again. accepted: the provider has it. delivered: the recipient has it. ' +
      'failed: it did not arrive. unknown: it may have been sent; the provider is being asked.',
  },
)

const Moment = (description: string) => Type.String({ format: 'date-time', description })

const Reason = Type.Union([Type.String(), Type.Null()], {
  description: 'Why, for example not_a_messenger_user, phone_unreachable, card_voided.',
})

const DeliveriesAnswer = object(
  'DeliveriesAnswer',
  {
    result: Type.Literal('Success'),
    data: object('CardDeliveries', {
      giftId: giftUUIDs.giftId,
      deliveries: Type.Array(
        object('Delivery', {
          channel: Channel,
          purpose: Type.Union([
            Type.Literal('gift'),
            Type.Literal('resend'),
            Type.Literal('reminder'),
            Type.Literal('cancellation'),
          ]),
          status: Status,
          reason: Reason,
          retryable: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'Of a failure: whether sending it again can help.',
          }),
          attempts: Type.Integer({
            description:
              'How often it was tried, those times included when no provider was there to take it.',
          }),
          createdAt: Moment('When it was to be sent.'),
          sentAt: Type.Union([
            Moment('When the last attempt began; `status` says what came of it.'),
            Type.Null(),
          ]),
          settledAt: Type.Union([Moment('When its outcome was final.'), Type.Null()]),
          events: Type.Array(
            object('DeliveryEvent', {
              at: Moment('When the status changed.'),
              status: Status,
              attempt: Type.Integer(),
              reason: Reason,
            }),
          ),
        }),
      ),
    }),
  },
  {
    description: "The card's messages.",
    examples: [
      {
        result: 'Success',
        data: {
          giftId: EXAMPLE_IDS.giftId,
          deliveries: [
            {
              channel: 'text',
              purpose: 'gift',
              status: 'delivered',
              reason: null,
              retryable: null,
              attempts: 1,
              createdAt: '2026-11-15T03:04:05.000Z',
              sentAt: '2026-11-15T03:04:05.020Z',
              settledAt: '2026-11-15T03:04:08.310Z',
              events: [
                { at: '2026-11-15T03:04:05.000Z', status: 'queued', attempt: 0, reason: null },
                { at: '2026-11-15T03:04:05.130Z', status: 'accepted', attempt: 1, reason: null },
                { at: '2026-11-15T03:04:08.310Z', status: 'delivered', attempt: 1, reason: null },
              ],
            },
          ],
        },
      },
    ],
  },
)

interface Deps {
  database: Reader
  lookupCard: CardLookup
}

// Shows each message of a card with its steps, in our own words: a provider's text never leaves the service.
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
        params: CardParams,
        response: { 200: DeliveriesAnswer, ...answers(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      // By the caller's own cards first: a delivery has no partner of its own to check.
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
