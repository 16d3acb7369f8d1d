import type { Reader } from '#base/db/db.ts'
import { addCounter, addGauges, type Registry } from '#base/metrics.ts'
import { listWaiting } from '#modules/deliveries/waiting.ts'

export type DeliveryMetrics = ReturnType<typeof addDeliveryMetrics>

export function addDeliveryMetrics(registry: Registry) {
  return {
    deliveries: addCounter(
      registry,
      'ingot_deliveries_total',
      'Changes of messages to a status, and why; channel notice: texts to members',
      ['provider', 'channel', 'status', 'reason'],
    ),
    reports: addCounter(
      registry,
      'ingot_delivery_reports_total',
      'What providers posted to us: noted, forged, or unreadable',
      ['provider', 'outcome'],
    ),
  }
}

export function addDeliveryGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => listWaiting(database),
    ['channel', 'status'],
    ({ channel, status }) => ({ channel, status }),
    [
      {
        name: 'ingot_deliveries_open',
        help: 'Messages not at their end, notices to members apart',
        figureOf: ({ count }) => count,
      },
      {
        name: 'ingot_delivery_oldest_seconds',
        help: 'Age of the oldest message that is not at its end',
        figureOf: ({ oldestSeconds }) => oldestSeconds,
      },
      {
        name: 'ingot_delivery_overdue_seconds',
        help: 'How long the oldest message waits beyond the time at which something was to be done about it',
        figureOf: ({ overdueSeconds }) => overdueSeconds,
      },
    ],
  )
}
