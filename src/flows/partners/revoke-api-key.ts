import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { endKey, lockKey } from '#modules/partners/store.ts'

export type RevokeKeyRefusal = Refusal<'key_not_found'>

type RevokeKeyOutcome = { kind: 'done'; id: string; endsAt: Temporal.Instant } | RevokeKeyRefusal

// Refused everywhere within five seconds of the commit: no process trusts what it read of a key for longer than two.
// With an overlap the key works until then, so that a partner can change over without a gap.
export function revokeApiKey(
  database: Database,
  // partnerId: of a partner's staff, for whom only keys of their own partner exist.
  command: {
    id: string
    afterMinutes: number
    partnerId?: number | null
    actor: string
    reason?: string | null
  },
): Promise<RevokeKeyOutcome> {
  return withOutcome(database, async (tx) => {
    const { partnerId = null } = command
    const before = await lockKey(tx, command.id)
    if (!before || (partnerId !== null && before.partnerId !== partnerId)) return refused('key_not_found')
    const ended = await endKey(tx, command.id, command.afterMinutes)
    if (!ended?.revoked_at) return refused('key_not_found')
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'key.revoke',
      subject: ended.id,
      details: { reason: command.reason ?? null },
      before: { endsAt: before.revokedAt?.toString() ?? null },
      after: { endsAt: ended.revoked_at.toString() },
    })
    return { kind: 'done', id: ended.id, endsAt: ended.revoked_at }
  })
}
