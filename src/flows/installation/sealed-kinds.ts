import { rekeyAccounts } from '#modules/accounts/store.ts'
import { rekeyAuditPrivate } from '#modules/audit/private.ts'
import { rekeyNotices } from '#modules/deliveries/notices/store.ts'
import { rekeyCancelReasons } from '#modules/gift-cards/cancel-reason.ts'
import { rekeyCards } from '#modules/gift-cards/rekey.ts'
import { rekeyVerifications } from '#modules/identity/store.ts'
import { rekeyFormerDetails, rekeyLinks, rekeyMembers, rekeyTraces } from '#modules/members/rekey.ts'
import { rekeySearch } from '#modules/members/search.ts'
import { rekeyOnboardings } from '#modules/onboarding/store.ts'
import { rekeyContacts } from '#modules/partners/contacts.ts'
import { rekeyPasskeys, rekeyStaffPasskeys } from '#modules/passkeys/store.ts'
import { rekeyStaff } from '#modules/staff/store.ts'
import { rekeyStatements } from '#modules/statements/store.ts'
import { rekeyWithdrawals } from '#modules/withdrawals/store.ts'

// Every kind of rows that a rotation seals anew, in its order.
export const SEALED_KINDS = {
  cards: rekeyCards,
  members: rekeyMembers,
  partner_users: rekeyLinks,
  accounts: rekeyAccounts,
  verifications: rekeyVerifications,
  onboardings: rekeyOnboardings,
  passkeys: rekeyPasskeys,
  staff: rekeyStaff,
  staff_passkeys: rekeyStaffPasskeys,
  withdrawals: rekeyWithdrawals,
  issued_statements: rekeyStatements,
  notices: rekeyNotices,
  partner_contacts: rekeyContacts,
  cancel_reasons: rekeyCancelReasons,
  signup_traces: rekeyTraces,
  audit_reasons: rekeyAuditPrivate,
  // After the partner users, whose details move there.
  former_details: rekeyFormerDetails,
  // Last, because it looks again at rows that were sealed above.
  names_of_partner_users: rekeySearch('partner_user'),
  names_of_accounts: rekeySearch('member_account'),
} as const
