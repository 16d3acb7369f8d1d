import type { Log } from '#base/log.ts'
import type { NoteDeps } from '#flows/note-deliveries.ts'
import { sweepDeliveries } from '#flows/sweep-deliveries.ts'

// Every minute, and when a worker starts.
export async function sweepDeliveriesJob(deps: NoteDeps & { log: Log }): Promise<void> {
  const { lost, unsent } = await sweepDeliveries(deps)
  if (lost > 0) deps.log.warn('attempts were cut off', { count: lost })
  if (unsent > 0) deps.log.warn('messages were not sent in time', { count: unsent })
}
