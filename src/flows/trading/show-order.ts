import type { Database } from '#base/db/db.ts'
import { listTransfersOfAct, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'
import { linesOf, type OrderLines } from '#modules/pricing/order-lines.ts'
import { findShownOrder, type ShownOrder } from '#modules/pricing/shown-orders.ts'

export interface OrderPage {
  order: ShownOrder
  lines: OrderLines
  transfers: ShownTransfer[]
}

export type ShowOrder = (id: string) => Promise<OrderPage | undefined>

// One order, line by line as a statement has it, and what it moved.
export function createShowOrder(database: Database): ShowOrder {
  return async (id) => {
    const order = await findShownOrder(database.db, id)
    if (!order) return undefined
    return { order, lines: linesOf(order), transfers: await listTransfersOfAct(database, id) }
  }
}
