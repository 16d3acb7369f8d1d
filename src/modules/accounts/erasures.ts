import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import type { AccountId } from './types.ts'

// Erasure of a closed account's details on request (table member_erasure).

// False: it was asked for before, and that stands.
export async function insertErasure(
  tx: Tx,
  { accountId, by, detailsUntil }: { accountId: AccountId; by: string; detailsUntil: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into member_erasure (account_id, requested_at, requested_by, details_until, details_erased_at)
    values (${accountId}, service_now(), ${by}, ${detailsUntil}::date,
            case when ${detailsUntil}::date is null then service_now() end)
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

export async function eraseDetails(tx: Tx, id: AccountId): Promise<void> {
  await sql`update member_account set details = null where id = ${id} and closed_at is not null`.execute(tx)
}

// Details whose last day is over. The request stays, as a record of when they went.
export async function eraseRequestedDetails(tx: Tx, limit: number): Promise<bigint> {
  const { numAffectedRows } = await sql`
    with due as (
      select account_id from member_erasure
       where details_erased_at is null and details_until < seoul_date(service_now())
       order by details_until limit ${limit} for update skip locked),
    erased as (
      update member_account set details = null
       where id in (select account_id from due) and closed_at is not null)
    update member_erasure set details_erased_at = service_now() where account_id in (select account_id from due)`.execute(
    tx,
  )
  return numAffectedRows ?? 0n
}
