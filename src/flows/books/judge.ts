import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { judgeAudit } from '#flows/audit/verify-audit.ts'
import { type SealHead, walkSeals } from '#flows/books/seals/walk-seals.ts'
import { type Reached, readReached } from '#flows/books/since/checkpoint.ts'
import { type Finding, findingText } from '#modules/audit/findings.ts'

export const AUDIT_CHECK = 'audit_log_is_whole'
export const SEAL_CHECK = 'sealed_transfers_are_as_they_were'
const SHOWN = 10 // enough to start looking; the count says how many there are

export interface CheckResult {
  check: string
  broken: number
  examples: string[]
  // A newer release says that this one cannot judge it.
  leftOut?: true
  // Of the check of the audit log.
  audit?: { sealedTo: string; finding: Finding | null }
  // Of the check of sealed transfers: where the next run can begin.
  reached?: Reached
}

export async function judgeLog(tx: Db, vault: Vault, outside: Outside | undefined): Promise<CheckResult> {
  const { sealedTo, findings } = await judgeAudit(tx, vault, { outside })
  const examples = findings.slice(0, SHOWN).map(findingText)
  const audit = { sealedTo: String(sealedTo), finding: findings[0] ?? null }
  return { check: AUDIT_CHECK, broken: findings.length, examples, audit }
}

export async function judgeSeals(tx: Db, from?: SealHead): Promise<CheckResult> {
  const { findings, head } = await walkSeals(tx, from)
  const result = { check: SEAL_CHECK, broken: findings.length, examples: findings }
  return findings.length > 0 ? result : { ...result, reached: await readReached(tx, head) }
}

export const judged = (check: string, wrong: readonly string[]): CheckResult => ({
  check,
  broken: wrong.length,
  examples: wrong.slice(0, SHOWN),
})

export const unknown = (check: string): CheckResult => ({ check, broken: 0, examples: [], leftOut: true })

// Without parameters the statement is planned as it stands. For one that could be run again, the server would first keep
// a copy of it.
export async function judge(tx: Db, check: string, query: string): Promise<CheckResult> {
  const { rows } = await sql<{ id: string; total: bigint }>`
    select id, count(*) over () as total from (${sql.raw(query)}) broken limit ${sql.lit(SHOWN)}`.execute(tx)
  return { check, broken: Number(rows[0]?.total ?? 0n), examples: rows.map((row) => row.id) }
}
