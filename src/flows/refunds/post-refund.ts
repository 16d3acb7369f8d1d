import { assert } from '#base/assert.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { expireLocked } from '#flows/gift-cards/expire-cards.ts'
import { erasePin, isLapsed } from '#modules/gift-cards/expiry.ts'
import { lockCard } from '#modules/gift-cards/store.ts'
import {
  findExpiredAccount,
  findHouseAccount,
  findOutstandingAccount,
  lockBalances,
  openHolding,
  postTransfers,
} from '#modules/ledger/store.ts'
import type { TransferKind } from '#modules/ledger/types.ts'
import { findRefundOfCard, insertRefund } from '#modules/refunds/store.ts'
import type { Refund, RefundQuote } from '#modules/refunds/types.ts'

// refunded: by another quote.
type PostOutcome = { kind: 'done' | 'again'; refund: Refund } | { kind: 'refused'; reason: 'refunded' }

// Pays a quote, once. The card's lock decides every race: the second finds what the first did. Killed before the commit, nothing
// was done; after it, the same quote gets the same refund.
export async function postRefund(
  tx: Tx,
  quote: RefundQuote,
  { requestId, mayStart }: { requestId: string | null; mayStart: () => boolean },
): Promise<PostOutcome | { kind: 'refused'; reason: 'quote_expired' }> {
  const card = await lockCard(tx, { kind: 'uuid', uuid: quote.cardId })
  assert(card, 'a quote names its card, and cards stay')
  const earlier = await findRefundOfCard(tx, card.id)
  if (earlier) {
    if (earlier.quoteId === quote.id) return { kind: 'again', refund: earlier }
    return { kind: 'refused', reason: 'refunded' }
  }
  // Its value is the house's by now. A quote of the last moment can meet it.
  if (await isLapsed(tx, card.id)) return { kind: 'refused', reason: 'quote_expired' }
  if (!mayStart()) return { kind: 'refused', reason: 'quote_expired' }
  // The worker may not have come to it yet. A card cannot be extended once its last day is over.
  const isOpen = card.status === 'issued'
  assert(isOpen || card.status === 'expired', 'only an expired card is quoted')
  assert(card.amount === quote.face && quote.total + quote.deduction === quote.face, 'a quote adds up')
  const legs = await openLegs(tx, quote, isOpen)
  if (isOpen) await expireLocked(tx, [card])
  const id = newId<'refund'>()
  for (const { kind, debit, credit, amount } of legs) {
    if (amount > 0n) await postTransfers(tx, kind, [{ groupId: id, cardId: card.id, debit, credit, amount }])
  }
  await erasePin(tx, card.id)
  const { id: quoteId, expiresAt: _, ...figures } = quote
  return { kind: 'done', refund: await insertRefund(tx, { ...figures, id, quoteId, requestId }) }
}

interface Leg {
  kind: TransferKind
  debit: bigint
  credit: bigint
  amount: bigint
}

// Points go straight to the holder. Money is another asset: the points end at the exchange, which pays the same in won. All
// accounts are locked here, in id order; the transfers that follow take no other.
async function openLegs(tx: Tx, quote: RefundQuote, isOpen: boolean): Promise<Leg[]> {
  const { payout, holderId, total, deduction } = quote
  const expired = await findExpiredAccount(tx)
  const fees = await findHouseAccount(tx, 'refund_fees', 'KRW_POINT')
  const holding = await openHolding(tx, holderId, payout === 'points' ? 'KRW_POINT' : 'KRW')
  const legs: Leg[] = [{ kind: 'refund_fee', debit: expired, credit: fees, amount: deduction }]
  if (payout === 'points') legs.push({ kind: 'refund', debit: expired, credit: holding, amount: total })
  else {
    const taken = await findHouseAccount(tx, 'refund_exchange', 'KRW_POINT')
    const paid = await findHouseAccount(tx, 'refund_exchange', 'KRW')
    legs.push({ kind: 'refund_exchange', debit: expired, credit: taken, amount: total })
    legs.push({ kind: 'refund', debit: paid, credit: holding, amount: total })
  }
  const accounts = legs.flatMap(({ debit, credit }) => [debit, credit])
  if (isOpen) accounts.push(await findOutstandingAccount(tx))
  await lockBalances(tx, [...new Set(accounts)])
  return legs
}
