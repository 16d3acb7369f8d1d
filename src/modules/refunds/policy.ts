import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { RefundPolicy } from './types.ts'

const COLUMNS = `p.version, effective_from as "effectiveFrom", cancel_days as "cancelDays", refund_years as "refundYears",
  small_up_to as "smallUpTo", small_percent as "smallPercent", large_percent as "largePercent",
  points_percent as "pointsPercent", extension_months as "extensionMonths", notice_days as "noticeDays"`

const POLICIES = {
  name: 'refund_policies',
  text: `select ${COLUMNS} from refund_policy p join refund_policy_detail d on d.version = p.version order by effective_from desc`,
}

// The newest first.
export function listRefundPolicies(database: Reader): Promise<RefundPolicy[]> {
  return database.read<RefundPolicy & Record<string, unknown>>(POLICIES, [])
}

export function policyOf(policies: readonly RefundPolicy[], boughtOn: string): RefundPolicy {
  const policy = policies.find(({ effectiveFrom }) => effectiveFrom <= boughtOn)
  assert(policy, 'the first policy is older than any card')
  return policy
}

export async function findPolicyOf(db: Db, boughtOn: string): Promise<RefundPolicy> {
  const { rows } = await sql<RefundPolicy>`
    select ${sql.raw(COLUMNS)} from refund_policy_of(${boughtOn}::date) p
      join refund_policy_detail d on d.version = p.version`.execute(db)
  assert(rows[0], 'the first policy is older than any card')
  return rows[0]
}

// Two who add one at once: the second finds the first. Reading goes on meanwhile.
export async function lockPolicies(tx: Tx): Promise<{ policies: RefundPolicy[]; today: string }> {
  await sql`lock table refund_policy in share row exclusive mode`.execute(tx)
  const { rows } = await sql<RefundPolicy>`
    select ${sql.raw(COLUMNS)} from refund_policy p join refund_policy_detail d on d.version = p.version
     order by effective_from desc`.execute(tx)
  const { rows: days } = await sql<{ today: string }>`select seoul_date(service_now()) as today`.execute(tx)
  return { policies: rows, today: days[0]!.today }
}

export async function insertPolicy(tx: Tx, policy: RefundPolicy, requestId: string): Promise<void> {
  await sql`
    insert into refund_policy (version, effective_from, cancel_days, refund_years, small_up_to, small_percent, large_percent,
                               points_percent, notice_days)
    values (${policy.version}, ${policy.effectiveFrom}::date, ${policy.cancelDays}, ${policy.refundYears}, ${policy.smallUpTo},
            ${policy.smallPercent}, ${policy.largePercent}, ${policy.pointsPercent}, ${policy.noticeDays}::integer[])`.execute(
    tx,
  )
  await sql`insert into refund_policy_detail (version, extension_months, request_id)
            values (${policy.version}, ${policy.extensionMonths}, ${requestId})`.execute(tx)
}
