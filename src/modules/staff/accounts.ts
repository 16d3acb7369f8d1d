import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import type { StaffId } from './types.ts'

// Accounts of machines, as the command line names its caller (`cli:<account>`), and the staff member each is of.

export interface BoundAccount {
  account: string
  staffId: StaffId
  email: string
}

export async function listBoundAccounts(db: Db): Promise<BoundAccount[]> {
  const { rows } = await sql<BoundAccount>`
    select a.account, a.staff_id as "staffId", s.email from staff_account a join staff s on s.id = a.staff_id
     order by a.account`.execute(db)
  return rows
}

// The staff member that an account is of, whatever their status. Null: no one is bound to it.
export async function findBoundStaff(db: Db, account: string): Promise<StaffId | undefined> {
  const { rows } = await sql<{ staffId: StaffId }>`
    select staff_id as "staffId" from staff_account where account = ${account}`.execute(db)
  return rows[0]?.staffId
}

// False if the account is of someone already.
export async function insertBoundAccount(
  tx: Tx,
  { account, staffId, boundBy }: { account: string; staffId: StaffId; boundBy: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into staff_account (account, staff_id, bound_at, bound_by)
    values (${account}, ${staffId}, service_now(), ${boundBy})
    on conflict (account) do nothing returning account`.execute(tx)
  return rows.length > 0
}

export async function deleteBoundAccount(tx: Tx, account: string): Promise<StaffId | undefined> {
  const { rows } = await sql<{ staffId: StaffId }>`
    delete from staff_account where account = ${account} returning staff_id as "staffId"`.execute(tx)
  return rows[0]?.staffId
}
