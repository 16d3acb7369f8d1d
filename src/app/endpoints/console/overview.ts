import type { Shared } from '#app/endpoints/shared.ts'
import { retryDelivery, startRetry, stopRetry } from '#flows/deliveries/retry-deliveries.ts'
import { createReadOverview } from '#flows/overview/read-overview.ts'
import { listRetries } from '#modules/deliveries/retries.ts'
import { readDays, readFailures, readPartnerFigures } from '#modules/figures/read.ts'
import { findPartner } from '#modules/partners/store.ts'

// What goes on now, and the messages that failed.
export function overviewDeps({ database, readMetrics, today }: Shared) {
  return {
    readOverview: createReadOverview({ database, readMetrics }),
    readDays: (days: number, partnerId: number | null) => readDays(database, { days, partnerId }),
    readPartnerFigures: (days: number) => readPartnerFigures(database, days),
    findPartnerId: async (code: string) => (await findPartner(database.db, code))?.id,
    today,
    readFailures: (days: number) => readFailures(database, days),
    listRetries: () => listRetries(database),
    retryDelivery: (command: Parameters<typeof retryDelivery>[1]) => retryDelivery(database, command),
    startRetry: (command: Parameters<typeof startRetry>[1]) => startRetry(database, command),
    stopRetry: (command: Parameters<typeof stopRetry>[1]) => stopRetry(database, command),
  }
}
