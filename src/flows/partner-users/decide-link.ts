import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { MemberFrozen } from '#flows/kit/member-frozen.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { moveHoldings } from '#modules/ledger/store.ts'
import { isFrozen } from '#modules/members/freezes.ts'
import { listUnasked, lockLinks, setConfirmed, setRefused, setUndecided } from '#modules/members/links.ts'
import type { LinkId } from '#modules/members/types.ts'

interface DecideCommand {
  memberId: string
  linkId: string
  decision: 'confirm' | 'refuse'
}

// `suspended`: the operator has closed it, and what the member says waits until it is open again.
type DecideOutcome = { kind: 'decided' } | { kind: 'refused'; reason: 'not_found' | 'suspended' }

export type DecideLink = (command: DecideCommand) => Promise<DecideOutcome>

// The member's decision about a partner's link. Either way the link's holdings become the member's. Confirmed, the
// partner sees them with the rest. Refused, the partner sees nothing, and its hash keys and sessions are dead. The
// link's lock waits for credits under way (holder_now); later ones find the decision.
export function createDecideLink(database: Database): DecideLink {
  return (command) => retryDeadlocked(() => database.withTransaction((tx) => decide(tx, command)))
}

async function decide(tx: Tx, { memberId, linkId, decision }: DecideCommand): Promise<DecideOutcome> {
  const links = await lockLinks(tx, memberId)
  const link = links.find(({ id }) => id === linkId)
  if (!link) return { kind: 'refused', reason: 'not_found' }
  if (await isFrozen(tx, memberId)) throw new MemberFrozen()
  if (link.status === 'suspended') return { kind: 'refused', reason: 'suspended' }
  const unasked = await listUnasked(tx, memberId)
  const confirmed = link.status === 'active' && link.confirmed && !unasked.includes(link.id)
  if (decision === 'refuse' ? link.status === 'refused' : confirmed) return { kind: 'decided' }
  await returnToUndecided(
    tx,
    memberId,
    unasked.filter((id) => id !== link.id),
  )
  await (decision === 'confirm' ? setConfirmed : setRefused)(tx, link.id)
  await moveHoldings(tx, link.id, memberId, newId<'join'>())
  await insertAuditEntry(tx, { actor: 'member', action: `user.${decision}`, subject: link.id })
  return { kind: 'decided' }
}

// The link that created its member was confirmed without asking. When the member signs up or decides on a link for the
// first time, it becomes undecided like any other. All that the member holds came through it, so it goes back to the link.
export async function returnToUndecided(tx: Tx, memberId: string, unasked: readonly LinkId[]): Promise<void> {
  for (const link of unasked) {
    await setUndecided(tx, link)
    await moveHoldings(tx, memberId, link, newId<'join'>())
  }
}
