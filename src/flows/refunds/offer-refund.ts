import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { Card } from '#modules/gift-cards/types.ts'
import { findPolicyOf } from '#modules/refunds/policy.ts'
import { refundableUntil, refuseRefund, workOutRefund } from '#modules/refunds/rules.ts'
import { findRefundOfCard, insertQuote } from '#modules/refunds/store.ts'
import type { Payout, RefundPolicy, RefundQuote, RefundRefusal } from '#modules/refunds/types.ts'

// Long enough to read it and to verify identity; short enough that nobody relies on yesterday's figures.
const QUOTE_SECONDS = 600

export interface RefundOffer {
  policy: RefundPolicy
  // The last day on which a refund may be asked for.
  until: string
  quotes: RefundQuote[]
}

// What a refund of the card would give this holder, by the rules of the day it was bought. Each is kept for some minutes.
export async function offerRefund(
  tx: Tx,
  card: Card | undefined,
  { holderId, payouts }: { holderId: string; payouts: readonly Payout[] },
): Promise<({ kind: 'offered' } & RefundOffer) | { kind: 'refused'; reason: RefundRefusal }> {
  if (!card) return { kind: 'refused', reason: 'absent' }
  const policy = await findPolicyOf(tx, card.issuedOn)
  const isRefunded = (await findRefundOfCard(tx, card.id)) !== undefined
  const refusal = refuseRefund(card, { isRefunded, policy, today: await findToday(tx) })
  if (refusal) return { kind: 'refused', reason: refusal }
  const quotes: RefundQuote[] = []
  for (const payout of payouts) {
    const lines = workOutRefund(card.amount, payout, policy)
    const quote = {
      id: newId<'refund quote'>(),
      cardId: card.id,
      holderId,
      payout,
      policy: policy.version,
      ...lines,
    }
    quotes.push(await insertQuote(tx, quote, QUOTE_SECONDS))
  }
  return { kind: 'offered', policy, until: refundableUntil(card, policy), quotes }
}

export async function findToday(db: Db): Promise<string> {
  const { rows } = await sql<{ today: string }>`select seoul_date(service_now()) as today`.execute(db)
  return rows[0]!.today
}
