import { assert } from '#base/assert.ts'
import type { Reader } from '#base/db/db.ts'

// The refund rules of one version (table refund_policy). A card keeps those of the day it was bought.
export interface RefundPolicy {
  effectiveFrom: string
  cancelDays: number
  refundYears: number
  smallUpTo: bigint
  smallPercent: number
  largePercent: number
  pointsPercent: number
}

const POLICIES = {
  name: 'refund_policies',
  text: `select effective_from as "effectiveFrom", cancel_days as "cancelDays", refund_years as "refundYears",
                small_up_to as "smallUpTo", small_percent as "smallPercent", large_percent as "largePercent",
                points_percent as "pointsPercent"
           from refund_policy order by effective_from desc`,
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
