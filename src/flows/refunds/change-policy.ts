import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import type { ChangeRequest, Executed, Payload, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { insertPolicy, lockPolicies, policyOf } from '#modules/refunds/policy.ts'
import { refusePolicy } from '#modules/refunds/rules.ts'
import type { PolicyRefusal, RefundPolicy } from '#modules/refunds/types.ts'

// Of a new policy only what differs from the policy before it is given.
export type PolicyChange = Partial<Omit<RefundPolicy, 'version' | 'effectiveFrom'>>

export interface PolicyCommand extends Person {
  version: string
  effectiveFrom: string
  // Its last day, where a later version is there already.
  until: string | undefined
  change: PolicyChange
  reason: string
}

// next: the day on which a later version begins.
export type PolicyChangeRefusal = Refusal<PolicyRefusal, { today: string; next: string | null }>

type PolicyOutcome = { kind: 'waiting'; request: ChangeRequest } | PolicyChangeRefusal

// A new version for the cards that are bought from its first day on. A second person approves it.
export function requestPolicy(database: Database, command: PolicyCommand): Promise<PolicyOutcome> {
  const { version, effectiveFrom, until, change, reason, ...maker } = command
  return withOutcome(database, async (tx): Promise<PolicyOutcome> => {
    const { policies, today } = await lockPolicies(tx)
    const before = policyOf(policies, effectiveFrom)
    const policy = { ...before, ...change, version, effectiveFrom }
    const refusal = refusePolicy(policy, { until, today, others: policies })
    if (refusal) return refused(refusal, { today, next: nextAfter(policies, effectiveFrom) })
    const wanted = {
      action: 'refund_policy.add.request',
      kind: 'refund_policy',
      subject: version,
      payload: { ...payloadOf(policy), until: until ?? '' },
      basis: payloadOf(before),
    } as const
    return requestChange(tx, wanted, { ...maker, reason })
  })
}

// Another version may have come, and days have passed: every rule is checked again.
export async function executePolicy(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | PolicyChangeRefusal> {
  const policy = policyFrom(request.payload)
  const until = (request.payload.until as string) || undefined
  const { policies, today } = await lockPolicies(tx)
  const refusal = refusePolicy(policy, { until, today, others: policies })
  if (refusal) return refused(refusal, { today, next: nextAfter(policies, policy.effectiveFrom) })
  await insertPolicy(tx, policy, request.id)
  const payload = { ...payloadOf(policy), until: until ?? '' }
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'refund_policy.add',
    subject: policy.version,
    details: { ...payload, reason: request.reason, askedBy: request.maker, request: request.id },
  })
  return { kind: 'executed', payload }
}

function nextAfter(policies: readonly RefundPolicy[], day: string): string | null {
  const later = policies.filter(({ effectiveFrom }) => effectiveFrom > day)
  return later.at(-1)?.effectiveFrom ?? null
}

function payloadOf({ smallUpTo, noticeDays, ...rest }: RefundPolicy) {
  return { ...rest, smallUpTo: smallUpTo.toString(), noticeDays: noticeDays.join(',') }
}

function policyFrom({ until: _, smallUpTo, noticeDays, ...rest }: Payload): RefundPolicy {
  return {
    ...(rest as unknown as RefundPolicy),
    smallUpTo: BigInt(smallUpTo as string),
    noticeDays: (noticeDays as string).split(',').map(Number),
  }
}
