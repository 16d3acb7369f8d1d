import { Batcher } from '#base/batch.ts'
import type { Database } from '#base/db.ts'
import { newId } from '#base/ids.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import { isFailed, type Settled, settle } from '#flows/kit/settle-batch.ts'
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
  const batcher = new Batcher<OrderWish, Settled<OrderOutcome>>({
    run: (batch) => runBatch(database, metrics, batch),
    maxSize: MAX_BATCH,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: MAX_WAITING,
    // Within a batch every order sees the same balances, so a holder has at most one in it.
    apartKey: ({ holderId }) => holderId,
    maxAlike: MAX_ALIKE,
    onBatch: (size) => metrics.batchSize.observe({ batch: 'order' }, size),
  })
  return async ({ quoteId, holderId }) => {
    const settled = await batcher.submit({ quoteId: quoteId as QuoteId, holderId, orderId: newId<'order'>() })
    if (isFailed(settled)) throw settled.error
    metrics.orders.inc({ outcome: settled.kind === 'refused' ? settled.reason : settled.kind })
    return settled
  }
}

async function runBatch(
  database: Database,
  metrics: BatchMetrics & TradingMetrics,
  batch: readonly OrderWish[],
): Promise<readonly Settled<OrderOutcome>[]> {
  const endTimer = metrics.batchSeconds.startTimer({ batch: 'order' })
  try {
    return await settle(
      {
        write: (wishes) => insertOrders(database, wishes),
        onRerun: () => metrics.batchRerun.inc({ batch: 'order' }),
      },
      batch,
    )
  } finally {
    endTimer()
  }
}
