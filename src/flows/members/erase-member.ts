import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type ErasurePlan, eraseDataOf } from '#flows/members/erase-data.ts'
import { findNamedMember, type NoMember } from '#flows/members/named-member.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { isFrozen, lockMember } from '#modules/members/freezes.ts'

export type EraseRefusal = NoMember | Refusal<'account_open' | 'member_frozen' | 'member_has_no_account'>

type EraseOutcome = ({ kind: 'done'; accountId: string; isNew: boolean } & ErasurePlan) | EraseRefusal

// The operator does it for a person who closed the account and asks later. An open account is closed by its member.
export function eraseMember(
  database: Database,
  { member, reason, actor }: { member: string; reason: string; actor: string },
): Promise<EraseOutcome> {
  return withOutcome(database, async (tx): Promise<EraseOutcome> => {
    const named = await findNamedMember(tx, member)
    if (named.kind === 'refused') return named
    const { memberId, account } = named
    if (!account) return refused('member_has_no_account')
    if (!account.closedAt) return refused('account_open')
    await lockMember(tx, memberId)
    // What is being investigated stays as it is.
    if (await isFrozen(tx, memberId)) return refused('member_frozen')
    const erased = await eraseDataOf(tx, { accountId: account.id, memberId, by: actor })
    const details = { reason, detailsUntil: erased.detailsUntil, lines: erased.lines.map(lineText) }
    await insertAuditEntry(tx, { actor, action: 'member.erase', subject: account.id, details })
    return { kind: 'done', accountId: account.id, ...erased }
  })
}

const lineText = ({ kind, outcome, until }: ErasurePlan['lines'][number]) =>
  `${kind}: ${outcome}${until === null ? '' : ` until ${until}`}`
