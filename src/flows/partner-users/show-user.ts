import type { Vault } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { refused, withOutcome } from '#flows/kit/outcome.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { findNamedUser, type UserName } from '#flows/partner-users/named-user.ts'
import { insertAuditEntry, listAuditEntries } from '#modules/audit/store.ts'
import { listFormerDetails } from '#modules/members/former-details.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { findTraced, listTraces, traceIndex, tracePlace } from '#modules/members/signup-traces.ts'
import { countLinks, listConsents } from '#modules/members/store.ts'
import type { Details } from '#modules/members/types.ts'
import { findPartner } from '#modules/partners/store.ts'

// What an operator sees of a partner's user: masked or, with a reason that goes into the audit log, whole.
export function showUser(
  database: Database,
  vault: Vault,
  command: UserName & { revealReason: string | undefined; actor: string },
) {
  const { revealReason, actor } = command
  return withOutcome(database, async (tx) => {
    const named = await findNamedUser(tx, command)
    if (named.kind === 'refused') return named
    const { user } = named
    const sealedIn = { table: 'partner_user', column: 'details', row: user.id }
    const open = (sealed: Buffer) => {
      const details = JSON.parse(vault.open(sealedIn, sealed)) as Details
      return revealReason === undefined ? maskDetails(details) : details
    }
    if (revealReason !== undefined) {
      // Written before anything is shown, so that no read goes unrecorded.
      await insertAuditEntry(tx, {
        actor,
        action: 'user.reveal',
        subject: user.id,
        details: { reason: revealReason },
      })
    }
    return {
      kind: 'done' as const,
      user,
      details: open(user.details),
      links: await countLinks(tx, user.memberId),
      consents: await listConsents(tx, user.id),
      changes: await listAuditEntries(tx, vault, user.id),
      traces: (await listTraces(tx, user.id)).map(({ id, traceNo, at }) => ({
        id,
        traceNo: vault.open(tracePlace(id), traceNo),
        at,
      })),
      // Sealed where they were: each is opened as the link's own.
      former: (await listFormerDetails(tx, user.id)).map(({ details, ...when }) => ({
        ...open(details),
        ...when,
      })),
    }
  })
}

// The users that a partner signed up under this trace number.
export async function findByTrace(
  { database, keys }: VaultDeps,
  { partner, traceNo }: { partner: string; traceNo: string },
) {
  const found = await findPartner(database.db, partner)
  if (!found) return refused('partner_not_found', { partner })
  const { current, next } = keys.vault().indexes(...traceIndex(found.id, traceNo))
  const users = await findTraced(database.db, next ? [current, next] : [current])
  return { kind: 'done' as const, users }
}
