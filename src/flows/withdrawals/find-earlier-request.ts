import { confirmReplay } from '#flows/kit/confirm-replay.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { isSame, type WithdrawalCommand } from '#flows/withdrawals/request-withdrawal.ts'
import { type ShownWithdrawal, showWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { findRequest } from '#modules/withdrawals/store.ts'

export type FindEarlierRequest = (
  command: WithdrawalCommand,
) => Promise<{ kind: 'again'; withdrawal: ShownWithdrawal } | { kind: 'conflict' } | undefined>

// A withdrawal that was granted before, with the answer lost. A repeated request gets it, although a new one would
// need more proof by now. Undefined if this is a new one, as far as a plain read can tell. One transaction: the row is
// confirmed by the server that showed it, not by one that was promoted in between.
export function createFindEarlierRequest({ database, keys }: VaultDeps): FindEarlierRequest {
  return (command) =>
    database.withTransaction(async (tx) => {
      const found = await findRequest(tx, command.holderId, command.requestId)
      if (!found) return undefined
      const vault = keys.vault()
      if (!isSame(vault, found, command)) return { kind: 'conflict' }
      await confirmReplay(tx)
      return { kind: 'again', withdrawal: showWithdrawal(vault, found) }
    })
}
