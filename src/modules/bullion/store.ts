import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import type { BullionTrade } from './types.ts'

function toTrade(row: {
  id: string
  side: string
  metal: string
  units: bigint
  won: bigint
  reference: string
  at: Temporal.Instant
}): BullionTrade {
  return { ...row, side: row.side as BullionTrade['side'], metal: row.metal as BullionTrade['metal'] }
}

export async function findBullionTrade(db: Db, reference: string): Promise<BullionTrade | undefined> {
  const row = await db
    .selectFrom('bullion_trade')
    .selectAll()
    .where(sql<string>`lower(reference)`, '=', reference.toLowerCase())
    .executeTakeFirst()
  return row && toTrade(row)
}

export async function listBullionTrades(db: Db, limit: number): Promise<BullionTrade[]> {
  const rows = await db
    .selectFrom('bullion_trade')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toTrade)
}

export async function insertBullionTrade(tx: Tx, trade: Omit<BullionTrade, 'at'>): Promise<void> {
  await tx
    .insertInto('bullion_trade')
    .values({ ...trade, at: sql`service_now()` })
    .execute()
}
