import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestEvents } from '#flows/kit/request-events.ts'
import { splitPrivate } from '#modules/audit/rules.ts'
import { insertAuditEntry, listAuditEntries } from '#modules/audit/store.ts'
import type { AuditFacts } from '#modules/audit/types.ts'
import { listNoticesOf } from '#modules/deliveries/notices/store.ts'
import { readMarks } from '#modules/restorations/store.ts'
import { maskAccount } from '#modules/withdrawals/rules.ts'
import { findWithdrawal, listWithdrawalsOf, openDestination } from '#modules/withdrawals/store.ts'
import type { Destination, Withdrawal } from '#modules/withdrawals/types.ts'

export interface ShownWithdrawal
  extends Omit<Withdrawal, 'destination' | 'approvedOrigin' | 'approvedStaff'> {
  // Masked.
  account: string
}

export function showWithdrawal(vault: Vault, withdrawal: Withdrawal): ShownWithdrawal {
  const { destination: _, approvedOrigin: _seen, approvedStaff: _who, ...rest } = withdrawal
  return { ...rest, account: maskAccount(openDestination(vault, withdrawal)?.account ?? '') }
}

const SHOWN = 100

export type ListWithdrawals = (holderId: string) => Promise<ShownWithdrawal[]>

// A member's withdrawals, newest first.
export function createListWithdrawals(deps: { database: Database; keys: VaultKeeper }): ListWithdrawals {
  const { db } = deps.database
  return async (holderId) => {
    const withdrawals = await listWithdrawalsOf(db, holderId, SHOWN)
    return withdrawals.map((withdrawal) => showWithdrawal(deps.keys.vault(), withdrawal))
  }
}

export type RevealOutcome =
  | { kind: 'done'; destination: Destination | undefined }
  | Refusal<'withdrawal_not_found'>

// The person and the account to pay. Needs a reason, which is recorded.
export function revealDestination(
  database: Database,
  vault: Vault,
  { id, reason, actor }: { id: string; reason: string; actor: string },
): Promise<RevealOutcome> {
  return withOutcome(database, async (tx) => {
    const withdrawal = await findWithdrawal(tx, id)
    if (!withdrawal) return refused('withdrawal_not_found')
    await insertAuditEntry(tx, { actor, action: 'withdrawal.reveal', subject: id, details: { reason } })
    return { kind: 'done', destination: openDestination(vault, withdrawal) }
  })
}

interface WithdrawalEvent {
  at: Temporal.Instant
  what: string
  // Null: the service.
  by: string | null
  details: Record<string, unknown>
  // The request of an API that it was.
  requestId: string | null
}

export interface WithdrawalPage {
  withdrawal: ShownWithdrawal
  // Whether this person approved it, so that another has to pay it.
  isMine(person: { actor: string; staffId: string }): boolean
  restoreExamined: boolean
  // Newest first.
  timeline: WithdrawalEvent[]
}

// One payout with all that happened to it, masked.
// withWords: with what people typed.
export async function showWithdrawalPage(
  { db }: Database,
  vault: Vault,
  { id, withWords }: { id: string; withWords: boolean },
): Promise<WithdrawalPage | undefined> {
  const withdrawal = await findWithdrawal(db, id)
  if (!withdrawal) return undefined
  const { approvedBy, approvedStaff } = withdrawal
  const changes = await listAuditEntries(db, vault, id)
  const notices = await listNoticesOf(db, id)
  const requests = await requestEvents(db, { kind: 'withdrawal', id }).read(undefined, SHOWN)
  const timeline = [
    ...ownEvents(withdrawal),
    ...changes.map(({ at, actor, action, details, words }) => ({
      at,
      what: action,
      by: actor,
      details: withWords ? { ...details, ...words } : splitPrivate(details as AuditFacts).facts,
      requestId: null,
    })),
    ...notices.map(({ at, purpose, status, reason }) => ({
      at,
      what: `notice.${purpose}`,
      by: null,
      details: { status, reason },
      requestId: null,
    })),
    ...requests.map(({ event }) => ({ ...event, requestId: event.object?.id ?? null })),
  ] as WithdrawalEvent[]
  return {
    withdrawal: { ...showWithdrawal(vault, withdrawal), ...(withWords ? {} : { reason: null }) },
    isMine: ({ actor, staffId }) =>
      approvedBy === actor || (approvedStaff !== null && approvedStaff === staffId),
    restoreExamined: ((await readMarks(db))?.heldUntil ?? null) !== null,
    timeline: timeline.sort((a, b) => Temporal.Instant.compare(b.at, a.at)),
  }
}

// What a member did leaves no audit entry.
function ownEvents({
  requestedAt,
  stopAskedAt,
  status,
  settledAt,
  settledBy,
}: Withdrawal): WithdrawalEvent[] {
  const by = 'member'
  return [
    { at: requestedAt, what: 'requested', by, details: {}, requestId: null },
    ...(stopAskedAt ? [{ at: stopAskedAt, what: 'stop_asked', by, details: {}, requestId: null }] : []),
    ...(status === 'cancelled' && settledAt
      ? [{ at: settledAt, what: 'cancelled', by: settledBy, details: {}, requestId: null }]
      : []),
  ]
}
