import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { removedPasskeys, writeNotice } from '#flows/deliveries/write-notices.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import type { WithdrawalMetrics } from '#flows/withdrawals/metrics.ts'
import { settle } from '#flows/withdrawals/settle-withdrawal.ts'
import { type ShownWithdrawal, showWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { findOpenAccount, lockAccount, stopWithdrawals } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { deletePasskeys } from '#modules/passkeys/store.ts'
import { forgetDevices, forgetLinkDevices } from '#modules/sessions/devices.ts'
import { endOwnSessions } from '#modules/sessions/store.ts'
import { bankName } from '#modules/withdrawals/banks.ts'
import { canStop, decideAct } from '#modules/withdrawals/rules.ts'
import { hashOfStopCode } from '#modules/withdrawals/stop-code.ts'
import { findStoppable, lockOpenWithdrawals, markStopAsked } from '#modules/withdrawals/store.ts'
import type { Stoppable, Withdrawal } from '#modules/withdrawals/types.ts'

// open: a stop would cancel it. on_its_way: approved, and the bank may know of it. stopped: by its member, from a
// notice. paid, ended (taken back or refused): nothing is left to stop.
type StopState = 'open' | 'on_its_way' | 'stopped' | 'paid' | 'ended'

type StopOutcome =
  | { kind: 'found'; state: StopState; canStop: boolean; others: number; withdrawal: ShownWithdrawal }
  | { kind: 'unknown' }
  | Limited

// With the code from a notice. Looking changes nothing; a stop that is asked for again finds what the first one did.
export interface StopWithdrawal {
  look(command: StopCommand): Promise<StopOutcome>
  stop(command: StopCommand): Promise<StopOutcome>
}

interface StopCommand {
  // As it came: anything at all.
  code: string
  address: string | undefined
}

type Deps = VaultDeps & { guard: Guard; queue: WorkQueue; log: Log; metrics: WithdrawalMetrics }

const UNKNOWN = { kind: 'unknown' } as const

// There is no session here: the thief may have changed the password. The code proves whose phone it is.
export function createStopWithdrawal(deps: Deps): StopWithdrawal {
  const guarded = ({ code, address }: StopCommand, work: (stopHash: Buffer) => Promise<StopOutcome>) =>
    deps.guard.attempt<StopOutcome>(
      'stop',
      { account: undefined, address },
      async () => {
        const stopHash = hashOfStopCode(code)
        return stopHash ? deps.queue('stop', () => work(stopHash)) : UNKNOWN
      },
      ({ kind }) => kind === 'unknown',
    )
  return {
    look: (command) =>
      guarded(command, async (stopHash) =>
        show(deps.keys.vault(), await findStoppable(deps.database.db, stopHash)),
      ),
    stop: (command) =>
      guarded(command, async (stopHash) => {
        const { outcome, acted } = await withVault(deps, (tx, vault) => stop(tx, vault, stopHash))
        if (acted && outcome.kind === 'found') {
          deps.metrics.withdrawals.inc({ outcome: outcome.state === 'stopped' ? 'stopped' : 'stop_too_late' })
          deps.log.warn('a member stopped a withdrawal', {
            code: outcome.withdrawal.id,
            reason: outcome.state,
          })
        }
        return outcome
      }),
  }
}

function show(vault: Vault, found: Stoppable | undefined): StopOutcome {
  if (!found) return UNKNOWN
  const { withdrawal, others } = found
  const state = stateOf(withdrawal)
  return {
    kind: 'found',
    state,
    canStop: canStop(found),
    others,
    withdrawal: showWithdrawal(vault, withdrawal),
  }
}

function stateOf(withdrawal: Withdrawal): StopState {
  if (decideAct(withdrawal, 'stop').kind === 'allowed') return 'open'
  if (withdrawal.status === 'approved') return 'on_its_way'
  if (withdrawal.status === 'paid') return 'paid'
  return withdrawal.stopAskedAt ? 'stopped' : 'ended'
}

// Locks: the member's account, then the withdrawals, then the ledger's accounts, as everywhere. Killed before the commit,
// nothing was done; after it, the same code finds it done.
async function stop(
  tx: Tx,
  vault: Vault,
  stopHash: Buffer,
): Promise<{ outcome: StopOutcome; acted: boolean }> {
  const named = await findStoppable(tx, stopHash)
  const owner = named && (await findOpenAccount(tx, named.withdrawal.holderId))
  const account = owner && (await lockAccount(tx, owner.id))
  // An account is closed only when nothing waits to be paid.
  if (!account) return { outcome: show(vault, named), acted: false }
  const open = await lockOpenWithdrawals(tx, account.memberId)
  const found = (await findStoppable(tx, stopHash))!
  if (!canStop(found)) return { outcome: show(vault, found), acted: false }
  const { withdrawal } = found
  await secure(tx, vault, account, open.find(({ id }) => id === withdrawal.id) ?? open[0] ?? withdrawal)
  // A thief who asked for this one may have asked for others. One that has ended is only marked: its code was used.
  await markStopAsked(tx, withdrawal.id)
  for (const one of open) await stopOne(tx, one)
  return { outcome: show(vault, await findStoppable(tx, stopHash)), acted: true }
}

async function stopOne(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const { id } = withdrawal
  await markStopAsked(tx, id)
  const decision = decideAct(withdrawal, 'stop')
  if (decision.kind === 'allowed') await settle(tx, withdrawal, 'cancel', { by: 'member', reason: 'stopped' })
  const details = { cancelled: decision.kind === 'allowed' }
  await insertAuditEntry(tx, { actor: 'member', action: 'withdrawal.stop', subject: id, details })
}

// Ends all sessions, all trust in browsers and all passkeys. Nothing more leaves until identity is verified again.
async function secure(tx: Tx, vault: Vault, account: Account, withdrawal: Withdrawal): Promise<void> {
  await stopWithdrawals(tx, account.id)
  await endOwnSessions(tx, { accountId: account.id, memberId: account.memberId })
  await forgetDevices(tx, account.id)
  await forgetLinkDevices(tx, account.memberId)
  const passkeys = await deletePasskeys(tx, account.id)
  await insertAuditEntry(tx, {
    actor: 'member',
    action: 'member.stop',
    subject: account.id,
    details: { passkeysRemoved: passkeys },
  })
  const { id, amount, bank, account: masked } = showWithdrawal(vault, withdrawal)
  await writeNotice(tx, vault, account, {
    purpose: 'stopped',
    actId: id,
    values: {
      amount: amount.toString(),
      bank: bankName(bank, account.language),
      account: masked,
      ...removedPasskeys(passkeys),
    },
  })
}
