import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import type { OrderFigures } from './order-lines.ts'

// An order with what was quoted, and what it was taken from.
export interface ShownOrder extends OrderFigures {
  id: string
  quoteId: string
  at: Temporal.Instant
  fromPoints: bigint
  fromDeposit: bigint
  // The price of the feed that it was quoted at.
  priceAt: Temporal.Instant | null
  priceSource: string | null
  // A member, or a link that its member had not decided on.
  holder: { kind: 'member' | 'user'; id: string }
}

type Row = Omit<ShownOrder, 'holder'> & { holderId: string; isLink: boolean }

export async function findShownOrder(db: Db, id: string): Promise<ShownOrder | undefined> {
  const { rows } = await sql<Row>`
    select o.id, o.quote_id as "quoteId", o.side, o.metal, o.units, o.reference, o.price, o.spread_bps as "spreadBps",
           o.fee_bps as "feeBps", o.metal_won as "metalWon", o.fee, o.total, o.cost, o.at, o.from_points as "fromPoints",
           o.from_deposit as "fromDeposit", o.price_at as "priceAt", o.price_source as "priceSource",
           o.holder_id as "holderId", exists (select from partner_user u where u.id = o.holder_id) as "isLink"
      from trade_order o where o.id = ${id}`.execute(db)
  if (!rows[0]) return undefined
  const { holderId, isLink, ...order } = rows[0]
  return { ...order, holder: { kind: isLink ? 'user' : 'member', id: holderId } }
}
