import type { SettleRefusal, Withdrawal, WithdrawalAct, WithdrawalStatus } from './types.ts'

// What each act starts from, and leads to. A member takes a request back only while nobody has approved it: then the
// bank may have been told already.
const ACTS: Record<WithdrawalAct, { from: readonly WithdrawalStatus[]; to: WithdrawalStatus }> = {
  approve: { from: ['requested'], to: 'approved' },
  pay: { from: ['approved'], to: 'paid' },
  refuse: { from: ['requested', 'approved'], to: 'refused' },
  cancel: { from: ['requested'], to: 'cancelled' },
}

export function decideAct(
  withdrawal: Pick<Withdrawal, 'status' | 'approvedBy'> | undefined,
  act: WithdrawalAct,
  actor: string,
): { kind: 'allowed'; to: WithdrawalStatus } | { kind: 'refused'; reason: SettleRefusal } {
  if (!withdrawal) return { kind: 'refused', reason: 'not_found' }
  const { from, to } = ACTS[act]
  if (!from.includes(withdrawal.status)) return { kind: 'refused', reason: withdrawal.status }
  // Two people: who approves does not pay.
  if (act === 'pay' && withdrawal.approvedBy === actor) return { kind: 'refused', reason: 'same_person' }
  return { kind: 'allowed', to }
}

// ····5678: enough to know one's own account by.
export function maskAccount(account: string): string {
  return `${'·'.repeat(Math.max(account.length - 4, 0))}${account.slice(-4)}`
}
