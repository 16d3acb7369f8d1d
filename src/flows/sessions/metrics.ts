import { addCounter, type Registry } from '#base/metrics.ts'

export type SessionMetrics = ReturnType<typeof addSessionMetrics>

export function addSessionMetrics(registry: Registry) {
  return {
    logins: addCounter(registry, 'ingot_logins_total', 'Logins of members by outcome', ['outcome']),
    noticesLeftOut: addCounter(
      registry,
      'ingot_notices_left_out_total',
      'Logins from a new device that their member was not told of, after too many within an hour',
    ),
  }
}
