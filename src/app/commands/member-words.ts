import { noPartner } from '#app/commands/partner-words.ts'
import type { DistrustRefusal, EndSessionsRefusal } from '#flows/members/end-access.ts'
import type { EraseRefusal } from '#flows/members/erase-member.ts'
import type { SubjectsRefusal } from '#flows/members/find-audit-subjects.ts'
import type { FreezeRefusal } from '#flows/members/freeze-member.ts'

export function memberWords(
  refusal: FreezeRefusal | EndSessionsRefusal | DistrustRefusal | SubjectsRefusal | EraseRefusal,
): string {
  switch (refusal.reason) {
    case 'member_not_found':
      return `there is no member with the id ${refusal.member}`
    case 'already_frozen':
      return 'the member is frozen already'
    case 'not_frozen':
      return 'the member is not frozen'
    case 'account_closed':
      return 'the account is closed: nobody is signed in'
    case 'session_not_found':
      return 'the member has no such session now'
    case 'device_not_found':
      return 'the member trusts no such device'
    case 'account_open':
      return 'the account is open: its member closes it first, on the settings page'
    case 'member_frozen':
      return 'the member is frozen: end the freeze first (member thaw)'
    case 'member_has_no_account':
      return 'only partners know this person: ask them to erase what they told'
    case 'partner_not_found':
      return noPartner(refusal)
  }
}
