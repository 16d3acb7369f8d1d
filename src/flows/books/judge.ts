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

type Queries = Readonly<Record<string, string>>

interface JudgeOptions {
  onCheck?: (check: string) => void
  // These are not asked.
  unjudged?: readonly string[]
}

const MOST_TOGETHER = 16
const SLOW_MS = 1_000

// Up to sixteen checks in one statement take half the time where each has little to read. After the first slow statement they
// are asked one by one, to show progress and to need memory for one check only.
export async function judgeQueries(
  tx: Db,
  queries: Queries,
  { onCheck = () => {}, unjudged = [] }: JudgeOptions = {},
): Promise<CheckResult[]> {
  const results = new Map(unjudged.map((check) => [check, unknown(check)]))
  const checks = Object.entries(queries).filter(([check]) => !results.has(check))
  let together = 1
  let isSlow = false
  for (let asked = 0; asked < checks.length; ) {
    const next = checks.slice(asked, asked + together)
    onCheck(next[0]![0])
    const began = performance.now()
    for (const result of await judgeTogether(tx, next)) results.set(result.check, result)
    isSlow ||= performance.now() - began > SLOW_MS
    asked += next.length
    together = isSlow ? 1 : Math.min(2 * together, MOST_TOGETHER)
  }
  return Object.keys(queries).map((check) => results.get(check)!)
}

// Without parameters the statement is planned as it stands. For one that could be run again, the server would first keep
// a copy of it.
async function judgeTogether(
  tx: Db,
  checks: readonly [name: string, query: string][],
): Promise<CheckResult[]> {
  const each = checks.map(
    ([, query], place) => sql`
      (select ${sql.lit(place)} as place, id::text as id, count(*) over () as total
         from (${sql.raw(query)}) broken limit ${sql.lit(SHOWN)})`,
  )
  const { rows } = await sql<{ place: number; id: string; total: bigint }>`
    ${sql.join(each, sql` union all `)}`.execute(tx)
  const found = Map.groupBy(rows, (row) => row.place)
  return checks.map(([check], place) => {
    const wrong = found.get(place) ?? []
    return { check, broken: Number(wrong[0]?.total ?? 0n), examples: wrong.map((row) => row.id) }
  })
}
