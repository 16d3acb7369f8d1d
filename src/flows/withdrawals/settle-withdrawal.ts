import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database, Tx } from '#base/db/db.ts'
import type { Origin } from '#base/origin.ts'
import { MemberFrozen } from '#flows/kit/member-frozen.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { type ShownWithdrawal, showWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { compareOrigins, originText, toldApartBy } from '#modules/approvals/rules.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findHouseAccount, openHolding, postTransfers } from '#modules/ledger/store.ts'
import { isFrozen } from '#modules/members/freezes.ts'
import { decideAct } from '#modules/withdrawals/rules.ts'
import { findWithdrawal, lockWithdrawal, markApproved, markSettled } from '#modules/withdrawals/store.ts'
import type { SettleRefusal, Withdrawal } from '#modules/withdrawals/types.ts'

export type SettleOutcome =
  | { kind: 'done'; withdrawal: Withdrawal }
  | { kind: 'refused'; reason: SettleRefusal; payableAfter?: Temporal.Instant }

export interface SettleCommand {
  id: string
  act: 'approve' | 'pay' | 'refuse'
  actor: string
  // What the machine knows about that person.
  origin?: Origin
  reason: string
  // Who refuses says that the bank has not sent it.
  notSent?: boolean
}

// The operator's side: one person approves, another pays, either refuses. The withdrawal's lock decides every race;
// then come the accounts, in id order. People tell the bank; `pay` records that it has paid.
export function settleWithdrawal(database: Database, command: SettleCommand): Promise<SettleOutcome> {
  return retryDeadlocked(() => database.withTransaction((tx) => settleOne(tx, command)))
}

async function settleOne(tx: Tx, command: SettleCommand): Promise<SettleOutcome> {
  const { id, act, actor, origin, reason, notSent } = command
  const withdrawal = await lockWithdrawal(tx, id)
  const { kind: compared } = compareOrigins(withdrawal?.approvedOrigin ?? null, origin ?? null)
  const decision = decideAct(withdrawal, act, actor, compared === 'same')
  if (decision.kind === 'refused' && withdrawal) return { ...decision, payableAfter: withdrawal.payableAfter }
  if (decision.kind === 'refused' || !withdrawal) return decision as SettleOutcome
  // Under the withdrawal's lock, which a freeze takes too. Refused, the won stay with the member.
  // Approved, they may have left: it could not be booked while the member is frozen.
  const mayHaveLeft = act === 'refuse' && withdrawal.status === 'approved' && !notSent
  if ((act !== 'refuse' || mayHaveLeft) && (await isFrozen(tx, withdrawal.holderId)))
    return { kind: 'refused', reason: mayHaveLeft ? 'may_have_left' : 'frozen' }
  if (act === 'approve') await markApproved(tx, withdrawal.id, { actor, origin })
  else await settle(tx, withdrawal, act, { by: actor, origin, reason })
  await insertAuditEntry(tx, {
    actor,
    action: `withdrawal.${act}`,
    subject: withdrawal.id,
    details: {
      reason,
      seen: originText(origin),
      ...(notSent ? { notSent } : {}),
      ...(act === 'pay' ? { toldApartBy: toldApartBy(withdrawal.approvedOrigin, origin) } : {}),
    },
  })
  return { kind: 'done', withdrawal: (await findWithdrawal(tx, id))! }
}

// A payment goes to the bank account. A refusal or a cancellation goes back to the holder, who is always a member.
export async function settle(
  tx: Tx,
  withdrawal: Withdrawal,
  act: 'pay' | 'refuse' | 'cancel',
  settled: { by: string; origin?: Origin | undefined; reason: string | null },
): Promise<void> {
  const { id, holderId, amount } = withdrawal
  const debit = await findHouseAccount(tx, 'withdrawals', 'KRW')
  const isPaid = act === 'pay'
  const credit = isPaid ? await findHouseAccount(tx, 'bank', 'KRW') : await openHolding(tx, holderId, 'KRW')
  const transfer = { groupId: id, cardId: null, debit, credit, amount }
  await postTransfers(tx, isPaid ? 'withdraw_paid' : 'withdraw_back', [transfer])
  const status = isPaid ? 'paid' : act === 'refuse' ? 'refused' : 'cancelled'
  await markSettled(tx, id, { status, ...settled })
}

interface CancelCommand {
  id: string
  holderId: string
}

type CancelOutcome =
  | { kind: 'done'; withdrawal: ShownWithdrawal }
  | { kind: 'refused'; reason: SettleRefusal }

export type CancelWithdrawal = (command: CancelCommand) => Promise<CancelOutcome>

// The member takes a request back. Asked again, it is the same success: the first answer may have been lost.
export function createCancelWithdrawal({ database, keys }: CancelDeps): CancelWithdrawal {
  return async (command) => {
    const outcome = await retryDeadlocked(() => database.withTransaction((tx) => cancel(tx, command)))
    if (outcome.kind === 'refused') return outcome
    return { kind: 'done', withdrawal: showWithdrawal(keys.vault(), outcome.withdrawal) }
  }
}

interface CancelDeps {
  database: Database
  keys: VaultKeeper
}

async function cancel(tx: Tx, { id, holderId }: CancelCommand): Promise<SettleOutcome> {
  const found = await lockWithdrawal(tx, id)
  const mine = found && found.holderId === holderId ? found : undefined
  if (mine && (await isFrozen(tx, holderId))) throw new MemberFrozen()
  if (mine?.status === 'cancelled') return { kind: 'done', withdrawal: mine }
  const decision = decideAct(mine, 'cancel', 'member')
  if (decision.kind === 'refused' || !mine) return decision as SettleOutcome
  await settle(tx, mine, 'cancel', { by: 'member', reason: null })
  return { kind: 'done', withdrawal: (await findWithdrawal(tx, id))! }
}
