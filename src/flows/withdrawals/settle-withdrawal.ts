import { assert } from '#base/assert.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { MemberFrozen } from '#flows/kit/member-frozen.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { findStaffOf, judgeFirst, judgeSecond } from '#flows/kit/two-people.ts'
import { type ShownWithdrawal, showWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { originText, toldApartBy } from '#modules/approvals/rules.ts'
import type { Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findHouseAccount, openHolding, postTransfers } from '#modules/ledger/store.ts'
import { isFrozen } from '#modules/members/freezes.ts'
import { readMarks } from '#modules/restorations/store.ts'
import { decideAct } from '#modules/withdrawals/rules.ts'
import {
  findWithdrawal,
  lockWithdrawal,
  markApproved,
  markSettled,
  type Settled,
} from '#modules/withdrawals/store.ts'
import type { SettleRefusal, Withdrawal } from '#modules/withdrawals/types.ts'

export type SettleOutcome =
  | { kind: 'done'; withdrawal: Withdrawal }
  | { kind: 'refused'; reason: SettleRefusal; payableAfter?: Temporal.Instant }

export interface SettleCommand extends Person {
  id: string
  act: 'approve' | 'pay' | 'refuse'
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
  if (!withdrawal) return { kind: 'refused', reason: 'not_found' }
  const judged = await judge(tx, withdrawal, command)
  const decision = decideAct(withdrawal, act, judged.kind === 'refused' ? judged.reason : undefined)
  if (decision.kind === 'refused') return { ...decision, payableAfter: withdrawal.payableAfter }
  assert(judged.kind !== 'refused', 'decideAct has refused it')
  // Under the withdrawal's lock, which a freeze takes too. Refused, the won stay with the member.
  // Approved, they may have left: it could not be booked while the member is frozen.
  const mayHaveLeft = act === 'refuse' && withdrawal.status === 'approved' && !notSent
  if ((act !== 'refuse' || mayHaveLeft) && (await isFrozen(tx, withdrawal.holderId)))
    return { kind: 'refused', reason: mayHaveLeft ? 'may_have_left' : 'frozen' }
  const { staffId, singlePerson } = judged
  if (act === 'approve') await markApproved(tx, withdrawal.id, { actor, origin, staffId })
  else await settle(tx, withdrawal, act, { by: actor, origin, staffId, singlePerson, reason })
  const settled = (await findWithdrawal(tx, id))!
  await insertAuditEntry(tx, {
    actor,
    action: `withdrawal.${act}`,
    subject: withdrawal.id,
    details: { reason, seen: originText(origin), ...(notSent ? { notSent } : {}), ...judged.details },
    before: { status: withdrawal.status },
    after: { status: settled.status },
  })
  return { kind: 'done', withdrawal: settled }
}

interface Judged {
  kind: 'judged'
  staffId: string | null
  singlePerson: boolean
  details: Record<string, string | boolean>
}

// Two people: who approves does not pay. Either may refuse it.
async function judge(
  tx: Tx,
  { approvedBy, approvedOrigin, approvedStaff }: Withdrawal,
  command: SettleCommand,
): Promise<Judged | Extract<SettleOutcome, { kind: 'refused' }>> {
  const alone = { kind: 'judged', singlePerson: false, details: {} } as const
  if (command.act === 'refuse') return { ...alone, staffId: await findStaffOf(tx, command) }
  // The lost time may have paid it, or taken back what it is paid from.
  if ((await readMarks(tx))?.heldUntil) return { kind: 'refused', reason: 'restore_examined' }
  if (command.act === 'approve') {
    const judged = await judgeFirst(tx, command, 'withdrawals.settle')
    return judged.kind === 'refused' ? judged : { ...alone, staffId: judged.staffId }
  }
  const approver = { actor: approvedBy, origin: approvedOrigin, staffId: approvedStaff }
  const judged = await judgeSecond(tx, approver, command, 'withdrawals.settle')
  if (judged.kind === 'refused') return judged
  const { first, second, singlePerson } = judged
  const details = singlePerson ? { singlePerson } : { toldApartBy: toldApartBy(first, second) }
  return { kind: 'judged', staffId: second.staffId, singlePerson, details }
}

// A payment goes to the bank account. A refusal or a cancellation goes back to the holder, who is always a member.
export async function settle(
  tx: Tx,
  withdrawal: Withdrawal,
  act: 'pay' | 'refuse' | 'cancel',
  settled: Settled,
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
  const decision = decideAct(mine, 'cancel')
  if (decision.kind === 'refused' || !mine) return decision as SettleOutcome
  await settle(tx, mine, 'cancel', { by: 'member', reason: null })
  return { kind: 'done', withdrawal: (await findWithdrawal(tx, id))! }
}
