import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import { createBatchedWrite } from '#flows/kit/batched-write.ts'
import type { TradingMetrics } from '#flows/trading/metrics.ts'
import { insertOrders, type OrderWish } from '#modules/trading/store.ts'
import type { OrderOutcome, QuoteId } from '#modules/trading/types.ts'

interface OrderCommand {
  quoteId: string
  holderId: string
}

export type PlaceOrder = (command: OrderCommand) => Promise<OrderOutcome>

const MAX_BATCH = 64
const MAX_WAITING = 2_000 // a second's work
const MAX_ALIKE = 60 // one to a batch: a second's work for one holder, who may ask again

// Takes a quote, once. The locks of the quote and the accounts decide every race (db/functions/place_orders.sql).
// Killed before the commit, nothing was done; after it, the same quote gets the same order again.
export function createPlaceOrder({
  database,
  metrics,
}: {
  database: Database
  metrics: BatchMetrics & TradingMetrics
}): PlaceOrder {
  const write = createBatchedWrite<OrderWish, OrderOutcome>({
    name: 'order',
    metrics,
    write: (wishes) => insertOrders(database, wishes),
    maxSize: MAX_BATCH,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: MAX_WAITING,
    // Within a batch every order sees the same balances, so a holder has at most one in it.
    apartKey: ({ holderId }) => holderId,
    maxAlike: MAX_ALIKE,
  })
  return async ({ quoteId, holderId }) => {
    const outcome = await write({ quoteId: quoteId as QuoteId, holderId, orderId: newId<'order'>() })
    metrics.orders.inc({ outcome: outcome.kind === 'refused' ? outcome.reason : outcome.kind })
    return outcome
  }
}
