import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import type { Extension, Refund, RefundQuote } from './types.ts'

const QUOTE =
  sql.raw(`id, card_id as "cardId", holder_id as "holderId", payout, policy, face, percent, deduction, total,
  expires_at as "expiresAt"`)
const REFUND =
  sql.raw(`id, quote_id as "quoteId", card_id as "cardId", holder_id as "holderId", payout, policy, face, percent,
  deduction, total, at, request_id as "requestId"`)

export async function insertQuote(
  tx: Tx,
  quote: Omit<RefundQuote, 'expiresAt'>,
  holdsSeconds: number,
): Promise<RefundQuote> {
  const { rows } = await sql<RefundQuote>`
    insert into refund_quote (id, card_id, holder_id, payout, policy, face, percent, deduction, total, created_at, expires_at)
    values (${quote.id}, ${quote.cardId}, ${quote.holderId}, ${quote.payout}, ${quote.policy}, ${quote.face}, ${quote.percent},
            ${quote.deduction}, ${quote.total}, service_now(), service_now() + ${holdsSeconds} * interval '1 second')
    returning ${QUOTE}`.execute(tx)
  return rows[0]!
}

export async function findQuote(
  db: Db,
  id: string,
): Promise<(RefundQuote & { isExpired: boolean }) | undefined> {
  const { rows } = await sql<RefundQuote & { isExpired: boolean }>`
    select ${QUOTE}, expires_at <= service_now() as "isExpired" from refund_quote where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

// Two days: an operator's refund waits a day for the second person.
export const deleteOldRefundQuotes = deleteOld(
  'refund_quote',
  "created_at < service_now() - interval '2 days'",
)

export async function insertRefund(tx: Tx, refund: Omit<Refund, 'at'>): Promise<Refund> {
  const { rows } = await sql<Refund>`
    insert into card_refund (card_id, id, quote_id, holder_id, payout, policy, face, percent, deduction, total, at, request_id)
    values (${refund.cardId}, ${refund.id}, ${refund.quoteId}, ${refund.holderId}, ${refund.payout}, ${refund.policy},
            ${refund.face}, ${refund.percent}, ${refund.deduction}, ${refund.total}, service_now(), ${refund.requestId})
    returning ${REFUND}`.execute(tx)
  return rows[0]!
}

export async function findRefundOfCard(db: Db, cardId: string): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    select ${REFUND} from card_refund where card_id = ${cardId}`.execute(db)
  return rows[0]
}

export async function findRefundOfQuote(db: Db, quoteId: string): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    select ${REFUND} from card_refund where quote_id = ${quoteId}`.execute(db)
  return rows[0]
}

export async function findExtension(db: Db, cardId: string): Promise<Extension | undefined> {
  const { rows } = await sql<Extension>`
    select from_day as "fromDay", to_day as "toDay", at, holder_id as "holderId" from card_extension
     where card_id = ${cardId}`.execute(db)
  return rows[0]
}

// Before the card itself: a trigger holds its new last day against this.
export async function insertExtension(
  tx: Tx,
  { cardId, fromDay, toDay, holderId }: Omit<Extension, 'at'> & { cardId: string },
): Promise<void> {
  await sql`insert into card_extension (card_id, from_day, to_day, at, holder_id)
            values (${cardId}, ${fromDay}::date, ${toDay}::date, service_now(), ${holderId})`.execute(tx)
}
