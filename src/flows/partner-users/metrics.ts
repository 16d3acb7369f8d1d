import { addCounter, type Registry } from '#base/metrics.ts'

export type PartnerUserMetrics = ReturnType<typeof addPartnerUserMetrics>

export function addPartnerUserMetrics(registry: Registry) {
  return {
    signups: addCounter(registry, 'ingot_signups_total', 'Partner users by outcome of their signup', [
      'outcome',
    ]),
  }
}
