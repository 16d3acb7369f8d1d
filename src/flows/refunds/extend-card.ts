import type { Database } from '#base/db/db.ts'
import { withOutcome } from '#flows/kit/outcome.ts'
import { type ExtendOutcome, extendLocked } from '#flows/refunds/move-last-day.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockCard } from '#modules/gift-cards/store.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'

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
