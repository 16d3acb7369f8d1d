import type { SettleRefusal, Stoppable, Withdrawal, WithdrawalAct, WithdrawalStatus } from './types.ts'

// The states that each act starts from and leads to. A member can take a request back only before it is approved:
// after that the bank may know of it.
const ACTS: Record<WithdrawalAct, { from: readonly WithdrawalStatus[]; to: WithdrawalStatus }> = {
  approve: { from: ['requested'], to: 'approved' },
  pay: { from: ['approved'], to: 'paid' },
  refuse: { from: ['requested', 'approved'], to: 'refused' },
  cancel: { from: ['requested'], to: 'cancelled' },
  // Approved: only while it waits. After that the bank may have been told.
  stop: { from: ['requested', 'approved'], to: 'cancelled' },
}

export function decideAct(
  withdrawal: Pick<Withdrawal, 'status' | 'waits'> | undefined,
  act: WithdrawalAct,
  // What stands against this person, or against any payout at this moment.
  refusal?: SettleRefusal,
): { kind: 'allowed'; to: WithdrawalStatus } | { kind: 'refused'; reason: SettleRefusal } {
  if (!withdrawal) return { kind: 'refused', reason: 'not_found' }
  const { from, to } = ACTS[act]
  if (!from.includes(withdrawal.status)) return { kind: 'refused', reason: withdrawal.status }
  if (refusal) return { kind: 'refused', reason: refusal }
  if (act === 'pay' && withdrawal.waits) return { kind: 'refused', reason: 'waits' }
  if (act === 'stop' && withdrawal.status === 'approved' && !withdrawal.waits)
    return { kind: 'refused', reason: 'approved' }
  return { kind: 'allowed', to }
}

// The link in the member's text works once: while the withdrawal is open, and for some days even after it ended. Otherwise
// a thief could cancel this withdrawal, request another one, and so disarm the link.
export function canStop({ withdrawal, secures }: Pick<Stoppable, 'withdrawal' | 'secures'>): boolean {
  if (withdrawal.stopAskedAt) return false
  return withdrawal.status === 'requested' || withdrawal.status === 'approved' || secures
}

// For so many days after the request the link secures the account, even if the withdrawal has ended.
export const STOP_DAYS = 7

// How long a payout waits to an account that nothing was paid to before, or after the password or the phone was changed.
// The database holds every withdrawal to the same time (withdrawal_wait_check).
export const PAYOUT_WAIT_HOURS = 24
// Each sends a text, which costs money.
export const REQUESTS_A_DAY = 20

// ····5678: enough to know one's own account by.
export function maskAccount(account: string): string {
  return `${'·'.repeat(Math.max(account.length - 4, 0))}${account.slice(-4)}`
}
