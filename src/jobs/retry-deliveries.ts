import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { continueRetry } from '#flows/deliveries/retry-deliveries.ts'

// Failed messages that a person asked to send again, in small transactions: stopped or killed anywhere, the next run goes on.
export async function retryDeliveries({ database, log }: { database: Database; log: Log }): Promise<void> {
  let count = 0
  for (;;) {
    const { isOver, queued } = await continueRetry(database)
    count += queued
    if (isOver) break
  }
  if (count > 0) log.info('failed messages queued again', { job: 'retry_deliveries', count })
}
