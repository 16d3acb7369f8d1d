import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import { uuidArray } from '#base/db/binary-arrays.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import type { Deal, OrderId, OrderOutcome, OrderRefusal, QuoteId } from './types.ts'

export interface OrderWish {
  quoteId: QuoteId
  holderId: string
  // The id of the order, if it is placed.
  orderId: OrderId
}

const PLACE = {
  name: 'place_orders',
  text: `select outcome, order_id as id, side, metal, units, reference, price, spread_bps as "spreadBps",
                fee_bps as "feeBps", metal_won as "metalWon", fee, total, from_points as "fromPoints",
                from_deposit as "fromDeposit", at
           from place_orders($1::uuid[], $2::uuid[], $3::uuid[])`,
}

interface PlaceRow extends Deal {
  outcome: 'placed' | 'again' | OrderRefusal
  id: OrderId | null
  fromPoints: bigint
  fromDeposit: bigint
  at: Temporal.Instant
}

// One round trip, one transaction, one outcome per order in the same order. Each holder once.
export async function insertOrders(
  database: Database,
  wishes: readonly OrderWish[],
): Promise<OrderOutcome[]> {
  const rows = await database.writeOnce<PlaceRow>(PLACE, [
    uuidArray(wishes, (w) => w.quoteId),
    uuidArray(wishes, (w) => w.holderId),
    uuidArray(wishes, (w) => w.orderId),
  ])
  return rows.map(({ outcome, id, ...deal }) => {
    if (outcome !== 'placed' && outcome !== 'again') return { kind: 'refused', reason: outcome }
    assert(id, 'an order that stands has its id')
    return { kind: outcome, order: { id, ...deal } }
  })
}

// A quote holds for a minute and is deleted a quarter of an hour later if it was not taken. One that was taken stays
// for a day, so that `verify`, once a day, can compare its order with it. Quotes that a stopped job missed go with
// those: looking at all taken ones every few minutes would cost more.
export const deleteOldQuotes = deleteOld(
  'trade_quote',
  `created_at < service_now() - interval '1 day'
          or (created_at < service_now() - interval '16 minutes'
              and created_at > service_now() - interval '2 hours'
              and not exists (select from trade_order o where o.quote_id = trade_quote.id))`,
)

// Ends what was promised for the rest of its minute.
export async function expireQuotes(tx: Tx): Promise<void> {
  await sql`update trade_quote set expires_at = service_now()
             where created_at > service_now() - interval '2 minutes' and expires_at > service_now()`.execute(
    tx,
  )
}
