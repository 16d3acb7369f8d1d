import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Reader } from '#base/db/db.ts'
import { APPROVAL_CHECKS } from '#flows/books/checks/approvals.ts'
import { CARD_CHECKS } from '#flows/books/checks/cards.ts'
import { DELIVERY_CHECKS } from '#flows/books/checks/deliveries.ts'
import { FREEZE_CHECKS } from '#flows/books/checks/freezes.ts'
import { GUARD_CHECKS, LEFT_OUT } from '#flows/books/checks/guards.ts'
import { HOLDING_CHECKS } from '#flows/books/checks/holdings.ts'
import { KEY_CHECKS } from '#flows/books/checks/keys.ts'
import { NOTICE_CHECKS } from '#flows/books/checks/notices.ts'
import { PAYMENT_CHECKS } from '#flows/books/checks/payments.ts'
import { findForeignKeys, findForeignPins } from '#flows/books/checks/sealed-cards.ts'
import { TRADE_CHECKS } from '#flows/books/checks/trades.ts'
import { TRANSFER_CHECKS } from '#flows/books/checks/transfers.ts'
import { LEDGER_CHECKS } from '#modules/ledger/checks.ts'
import { MEMBER_CHECKS } from '#modules/members/checks.ts'

// Invariants that span modules are in flows/checks, one file a subject; the others are their module's own.
const CHECKS: Record<string, string> = {
  ...LEDGER_CHECKS,
  ...TRANSFER_CHECKS,
  ...CARD_CHECKS,
  ...DELIVERY_CHECKS,
  ...NOTICE_CHECKS,
  ...KEY_CHECKS,
  ...HOLDING_CHECKS,
  ...TRADE_CHECKS,
  ...APPROVAL_CHECKS,
  ...FREEZE_CHECKS,
  ...PAYMENT_CHECKS,
  ...GUARD_CHECKS,
  ...MEMBER_CHECKS,
}
const SHOWN = 10 // enough to start looking; the count says how many there are

export interface CheckResult {
  check: string
  broken: number
  examples: string[]
  // What it could not judge, if anything.
  leftOut?: string[]
}

// Checks that a query cannot make without the keys.
const SEALED_CHECKS = {
  sealed_pin_is_its_cards: findForeignPins,
  kept_key_answers_for_its_purchase: findForeignKeys,
} as const

// Every check sees the same snapshot, so a purchase that commits during the run cannot look like a mistake. With the
// vault, sealed values are checked too. Each check reads its tables once, so that the time grows with the rows and no faster.
export function verifyBooks(
  database: Database,
  vault?: Vault,
  onCheck: (check: string) => void = () => {},
): Promise<CheckResult[]> {
  return database.withSnapshot(async (tx) => {
    const results: CheckResult[] = []
    for (const [check, query] of Object.entries(CHECKS)) {
      onCheck(check)
      const { rows } = await sql<{ id: string; total: bigint }>`
        select id, count(*) over () as total from (${sql.raw(query)}) broken limit ${SHOWN}`.execute(tx)
      results.push({ check, broken: Number(rows[0]?.total ?? 0n), examples: rows.map((row) => row.id) })
    }
    for (const [check, query] of Object.entries(LEFT_OUT)) {
      const { rows } = await sql<{ name: string }>`${sql.raw(query)} order by name`.execute(tx)
      const result = results.find((one) => one.check === check)
      if (result && rows.length > 0) result.leftOut = rows.map(({ name }) => name)
    }
    if (!vault) return results
    for (const [check, find] of Object.entries(SEALED_CHECKS)) {
      onCheck(check)
      const wrong = await find(tx, vault)
      results.push({ check, broken: wrong.length, examples: wrong.slice(0, SHOWN) })
    }
    return results
  })
}

export interface Verification {
  // The result of the last run; null before the first.
  ok: boolean | null
  brokenChecks: number
  // Since the last run, or since there are books to verify.
  ageSeconds: number
}

// Remembered in the database, so that every process tells of it, also after a restart. By real time: a sandbox's clock jumps.
export async function recordVerification(database: Database, results: readonly CheckResult[]): Promise<void> {
  const broken = results.filter((result) => result.broken > 0).length
  await database.withTransaction(async (tx) => {
    await sql`
      insert into verification as v (finished_at, ok, checks, broken, last_ok_at)
      values (now(), ${broken === 0}, ${results.length}, ${broken}, case when ${broken === 0} then now() end)
      on conflict (one) do update
         set finished_at = excluded.finished_at, ok = excluded.ok, checks = excluded.checks, broken = excluded.broken,
             last_ok_at = coalesce(excluded.last_ok_at, v.last_ok_at)`.execute(tx)
  })
}

const LAST_RUN = {
  name: 'read_verification',
  text: `select v.ok, coalesce(v.broken, 0) as "brokenChecks",
                extract(epoch from now() - coalesce(v.finished_at, i.created_at))::float8 as "ageSeconds"
           from installation i left join verification v on true`,
}

export async function readVerification(database: Reader): Promise<Verification | undefined> {
  const [row] = await database.read<Verification>(LAST_RUN, [])
  return row
}
