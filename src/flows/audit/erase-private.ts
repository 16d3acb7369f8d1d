import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { erasePrivate, listOldPrivate } from '#modules/audit/private.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export type EraseRefusal = Refusal<'entry_not_found' | 'nothing_to_erase'>

interface EraseCommand {
  entry: bigint
  reason: string
  actor: string
}

// Erases what a person typed into an entry and where the act came from. The entry itself, its hash and its position stay, and an
// entry of its own says who erased it.
export function eraseEntry(
  database: Database,
  { entry, reason, actor }: EraseCommand,
): Promise<{ kind: 'done'; entry: bigint } | EraseRefusal> {
  return withOutcome<{ kind: 'done'; entry: bigint } | EraseRefusal>(database, async (tx) => {
    const found = await tx
      .selectFrom('audit_entry')
      .select('private_id')
      .where('id', '=', entry)
      .executeTakeFirst()
    if (!found) return refused('entry_not_found')
    const erased = await erasePrivate(tx, [entry])
    if (erased.length === 0) return refused('nothing_to_erase')
    await recordErasure(tx, erased, { actor, reason })
    return { kind: 'done', entry }
  })
}

// For the worker, after five years. One entry for each chunk.
export async function eraseOldPrivate(tx: Tx, limit: number): Promise<bigint> {
  const erased = await erasePrivate(tx, await listOldPrivate(tx, limit))
  if (erased.length > 0) await recordErasure(tx, erased, { actor: 'worker', cause: 'retention' })
  return BigInt(erased.length)
}

function recordErasure(
  tx: Tx,
  erased: readonly bigint[],
  { actor, ...why }: { actor: string; reason?: string; cause?: string },
): Promise<void> {
  const details = { entries: erased.map(String), ...why }
  return insertAuditEntry(tx, { actor, action: 'audit.erase', subject: 'audit', details })
}
