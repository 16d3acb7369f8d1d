import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
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

type RevealOutcome = { kind: 'done'; destination: Destination | undefined } | Refusal<'withdrawal_not_found'>

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
