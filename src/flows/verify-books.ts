import { sql } from 'kysely'
import type { Database } from '#base/db.ts'
import { CARD_CHECKS } from '#flows/checks/cards.ts'
import { DELIVERY_CHECKS } from '#flows/checks/deliveries.ts'
import { HOLDING_CHECKS } from '#flows/checks/holdings.ts'
import { KEY_CHECKS } from '#flows/checks/keys.ts'
import { NOTICE_CHECKS } from '#flows/checks/notices.ts'
import { TRADE_CHECKS } from '#flows/checks/trades.ts'
import { LEDGER_CHECKS } from '#modules/ledger/checks.ts'
import { MEMBER_CHECKS } from '#modules/members/checks.ts'

// Invariants that span modules are in flows/checks, one file a subject; the others are their module's own.
const CHECKS: Record<string, string> = {
  ...LEDGER_CHECKS,
  ...CARD_CHECKS,
  ...DELIVERY_CHECKS,
  ...NOTICE_CHECKS,
  ...KEY_CHECKS,
  ...HOLDING_CHECKS,
  ...TRADE_CHECKS,
  ...MEMBER_CHECKS,
}
const SHOWN = 10 // enough to start looking; the count says how many there are

export interface CheckResult {
  check: string
  broken: number
  examples: string[]
}

// Every check sees the same snapshot, so a purchase that commits meanwhile cannot look like a mistake.
export function verifyBooks(database: Database): Promise<CheckResult[]> {
  return database.withSnapshot(async (tx) => {
    const results: CheckResult[] = []
    for (const [check, query] of Object.entries(CHECKS)) {
      const { rows } = await sql<{ id: string; total: bigint }>`
        select id, count(*) over () as total from (${sql.raw(query)}) broken limit ${SHOWN}`.execute(tx)
      results.push({ check, broken: Number(rows[0]?.total ?? 0n), examples: rows.map((row) => row.id) })
    }
    return results
  })
}
