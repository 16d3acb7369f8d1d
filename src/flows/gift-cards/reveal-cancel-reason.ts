import type { Vault } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findCancelReason } from '#modules/gift-cards/cancel-reason.ts'

// A partner's reason for a cancellation. The audit entry is written before it is shown.
export function revealCancelReason(
  database: Database,
  vault: Vault,
  { cardId, reason, actor }: { cardId: string; reason: string; actor: string },
): Promise<string | undefined> {
  return database.withTransaction(async (tx) => {
    await insertAuditEntry(tx, { actor, action: 'card.reveal', subject: cardId, details: { reason } })
    return findCancelReason(tx, vault, cardId)
  })
}
