import { withOutcome } from '#flows/kit/outcome.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { findNamedMember } from '#flows/members/named-member.ts'
import { readMemberLists } from '#flows/members/read-member.ts'
import { listMemberConsents } from '#modules/accounts/store.ts'
import type { AccountDetails } from '#modules/accounts/types.ts'
import { insertAuditEntry, listAuditEntries } from '#modules/audit/store.ts'
import { isFrozen, listFreezes } from '#modules/members/freezes.ts'
import { listLinks } from '#modules/members/links.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { countDevices } from '#modules/sessions/devices.ts'
import { listSessions } from '#modules/sessions/store.ts'

interface ShowCommand {
  // By login id, member id or account id.
  member: string
  revealReason: string | undefined
  actor: string
}

// What an operator sees of a member: masked or, with a reason that goes into the audit log, whole.
export function showMember({ database, keys }: VaultDeps, { member, revealReason, actor }: ShowCommand) {
  return withOutcome(database, async (tx) => {
    const named = await findNamedMember(tx, member)
    if (named.kind === 'refused') return named
    const { memberId, account } = named
    if (revealReason !== undefined) {
      // Written before anything is shown, so that no read goes unrecorded.
      const details = { reason: revealReason }
      const subject = account?.id ?? memberId
      await insertAuditEntry(tx, { actor, action: 'member.reveal', subject, details })
    }
    const vault = keys.vault()
    const place = account && { table: 'member_account', column: 'details', row: account.id }
    const details =
      place && account.details && (JSON.parse(vault.open(place, account.details)) as AccountDetails)
    const owner = { accountId: account?.id ?? null, memberId }
    const links = await listLinks(tx, memberId)
    const owners = [...(account ? [account.id] : []), ...links.map(({ id }) => id)]
    return {
      kind: 'done' as const,
      memberId,
      account,
      frozen: await isFrozen(tx, memberId),
      // Null after the erasure, five years after the closing, and for a person whom only partners know.
      details: details ? (revealReason === undefined ? maskDetails(details) : details) : null,
      links,
      ...(await readMemberLists(tx, vault, { memberId, accountId: owner.accountId, links })),
      sessions: await listSessions(tx, owner),
      devices: await countDevices(tx, owners),
      freezes: await listFreezes(tx, memberId),
      consents: account ? await listMemberConsents(tx, account.id) : [],
      changes: await listAuditEntries(tx, vault, memberId, ...(account ? [account.id] : [])),
    }
  })
}
