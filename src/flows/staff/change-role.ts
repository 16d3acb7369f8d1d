import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { isPartnerRole, type Role } from '#modules/staff/permissions.ts'
import { endStaffSessions } from '#modules/staff/sessions.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { findStaffByEmail, lockStaff, setRole } from '#modules/staff/store.ts'

interface RoleCommand extends Person {
  email: string
  role: Role
  reason: string | null
}

type RoleRefusal =
  | Refusal<'staff_not_found', { email: string }>
  | Refusal<'role_of_other_tenant', { role: Role }>
  | Refusal<'same_role'>

export type ExecuteRoleRefusal = Refusal<'staff_not_found', { email: string }> | Refusal<'role_changed'>

async function lockByEmail(tx: Tx, email: string): Promise<StaffMember | undefined> {
  const found = await findStaffByEmail(tx, email)
  return found && lockStaff(tx, found.id)
}

// Another role takes two people: it is how one would give oneself the right to approve.
export function requestRoleChange(
  database: Database,
  { email: typed, role, ...maker }: RoleCommand,
): Promise<{ kind: 'waiting'; request: ChangeRequest } | RoleRefusal> {
  const email = typed.trim().toLowerCase()
  return withOutcome(database, async (tx) => {
    const staff = await lockByEmail(tx, email)
    if (!staff) return refused('staff_not_found', { email })
    if (isPartnerRole(role) !== (staff.partnerId !== null)) return refused('role_of_other_tenant', { role })
    if (staff.role === role) return refused('same_role')
    return askForRole(tx, staff, role, maker)
  })
}

export function askForRole(
  tx: Tx,
  { email, role: before }: Pick<StaffMember, 'email' | 'role'>,
  role: Role,
  maker: Person & { reason: string | null },
) {
  const wanted = { kind: 'staff_role', subject: email, payload: { role }, basis: { role: before } } as const
  return requestChange(tx, { ...wanted, action: 'staff.role_request' }, maker)
}

// Carried out when another person approves. Their sessions end: what is open on a screen was for the former role.
export async function executeRoleChange(
  tx: Tx,
  { subject: email, payload, basis, reason, maker }: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteRoleRefusal> {
  const staff = await lockByEmail(tx, email)
  if (!staff) return refused('staff_not_found', { email })
  if (staff.role !== basis.role) return refused('role_changed')
  await setRole(tx, staff.id, payload.role as Role)
  const sessions = await endStaffSessions(tx, staff.id)
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'staff.role',
    subject: staff.id,
    details: { email, maker, reason, sessions },
    before: { role: staff.role },
    after: { role: String(payload.role) },
  })
  return { kind: 'executed', payload: { role: payload.role! } }
}
