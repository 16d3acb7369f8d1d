import type { Database } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'
import { findNamedUser, type UserName } from '#flows/named-user.ts'
import { insertAuditEntry, listAuditEntries } from '#modules/audit/store.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { countLinks, listConsents } from '#modules/members/store.ts'
import type { Details } from '#modules/members/types.ts'

// What an operator sees of a partner's user: masked, or, with a reason that goes into the audit log, whole.
export function showUser(
  database: Database,
  vault: Vault,
  command: UserName & { revealReason: string | undefined; actor: string },
) {
  const { revealReason, actor } = command
  return database.withTransaction(async (tx) => {
    const user = await findNamedUser(tx, command)
    const sealedIn = { table: 'partner_user', column: 'details', row: user.id }
    const details = JSON.parse(vault.open(sealedIn, user.details)) as Details
    if (revealReason !== undefined) {
      // Before anything is shown: whoever reads it has left a trace.
      await insertAuditEntry(tx, {
        actor,
        action: 'user.reveal',
        subject: user.id,
        details: { reason: revealReason },
      })
    }
    return {
      user,
      details: revealReason === undefined ? maskDetails(details) : details,
      links: await countLinks(tx, user.memberId),
      consents: await listConsents(tx, user.id),
      changes: await listAuditEntries(tx, user.id),
    }
  })
}
