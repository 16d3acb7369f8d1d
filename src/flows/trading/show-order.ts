import { figureOf } from '#flows/kit/act-events.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import { requestEvents } from '#flows/kit/request-events.ts'
import { fewEvents, readTimeline, type TimelineEvent, type TimelinePage } from '#flows/kit/timeline.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { listTransfersOfAct, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'
import { linesOf, type OrderLines } from '#modules/pricing/order-lines.ts'
import { findShownOrder, type ShownOrder } from '#modules/pricing/shown-orders.ts'

const TIMELINE_PAGE = 200 // more than any order has: it is placed once, and nothing changes it

export interface OrderPage {
  order: ShownOrder
  lines: OrderLines
  transfers: ShownTransfer[]
  timeline: TimelinePage
}

// withWords: with what people typed into audit entries.
export type ShowOrder = (question: { id: string; withWords: boolean }) => Promise<OrderPage | undefined>

// One order, line by line as a statement has it, what it moved, and what happened to it.
export function createShowOrder({ database, keys }: VaultDeps): ShowOrder {
  return async ({ id, withWords }) => {
    const order = await findShownOrder(database.db, id)
    if (!order) return undefined
    const transfers = await listTransfersOfAct(database, id)
    const sources = [
      fewEvents('state', [...statesOf(order), ...transfers.map(moveOf)]),
      auditEvents(database.db, withWords ? keys.vault() : undefined, id),
      requestEvents(database.db, { kind: 'order', id }),
    ]
    return {
      order,
      lines: linesOf(order),
      transfers,
      timeline: await readTimeline(sources, {}, TIMELINE_PAGE),
    }
  }
}

function statesOf({ at, side, metal, total, holder, priceAt, priceSource, reference }: ShownOrder) {
  const about = { source: 'state' as const, by: null, from: {}, object: null }
  const placed: TimelineEvent = {
    ...about,
    at,
    what: `order.${side}`,
    details: { metal, total: total.toString() },
    object: holder,
  }
  const quoted = priceAt && {
    ...about,
    at: priceAt,
    what: 'order.price',
    details: { source: priceSource, perGram: reference.toString() },
  }
  return quoted ? [placed, quoted] : [placed]
}

function moveOf({ at, kind, asset, amount, from, to }: ShownTransfer): TimelineEvent {
  const figure = figureOf(asset, amount)
  return {
    at,
    source: 'money',
    what: `money.${kind}`,
    by: null,
    from: {},
    details: { [asset]: `${figure.amount} ${figure.unit}`, fromAccount: from.kind, toAccount: to.kind },
    object: null,
  }
}
