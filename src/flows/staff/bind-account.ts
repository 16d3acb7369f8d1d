import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import type { NoStaff } from '#flows/staff/manage-staff.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { deleteBoundAccount, findBoundStaff, insertBoundAccount } from '#modules/staff/accounts.ts'
import { findStaff, findStaffByEmail, lockStaff } from '#modules/staff/store.ts'

interface BindCommand {
  email: string
  // As the command line names its caller: `cli:<account>`.
  account: string
  actor: string
}

type BindOutcome = { kind: 'done' } | NoStaff | Refusal<'account_bound', { account: string; email: string }>

// From now on, what this account does counts as done by that staff member: for two people, both names are one person.
export function bindAccount(
  database: Database,
  { email, account, actor }: BindCommand,
): Promise<BindOutcome> {
  return withOutcome(database, async (tx) => {
    const found = await findStaffByEmail(tx, email.trim().toLowerCase())
    const staff = found && (await lockStaff(tx, found.id))
    if (!staff) return refused('staff_not_found', { email })
    if (!(await insertBoundAccount(tx, { account, staffId: staff.id, boundBy: actor }))) {
      const owner = await findStaff(tx, (await findBoundStaff(tx, account)) ?? '')
      return refused('account_bound', { account, email: owner?.email ?? '' })
    }
    await insertAuditEntry(tx, {
      actor,
      action: 'staff.bind',
      subject: staff.id,
      details: { email: staff.email },
      before: { account: null },
      after: { account },
    })
    return { kind: 'done' }
  })
}

export function unbindAccount(
  database: Database,
  { account, actor }: Omit<BindCommand, 'email'>,
): Promise<{ kind: 'done' } | Refusal<'account_not_bound', { account: string }>> {
  return withOutcome(database, async (tx) => {
    const staffId = await deleteBoundAccount(tx, account)
    if (!staffId) return refused('account_not_bound', { account })
    await insertAuditEntry(tx, {
      actor,
      action: 'staff.unbind',
      subject: staffId,
      before: { account },
      after: { account: null },
    })
    return { kind: 'done' }
  })
}
