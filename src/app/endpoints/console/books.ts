import type { Shared } from '#app/endpoints/shared.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { listDayRows, listRowsUntil, type RowFilter } from '#flows/books/list-rows.ts'
import { closeMonth } from '#flows/books/month/close-month.ts'
import { readMonthEnd } from '#flows/books/month/read-month.ts'
import { type AccountQuestion, readAccountAt } from '#flows/books/read-account.ts'
import { readClosedDay } from '#flows/books/read-day.ts'
import { readTrialBalance } from '#flows/books/read-trial-balance.ts'
import { readHedge, requestBullion } from '#flows/books/trade-bullion.ts'
import { listWaiting } from '#modules/approvals/store.ts'
import { listBullionTrades } from '#modules/bullion/store.ts'
import { listClosedDays } from '#modules/closed-days/store.ts'

const TRADES = 500 // more would not be read on a page

// Closed days and months, accounts, and the house's metal.
export function bookDeps({ database, keys }: Shared) {
  const { db } = database
  // Signed with a key that no rotation changes, by the vault of the moment.
  const deps = () => ({ database, signer: keys.vault() })
  // A day's movements take seconds to read. All who ask share two connections, so that purchases find one.
  const queue = createWorkQueue({ maxInFlight: 2 })
  return {
    readMonthEnd: (month?: string) => queue('month end', () => readMonthEnd(deps(), month)),
    closeMonth: (command: Parameters<typeof closeMonth>[1]) => closeMonth(deps(), command),
    readTrialBalance: (at?: Temporal.Instant) => queue('trial balance', () => readTrialBalance(database, at)),
    readAccountAt: (question: AccountQuestion) => queue('account', () => readAccountAt(database, question)),
    listClosedDays: (page: { until?: string; limit: number }) =>
      queue('days', () => listClosedDays(database, page)),
    readClosedDay: (day: string) => queue('day', () => readClosedDay(database, day)),
    listDayRows: (day: string, filter: RowFilter, limit: number) =>
      queue('rows', () => listDayRows(database, day, filter, limit)),
    listRowsUntil: (at: Temporal.Instant, filter: RowFilter, limit: number) =>
      queue('rows', () => listRowsUntil(database, at, filter, limit)),
    readBullion: () =>
      queue('bullion', async () => ({
        at: await serviceNow(database),
        hedges: await readHedge(database),
        trades: await listBullionTrades(db, TRADES),
        waiting: await listWaiting(db, ['bullion']),
      })),
    requestBullion: (command: Parameters<typeof requestBullion>[1]) => requestBullion(database, command),
  }
}
