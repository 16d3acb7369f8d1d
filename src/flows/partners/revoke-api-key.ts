import type { Database } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { endKey } from '#modules/partners/store.ts'

// Refused everywhere within five seconds of the commit: no process trusts what it read of a key for longer than two.
// With an overlap the key works until then, so that a partner can change over without a gap.
export function revokeApiKey(
  database: Database,
  command: { id: string; afterMinutes: number; actor: string; reason?: string | null },
): Promise<{ id: string; endsAt: Temporal.Instant }> {
  return database.withTransaction(async (tx) => {
    const ended = await endKey(tx, command.id, command.afterMinutes)
    if (!ended?.revoked_at) throw new Refused('there is no such key')
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'key.revoke',
      subject: ended.id,
      details: { endsAt: ended.revoked_at.toString(), reason: command.reason ?? null },
    })
    return { id: ended.id, endsAt: ended.revoked_at }
  })
}
