import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { findEntry } from '#modules/audit/list.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { ShownPrivate } from '#modules/audit/types.ts'

export type RevealRefusal = Refusal<'entry_not_found'>

interface RevealCommand {
  entry: bigint
  reason: string
  actor: string
}

// What a person typed into an entry, and where the act came from. It is in the log before it is shown.
export function revealEntry(
  deps: VaultDeps,
  { entry, reason, actor }: RevealCommand,
): Promise<{ kind: 'done'; private: ShownPrivate } | RevealRefusal> {
  return withVault(deps, async (tx, vault) => {
    const found = await findEntry(tx, entry, vault)
    if (!found) return refused('entry_not_found')
    const details = { entry: String(entry), reason }
    await insertAuditEntry(tx, { actor, action: 'audit.reveal', subject: found.subject, details })
    return { kind: 'done' as const, private: found.private }
  })
}
