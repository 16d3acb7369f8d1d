import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import { eraseDetails, insertErasure } from '#modules/accounts/erasures.ts'
import type { AccountId } from '#modules/accounts/types.ts'
import { eraseNoticesOf } from '#modules/deliveries/notices/store.ts'
import { CREDITS, DEBITS } from '#modules/ledger/movements.ts'
import { deleteRequestsOf } from '#modules/requests/store.ts'
import { type ErasureLine, planErasure } from '#modules/retention/rules.ts'

export interface ErasurePlan {
  lines: ErasureLine[]
  // The last day on which the details are kept; null: they go at once.
  detailsUntil: string | null
}

// What erasure would do for a member now.
export async function planErasureOf(db: Db, memberId: string): Promise<ErasurePlan> {
  const { rows } = await sql<{ today: string; last: string | null }>`
    select seoul_date(service_now()) as today, (
      select seoul_date(max(m.at))
        from account a cross join lateral (${sql.raw(DEBITS)} union all ${sql.raw(CREDITS)}) m
       where a.holder_id = ${memberId} or a.holder_id in (select id from partner_user where member_id = ${memberId})) as last`.execute(
    db,
  )
  const { today, last } = rows[0]!
  return planErasure({ today, lastTransactionOn: last })
}

// Erases what no retention period forbids, and notes when the rest goes: `forget_old_logins` erases it then. The account is
// closed. Asked for again, the first request stands.
export async function eraseDataOf(
  tx: Tx,
  { accountId, memberId, by }: { accountId: AccountId; memberId: string; by: string },
): Promise<ErasurePlan & { isNew: boolean }> {
  const plan = await planErasureOf(tx, memberId)
  const isNew = await insertErasure(tx, { accountId, by, detailsUntil: plan.detailsUntil })
  await eraseNoticesOf(tx, accountId)
  await deleteRequestsOf(tx, memberId)
  if (plan.detailsUntil === null) await eraseDetails(tx, accountId)
  return { ...plan, isNew }
}
