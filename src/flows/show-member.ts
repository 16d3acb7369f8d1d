import type { Database, Db } from '#base/db.ts'
import { isUuid } from '#base/ids.ts'
import { Refused } from '#flows/refused.ts'
import type { VaultDeps } from '#flows/with-vault.ts'
import { findAccount, findAccountByLogin, listMemberConsents, lockAccount } from '#modules/accounts/store.ts'
import type { Account, AccountDetails } from '#modules/accounts/types.ts'
import { insertAuditEntry, listAuditEntries } from '#modules/audit/store.ts'
import { listLinks } from '#modules/members/people.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { endOwnSessions, listSessions } from '#modules/web-view/sessions.ts'

async function named(db: Db, loginId: string): Promise<Account> {
  // A member who logs in by phone has no login id: the account's own id names everyone.
  const account = isUuid(loginId) ? await findAccount(db, loginId) : await findAccountByLogin(db, loginId)
  if (!account) throw new Refused(`there is no member with the id ${loginId}`)
  return account
}

// What an operator sees of a member: masked, or, with a reason that goes into the audit log, whole.
export function showMember(
  { database, keys }: VaultDeps,
  { loginId, revealReason, actor }: { loginId: string; revealReason: string | undefined; actor: string },
) {
  return database.withTransaction(async (tx) => {
    const account = await named(tx, loginId)
    if (revealReason !== undefined) {
      // Before anything is shown: whoever reads it has left a trace.
      const details = { reason: revealReason }
      await insertAuditEntry(tx, { actor, action: 'member.reveal', subject: account.id, details })
    }
    const sealed = account.details
    const place = { table: 'member_account', column: 'details', row: account.id }
    const details = sealed && (JSON.parse(keys.vault().open(place, sealed)) as AccountDetails)
    return {
      account,
      // Null once it was erased, five years after the closing.
      details: details && (revealReason === undefined ? maskDetails(details) : details),
      links: await listLinks(tx, account.memberId),
      sessions: await listSessions(tx, { accountId: account.id, memberId: account.memberId }),
      consents: await listMemberConsents(tx, account.id),
      changes: await listAuditEntries(tx, account.id),
    }
  })
}

// For a member who has lost a phone and asks for help. Returns how many sessions there were.
export function endMemberSessions(
  database: Database,
  { loginId, reason, actor }: { loginId: string; reason: string; actor: string },
): Promise<number> {
  return database.withTransaction(async (tx) => {
    const { id } = await named(tx, loginId)
    const account = await lockAccount(tx, id)
    if (!account) throw new Refused('the account is closed: nobody is signed in')
    const ended = await endOwnSessions(tx, { accountId: id, memberId: account.memberId })
    const details = { reason, sessions: ended }
    await insertAuditEntry(tx, { actor, action: 'member.end_sessions', subject: id, details })
    return ended
  })
}
