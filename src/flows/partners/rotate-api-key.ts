import { fingerprintOf } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { type KeyMode, newApiKey } from '#modules/partners/api-key.ts'
import { endKey, insertKey, lockKey } from '#modules/partners/store.ts'
import type { KeyId, KeySecret } from '#modules/partners/types.ts'

// A year: an overlap of more would be a rotation that never happens.
const MOST_OVERLAP_MINUTES = 525_600

export interface RotateKeyCommand {
  id: string
  mode: KeyMode
  // How long the old key works on.
  overlapMinutes: number
  // Of a partner's staff: only keys of their own partner exist for them.
  partnerId?: number | null
  actor: string
  reason?: string | null
}

export type RotateKeyRefusal =
  | Refusal<'key_not_found' | 'key_ended'>
  | Refusal<'overlap_out_of_bounds', { mostMinutes: number }>

type RotateKeyOutcome =
  | { kind: 'done'; id: KeyId; key: KeySecret; replaces: string; endsAt: Temporal.Instant }
  | RotateKeyRefusal

// A new key with the rights of an old one, which ends after the overlap. Both in one commit: killed before it, the old
// key goes on as it was, and the new one was never there.
export async function rotateApiKey(database: Database, command: RotateKeyCommand): Promise<RotateKeyOutcome> {
  const { overlapMinutes, partnerId = null, actor, reason = null } = command
  if (!Number.isInteger(overlapMinutes) || overlapMinutes < 0 || overlapMinutes > MOST_OVERLAP_MINUTES)
    return refused('overlap_out_of_bounds', { mostMinutes: MOST_OVERLAP_MINUTES })
  return withOutcome(database, async (tx) => {
    const old = await lockKey(tx, command.id)
    if (!old || (partnerId !== null && old.partnerId !== partnerId)) return refused('key_not_found')
    if (old.ended) return refused('key_ended')
    const { id, key, secretHash } = newApiKey(command.mode)
    // The same rights for the same length of time, from now on.
    const { label, scopes, networks, code, lifetimeDays: expiresInDays } = old
    await insertKey(tx, old.partnerId, { id, secretHash, label, scopes, networks, expiresInDays })
    const { revoked_at: endsAt } = (await endKey(tx, old.id, overlapMinutes))!
    await insertAuditEntry(tx, {
      actor,
      action: 'key.issue',
      subject: id,
      details: { partner: code, replaces: old.id, reason },
      after: { label, scopes, networks, expiresInDays, fingerprint: fingerprintOf(secretHash) },
    })
    await insertAuditEntry(tx, {
      actor,
      action: 'key.revoke',
      subject: old.id,
      details: { replacedBy: id, reason },
      before: { endsAt: old.revokedAt?.toString() ?? null },
      after: { endsAt: endsAt!.toString() },
    })
    return { kind: 'done', id, key, replaces: old.id, endsAt: endsAt! }
  })
}
