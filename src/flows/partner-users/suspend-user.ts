import type { Database } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { lockNamedUser, type UserName } from '#flows/partner-users/named-user.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { setUserStatus } from '#modules/members/store.ts'
import type { PartnerUser } from '#modules/members/types.ts'

// Closes or opens the link between a partner and its user. Closed, every hash key and session of the link is
// dead at once and stays dead: opening it again brings none of them back.
export function setUserStatusOf(
  database: Database,
  command: UserName & { status: 'active' | 'suspended'; reason: string; actor: string },
): Promise<PartnerUser> {
  const { status, reason, actor } = command
  return database.withTransaction(async (tx) => {
    const user = await lockNamedUser(tx, command)
    if (user.status === 'refused')
      throw new Refused('the member has refused this link, and only the member can take that back')
    if (user.status === 'frozen' && status === 'active')
      throw new Refused('the member is frozen: `member thaw` opens the link with the rest')
    if (user.status === status) throw new Refused(`the user is ${status} already`)
    const now = await setUserStatus(tx, user.id, status)
    await insertAuditEntry(tx, {
      actor,
      action: status === 'suspended' ? 'user.suspend' : 'user.resume',
      subject: user.id,
      details: { reason },
    })
    // Opened again while the member is frozen, it waits for the thaw.
    return { ...user, status: now }
  })
}
