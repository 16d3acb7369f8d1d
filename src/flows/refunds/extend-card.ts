import type { Database, Db } from '#base/db/db.ts'
import { withOutcome } from '#flows/kit/outcome.ts'
import { type ExtendOutcome, extendLocked } from '#flows/refunds/move-last-day.ts'
import { findToday } from '#flows/refunds/offer-refund.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findCard, lockCard } from '#modules/gift-cards/store.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'
import { findPolicyOf } from '#modules/refunds/policy.ts'
import { decideExtension } from '#modules/refunds/rules.ts'
import { findExtension } from '#modules/refunds/store.ts'
import type { ExtendRefusal, RefundPolicy } from '#modules/refunds/types.ts'

type ExtensionPreview =
  | { kind: 'extends'; fromDay: string; toDay: string; policy: RefundPolicy }
  | { kind: 'refused'; reason: ExtendRefusal }

// What an extension would do. Nothing is written.
export async function previewExtension(db: Db, identifier: CardIdentifier): Promise<ExtensionPreview> {
  const card = await findCard(db, identifier)
  if (!card) return { kind: 'refused', reason: 'absent' }
  const policy = await findPolicyOf(db, card.issuedOn)
  const isExtended = (await findExtension(db, card.id)) !== undefined
  const decision = decideExtension(card, { isExtended, policy, today: await findToday(db) })
  return decision.kind === 'refused' ? decision : { ...decision, fromDay: card.expiresOn, policy }
}

// Support extends a card for a person who asked. One person is enough: it creates no value, and a card has one extension.
export function extendCard(
  database: Database,
  { card: identifier, reason, actor }: { card: CardIdentifier; reason: string; actor: string },
): Promise<ExtendOutcome> {
  return withOutcome(database, async (tx) => {
    const card = await lockCard(tx, identifier)
    const outcome = await extendLocked(tx, card, null)
    if (outcome.kind === 'refused' || outcome.again) return outcome
    const { fromDay, toDay } = outcome
    await insertAuditEntry(tx, {
      actor,
      action: 'card.extend',
      subject: outcome.card.id,
      details: { reason },
      before: { expires: fromDay },
      after: { expires: toDay },
    })
    return outcome
  })
}
