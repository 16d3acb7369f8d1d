import type { Tx } from '#base/db/db.ts'
import { findToday } from '#flows/refunds/offer-refund.ts'
import { moveCountedExpiry } from '#modules/figures/count.ts'
import { moveLastDay } from '#modules/gift-cards/expiry.ts'
import type { Card } from '#modules/gift-cards/types.ts'
import { findPolicyOf } from '#modules/refunds/policy.ts'
import { decideExtension } from '#modules/refunds/rules.ts'
import { findExtension, insertExtension } from '#modules/refunds/store.ts'
import type { ExtendRefusal } from '#modules/refunds/types.ts'

export type ExtendOutcome =
  // `again`: it was extended before, and this is that answer.
  | { kind: 'extended'; card: Card; fromDay: string; toDay: string; again: boolean }
  | { kind: 'refused'; reason: ExtendRefusal }

// Moves a card's last day, once. The card is locked: a registration or the worker's expiry comes before or after. The figures
// by day of expiry move with it in the same commit. `holderId` null: the operator.
export async function extendLocked(
  tx: Tx,
  card: Card | undefined,
  holderId: string | null,
): Promise<ExtendOutcome> {
  if (!card) return { kind: 'refused', reason: 'absent' }
  const policy = await findPolicyOf(tx, card.issuedOn)
  const earlier = await findExtension(tx, card.id)
  // A retry of the same person whose answer was lost.
  if (earlier && earlier.holderId === holderId && card.status === 'issued')
    return { kind: 'extended', card, fromDay: earlier.fromDay, toDay: earlier.toDay, again: true }
  const decision = decideExtension(card, {
    isExtended: earlier !== undefined,
    policy,
    today: await findToday(tx),
  })
  if (decision.kind === 'refused') return decision
  const { toDay } = decision
  const fromDay = card.expiresOn
  await moveCountedExpiry(tx, card.id, toDay)
  await insertExtension(tx, { cardId: card.id, fromDay, toDay, holderId })
  await moveLastDay(tx, card.id, toDay)
  return { kind: 'extended', card: { ...card, expiresOn: toDay }, fromDay, toDay, again: false }
}
