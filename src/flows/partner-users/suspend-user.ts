import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { lockNamedUser, type NoUser, type UserName } from '#flows/partner-users/named-user.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { setUserStatus } from '#modules/members/store.ts'
import type { PartnerUser } from '#modules/members/types.ts'

export type UserStatusRefusal =
  | NoUser
  // By the member, who alone can take it back.
  | Refusal<'link_refused'>
  | Refusal<'member_frozen'>
  | Refusal<'already_in_status', { status: 'active' | 'suspended' }>

type UserStatusOutcome = { kind: 'done'; user: PartnerUser } | UserStatusRefusal

// Closes or opens the link between a partner and its user. Closed, every hash key and session of the link is
// dead at once and stays dead: opening it again brings none of them back.
export function setUserStatusOf(
  database: Database,
  command: UserName & { status: 'active' | 'suspended'; reason: string; actor: string },
): Promise<UserStatusOutcome> {
  const { status, reason, actor } = command
  return withOutcome(database, async (tx) => {
    const named = await lockNamedUser(tx, command)
    if (named.kind === 'refused') return named
    const { user } = named
    if (user.status === 'refused') return refused('link_refused')
    if (user.status === 'frozen' && status === 'active') return refused('member_frozen')
    if (user.status === status) return refused('already_in_status', { status })
    const now = await setUserStatus(tx, user.id, status)
    await insertAuditEntry(tx, {
      actor,
      action: status === 'suspended' ? 'user.suspend' : 'user.resume',
      subject: user.id,
      details: { reason },
      before: { status: user.status },
      after: { status: now },
    })
    // Opened again while the member is frozen, it waits for the thaw.
    return { kind: 'done', user: { ...user, status: now } }
  })
}
