import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import type { Guard } from '#flows/guesses/guard-guesses.ts'
import type { AccountHolderProvider, PayoutAccount } from '#providers/account-holder/port.ts'
import { tooMany } from './access.ts'

export interface PayoutDeps extends Pick<HttpDeps, 'log'> {
  // Called outside any transaction.
  accountHolder: Pick<AccountHolderProvider, 'check'>
  guard: Guard
}

// Won are paid only to the member's own accounts. The bank is asked here, before the flow, so that no transaction
// waits for it. Mismatches are limited by the day. An account that does not exist gets the same answer as another
// person's, so the answer does not reveal who owns an account.
export async function checkPayoutAccount(
  { accountHolder, guard, log }: PayoutDeps,
  who: { accountId: string; address: string | undefined; requestId: string },
  destination: PayoutAccount,
): Promise<void> {
  const outcome = await guard.attempt(
    'payout_account',
    { account: who.accountId, address: who.address },
    () => accountHolder.check(destination),
    // An outage of the look-up is no mismatch, so it does not count.
    ({ kind }) => kind === 'differs' || kind === 'absent',
  )
  if (outcome.kind === 'matches') return
  if (outcome.kind === 'limited') throw tooMany(outcome)
  log.info('payout account refused', { requestId: who.requestId, reason: outcome.kind })
  throw new ApiError(outcome.kind === 'unavailable' ? 'service_unavailable' : 'account_holder_differs')
}
