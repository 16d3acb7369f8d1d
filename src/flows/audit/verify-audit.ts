import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Db } from '#base/db/db.ts'
import { judgeAnchors, type Outside } from '#flows/audit/judge-anchors.ts'
import { walkChain } from '#flows/audit/walk-chain.ts'
import { listKnownAnchors, recordJudgement } from '#modules/audit/anchors.ts'
import type { Finding } from '#modules/audit/findings.ts'
import { isRestorationSigned } from '#modules/restorations/rules.ts'
import { listRestorations } from '#modules/restorations/store.ts'

export interface AuditVerdict {
  sealedTo: bigint
  // In the order of the chain; then what the anchors say.
  findings: Finding[]
  // Null: no file of anchors was given.
  anchors: { count: number; goodTo: bigint; explained: number } | null
}

interface AuditOptions {
  outside?: Outside | undefined
  onProgress?: ((position: bigint) => void) | undefined
}

// Everything in one snapshot, so that an entry that is sealed meanwhile cannot look like one that was planted.
export async function judgeAudit(
  snapshot: Db,
  vault: Vault,
  { outside, onProgress }: AuditOptions,
): Promise<AuditVerdict> {
  const wanted = new Set(outside?.anchors?.map(({ position }) => position))
  const walk = await walkChain(snapshot, vault, wanted, onProgress)
  const sealedTo = walk.head.position
  if (!outside) return { sealedTo, findings: walk.findings, anchors: null }
  const restorations = (await listRestorations(snapshot)).filter((one) => isRestorationSigned(vault, one))
  const known = { places: await listKnownAnchors(snapshot), restorations }
  const { findings, ...rest } = judgeAnchors(vault, outside, walk, known)
  const anchors = outside.anchors ? { count: outside.anchors.length, ...rest } : null
  return { sealedTo, findings: [...walk.findings, ...findings], anchors }
}

export function verifyAudit(database: Database, vault: Vault, options: AuditOptions): Promise<AuditVerdict> {
  return database.withSnapshot((tx) => judgeAudit(tx, vault, options))
}

export function recordAuditJudgement(
  database: Database,
  sealedTo: string,
  finding: Finding | null,
): Promise<void> {
  return database.withTransaction((tx) =>
    recordJudgement(tx, BigInt(sealedTo), finding && JSON.stringify(finding)),
  )
}
