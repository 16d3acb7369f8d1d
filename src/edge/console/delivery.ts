import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { ShowDelivery } from '#flows/deliveries/show-delivery.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { DELIVERY, DELIVERY_STATUS, deliveryJson } from './card-schemas.ts'
import {
  maybeText,
  moment,
  orNotFound,
  readerOf,
  readRefusals,
  Timeline,
  textOf,
  timelineJson,
} from './object-parts.ts'

const DeliveryAnswer = object(
  'DeliveryPage',
  {
    ...DELIVERY,
    partner: Type.String({ description: 'Code.' }),
    partnerName: Type.String(),
    recipient: Type.String({ description: 'Masked.' }),
    language: choice('MessageLanguage', ['ko', 'en']),
    version: Type.Integer({ description: 'Of the text.' }),
    subject: maybeText,
    text: Type.String({ description: 'As it was sent, but for the PIN and the code of the link.' }),
    events: Type.Array(
      object('DeliveryAttempt', {
        at: moment,
        status: DELIVERY_STATUS,
        attempt: Type.Integer(),
        provider: maybeText,
        reason: maybeText,
      }),
    ),
    timeline: Timeline,
  },
  { description: 'One message about a card.' },
)

const SCHEMA = {
  operationId: 'delivery',
  summary: 'One message',
  tags: ['Deliveries'],
  params: Type.Object({ deliveryId: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
  response: { 200: DeliveryAnswer, ...readRefusals },
} as const

export interface DeliveryDeps {
  showDelivery: ShowDelivery
}

// The text comes without the PIN and the link's code: each of them is worth the card.
export function registerDelivery(scope: Server, deps: DeliveryDeps, access: ConsoleAccess): void {
  const seen = access.may('deliveries.read', 'own')
  scope.get('/deliveries/:deliveryId', { ...seen, schema: SCHEMA }, async (request) => {
    const reader = readerOf(staffOf(request), 'deliveries.retry')
    const page = orNotFound(await deps.showDelivery({ id: BigInt(request.params.deliveryId), ...reader }))
    const { delivery, timeline, ...rest } = page
    return {
      ...rest,
      ...deliveryJson(delivery),
      events: delivery.events.map((event) => ({ ...event, at: textOf(event.at)! })),
      timeline: timelineJson(timeline),
    }
  })
}
