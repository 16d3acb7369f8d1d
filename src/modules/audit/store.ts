import { actingAs } from '#base/acting.ts'
import type { Vault } from '#base/crypto/vault.ts'
import { vaultInForce } from '#base/crypto/vault-in-force.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { insertPrivate, sealPrivate } from './private.ts'
import { splitPrivate } from './rules.ts'
import { PRIVATE_COLUMNS, showPrivate } from './show.ts'
import type { AuditEntry } from './types.ts'

// In the change's own transaction: there is no change without its entry, and no entry without its change. What a person typed
// and where the act came from is sealed apart.
export async function insertAuditEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, details = {}, before, after } = entry
  const acting = actingAs(actor)
  const { facts, words } = acting ? splitPrivate(details) : { facts: details, words: {} }
  const sealed = acting && sealPrivate(await vaultInForce(tx, acting.keys), { ...words, from: acting.from })
  if (sealed) await insertPrivate(tx, [sealed])
  await tx
    .insertInto('audit_entry')
    .values({
      actor,
      action,
      subject,
      details: JSON.stringify({ ...facts, ...(before && { before }), ...(after && { after }) }),
      ...(sealed && { private_id: sealed.id, private_hash: sealed.hash }),
    })
    .execute()
}

// What was done to these subjects, oldest first. `words`: what a person typed, which may name someone.
export async function listAuditEntries(db: Db, vault: Vault, ...subjects: string[]) {
  const rows = await db
    .selectFrom('audit_entry as e')
    .leftJoin('audit_private as p', 'p.id', 'e.private_id')
    .select(['e.at', 'e.actor', 'e.action', 'e.details', ...PRIVATE_COLUMNS])
    .where('e.subject', 'in', subjects)
    .orderBy('e.id')
    .execute()
  return rows.map(({ at, actor, action, details, ...row }) => {
    const shown = showPrivate(vault, row)
    const { from: _, ...words } = typeof shown === 'object' && shown !== null ? shown : {}
    return { at, actor, action, details: details as Record<string, unknown>, words }
  })
}
