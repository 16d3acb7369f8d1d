import type { Reader } from '#base/db/db.ts'
import { addCounter, addGauges, type Registry, startAtZero } from '#base/metrics.ts'
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

interface CountedProvider {
  name: string
  channels: readonly string[]
  // Undefined: it posts no reports to us.
  hook: object | undefined
}

// Apart from the counters: which providers are in use is known later.
export function startDeliveriesAtZero(
  { deliveries, reports }: DeliveryMetrics,
  providers: readonly CountedProvider[],
): void {
  for (const { name: provider, channels, hook } of providers) {
    for (const channel of [...channels, 'notice'])
      startAtZero(
        deliveries,
        ['given_up', 'no_report'].map((reason) => ({ provider, channel, status: 'unknown', reason })),
      )
    if (hook) startAtZero(reports, [{ provider, outcome: 'forged' }])
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
