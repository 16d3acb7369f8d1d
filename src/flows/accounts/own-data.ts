import type { Database } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { collectData } from '#flows/members/collect-data.ts'
import { type DataFile, dataFile } from '#flows/members/data-file.ts'
import { type ErasurePlan, planErasureOf } from '#flows/members/erase-data.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export type ExportOwnData = (owner: { accountId: string; memberId: string }) => Promise<DataFile>

// Everything about the member who asks. It is in the audit log: if a thief took the file, its owner can learn when.
export function createExportOwnData(deps: VaultDeps & { queue: WorkQueue }): ExportOwnData {
  const { database, keys, queue } = deps
  return async ({ accountId, memberId }) => {
    await database.withTransaction((tx) =>
      insertAuditEntry(tx, { actor: 'member', action: 'member.export', subject: accountId, details: {} }),
    )
    return dataFile(await queue('own_data', () => collectData(database, keys.vault(), memberId)))
  }
}

export type PlanOwnErasure = (memberId: string) => Promise<ErasurePlan>

// What closing the account with erasure would erase and keep. Nothing is written.
export function createPlanOwnErasure(database: Database): PlanOwnErasure {
  return (memberId) => planErasureOf(database.db, memberId)
}
