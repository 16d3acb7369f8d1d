import { noPartner } from '#app/commands/partner-words.ts'
import type { bindAccount, unbindAccount } from '#flows/staff/bind-account.ts'
import type { requestRoleChange } from '#flows/staff/change-role.ts'
import type { addStaff, resetStaff, resumeStaff, suspendStaff } from '#flows/staff/manage-staff.ts'

type RefusalOf<Flow extends (...args: never[]) => Promise<unknown>> = Extract<
  Awaited<ReturnType<Flow>>,
  { kind: 'refused' }
>
type StaffRefusal =
  | RefusalOf<typeof addStaff>
  | RefusalOf<typeof requestRoleChange>
  | RefusalOf<typeof resetStaff>
  | RefusalOf<typeof suspendStaff>
  | RefusalOf<typeof resumeStaff>
  | RefusalOf<typeof bindAccount>
  | RefusalOf<typeof unbindAccount>

export function staffWords(refusal: StaffRefusal): string {
  switch (refusal.reason) {
    case 'bad_email':
      return 'that is no email address'
    case 'bad_name':
      return 'a name has 1 to 100 characters'
    case 'email_taken':
      return 'there is a staff member with that email: `operator list` shows them'
    case 'role_of_other_tenant':
      return refusal.role.startsWith('partner_')
        ? `${refusal.role} is a role of a partner's staff, who are added with --partner`
        : `${refusal.role} is a role of the operator's own staff, who are added without --partner`
    case 'partner_not_found':
      return noPartner(refusal)
    case 'staff_not_found':
      return `there is no staff member ${refusal.email}: \`operator list\` shows them`
    case 'same_role':
      return 'this is their role already'
    case 'already_suspended':
      return 'this staff member is suspended already'
    case 'not_suspended':
      return 'this staff member is not suspended'
    case 'own_account':
      return 'nobody suspends themselves: another admin does'
    case 'account_bound':
      return `the account ${refusal.account} is bound to ${refusal.email}: \`operator unbind\` first`
    case 'account_not_bound':
      return `the account ${refusal.account} is bound to nobody`
  }
}
