import type { WorkQueue } from '#base/queues/work-queue.ts'
import { withOutcome } from '#flows/kit/outcome.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { collectData } from '#flows/members/collect-data.ts'
import { type DataFile, dataFile } from '#flows/members/data-file.ts'
import { findNamedMember, type NoMember } from '#flows/members/named-member.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export interface ExportCommand {
  // By login id, member id or account id.
  member: string
  reason: string
  actor: string
}

// Everything about one member, whole, for the operator to hand over. The audit entry is committed before anything is read.
export async function exportMember(
  { database, keys, queue }: VaultDeps & { queue: WorkQueue },
  { member, reason, actor }: ExportCommand,
): Promise<{ kind: 'done'; file: DataFile } | NoMember> {
  const named = await withOutcome(database, async (tx) => {
    const found = await findNamedMember(tx, member)
    if (found.kind === 'refused') return found
    const subject = found.account?.id ?? found.memberId
    await insertAuditEntry(tx, { actor, action: 'member.export', subject, details: { reason } })
    return found
  })
  if (named.kind === 'refused') return named
  const data = await queue('member_export', () => collectData(database, keys.vault(), named.memberId))
  return { kind: 'done', file: dataFile(data) }
}
