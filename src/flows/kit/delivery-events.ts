import type { TimelineEvent } from '#flows/kit/timeline.ts'
import type { ShownDelivery } from '#modules/deliveries/shown.ts'

// A message's life as events: written, then every attempt and what became of it.
export function deliveryEvents(delivery: ShownDelivery): TimelineEvent[] {
  const { id, channel, purpose, createdAt } = delivery
  const about = {
    source: 'message' as const,
    by: null,
    from: {},
    object: { kind: 'delivery' as const, id: id.toString() },
  }
  return [
    { ...about, at: createdAt, what: 'delivery.written', details: { channel, purpose } },
    ...delivery.events.map(({ at, status, attempt, provider, reason }) => ({
      ...about,
      at,
      what: `delivery.${status}`,
      details: { channel, purpose, attempt, provider, reason },
    })),
  ]
}
