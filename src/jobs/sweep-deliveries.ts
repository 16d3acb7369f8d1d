import type { Log } from '#base/log.ts'
import type { RecordDeps } from '#flows/deliveries/record-outcomes.ts'
import { sweepDeliveries } from '#flows/deliveries/sweep-deliveries.ts'

// Every minute, and when a worker starts. Notices first: they are few, and a member may have to act on them.
export async function sweepDeliveriesJob(deps: RecordDeps & { log: Log }): Promise<void> {
  for (const kind of ['notice', 'delivery'] as const) {
    const { lost, unsent } = await sweepDeliveries(deps, kind)
    if (lost > 0) deps.log.warn('attempts were cut off', { count: lost, reason: kind })
    if (unsent > 0) deps.log.warn('messages were not sent in time', { count: unsent, reason: kind })
  }
}
