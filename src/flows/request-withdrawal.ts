import type { Tx } from '#base/db.ts'
import { newId } from '#base/ids.ts'
import type { Metrics } from '#base/metrics.ts'
import type { Vault } from '#base/vault.ts'
import { type ShownWithdrawal, showWithdrawal } from '#flows/show-withdrawals.ts'
import { type VaultDeps, withVault } from '#flows/with-vault.ts'
import { findHouseAccount, lockBalances, openHolding, postTransfers } from '#modules/ledger/store.ts'
import {
  findRequest,
  findWithdrawal,
  insertWithdrawal,
  openDestination,
  sealDestination,
} from '#modules/withdrawals/store.ts'
import type { Destination, Withdrawal, WithdrawalId } from '#modules/withdrawals/types.ts'

export interface WithdrawalCommand {
  holderId: string
  // The caller's: the same again is the same withdrawal.
  requestId: string
  amount: bigint
  destination: Destination
}

// The first that applies.
type WithdrawalOutcome =
  | { kind: 'requested' | 'again'; withdrawal: ShownWithdrawal }
  | { kind: 'refused'; reason: 'conflict' | 'insufficient' }

export type RequestWithdrawal = (command: WithdrawalCommand) => Promise<WithdrawalOutcome>

type Deps = VaultDeps & { metrics: Metrics }

// Won leave the holder's deposit at once, so that they cannot be spent twice, and wait to be paid. Killed before the commit,
// nothing was done; after it, the same request gets the same answer.
export function createRequestWithdrawal({ metrics, ...deps }: Deps): RequestWithdrawal {
  return async (command) => {
    const outcome = await withVault(deps, (tx, vault) => request(tx, vault, command))
    metrics.withdrawals.inc({ outcome: outcome.kind === 'refused' ? outcome.reason : outcome.kind })
    return outcome
  }
}

// The accounts are locked first, in id order: requests of one holder take turns, so a repeated one sees the first.
async function request(tx: Tx, vault: Vault, command: WithdrawalCommand): Promise<WithdrawalOutcome> {
  const { holderId, requestId, amount, destination } = command
  const deposit = await openHolding(tx, holderId, 'KRW')
  const waiting = await findHouseAccount(tx, 'withdrawals', 'KRW')
  const balances = await lockBalances(tx, [deposit, waiting])
  const before = await findRequest(tx, holderId, requestId)
  if (before) {
    return isSame(vault, before, command)
      ? { kind: 'again', withdrawal: showWithdrawal(vault, before) }
      : { kind: 'refused', reason: 'conflict' }
  }
  if (balances.get(deposit)! < amount) return { kind: 'refused', reason: 'insufficient' }
  const id: WithdrawalId = newId<'withdrawal'>()
  const sealed = sealDestination(vault, id, destination)
  await insertWithdrawal(tx, { id, holderId, requestId, amount, bank: destination.bank, destination: sealed })
  const transfer = { groupId: id, cardId: null, debit: deposit, credit: waiting, amount }
  await postTransfers(tx, 'withdraw', [transfer])
  const withdrawal = showWithdrawal(vault, (await findWithdrawal(tx, id))!)
  return { kind: 'requested', withdrawal }
}

// The holder's name is not compared: it is the service's own word, and may be written otherwise by now.
export function isSame(
  vault: Vault,
  before: Withdrawal,
  { amount, destination }: WithdrawalCommand,
): boolean {
  const known = openDestination(vault, before)
  return (
    before.amount === amount &&
    before.bank === destination.bank &&
    (known === undefined || known.account === destination.account)
  )
}
