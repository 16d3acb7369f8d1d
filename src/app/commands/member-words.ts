import { noPartner } from '#app/commands/partner-words.ts'
import type { DistrustRefusal, EndSessionsRefusal } from '#flows/members/end-access.ts'
import type { SubjectsRefusal } from '#flows/members/find-audit-subjects.ts'
import type { FreezeRefusal } from '#flows/members/freeze-member.ts'

export function memberWords(
  refusal: FreezeRefusal | EndSessionsRefusal | DistrustRefusal | SubjectsRefusal,
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
    case 'partner_not_found':
      return noPartner(refusal)
  }
}
