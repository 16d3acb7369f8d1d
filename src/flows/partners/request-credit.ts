import type { Tx } from '#base/db/db.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import type { Partner } from '#modules/partners/types.ts'

interface Asking extends Person {
  reason?: string | null
}

// Credit is money that cards can be bought with. A sandbox's is play money, and one person may give it.
export async function creditTakesTwo(tx: Tx, before: bigint, wanted: bigint): Promise<boolean> {
  const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
  return mode === 'live' && wanted > before
}

export async function requestCredit(
  tx: Tx,
  { code, creditLimit: before }: Pick<Partner, 'code' | 'creditLimit'>,
  creditLimit: bigint,
  { actor, origin, staffId, singlePerson, reason = null }: Asking,
): Promise<ChangeRequest> {
  const change = {
    action: 'partner.credit.request',
    kind: 'credit_limit',
    subject: code,
    payload: { creditLimit: creditLimit.toString() },
    basis: { creditLimit: before.toString() },
  } as const
  const { request } = await requestChange(tx, change, { actor, origin, staffId, singlePerson, reason })
  return request
}
