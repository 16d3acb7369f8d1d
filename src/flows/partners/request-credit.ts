import type { Tx } from '#base/db/db.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import type { Partner } from '#modules/partners/types.ts'

// More credit for a partner, which a second person approves.
export async function requestCredit(
  tx: Tx,
  { code, creditLimit: before }: Pick<Partner, 'code' | 'creditLimit'>,
  creditLimit: bigint,
  { reason = null, ...who }: Person & { reason?: string | null },
): Promise<ChangeRequest> {
  const change = {
    action: 'partner.credit.request',
    kind: 'credit_limit',
    subject: code,
    payload: { creditLimit: creditLimit.toString() },
    basis: { creditLimit: before.toString() },
  } as const
  const { request } = await requestChange(tx, change, { ...who, reason })
  return request
}
