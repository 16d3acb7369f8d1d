import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { writeNotice } from '#flows/deliveries/write-notices.ts'
import { MemberFrozen } from '#flows/kit/member-frozen.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import type { WithdrawalMetrics } from '#flows/withdrawals/metrics.ts'
import { type ShownWithdrawal, showWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { findAccount, holdAccount } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import {
  findHouseAccount,
  lockBalances,
  openHolding,
  postTransfers,
  readHolding,
} from '#modules/ledger/store.ts'
import { bankName } from '#modules/withdrawals/banks.ts'
import { maskAccount, PAYOUT_WAIT_HOURS, REQUESTS_A_DAY } from '#modules/withdrawals/rules.ts'
import { newStopCode } from '#modules/withdrawals/stop-code.ts'
import {
  findRequest,
  findWithdrawal,
  insertWithdrawal,
  listPaidTo,
  openDestination,
  sealDestination,
} from '#modules/withdrawals/store.ts'
import type { Destination, Withdrawal, WithdrawalId } from '#modules/withdrawals/types.ts'

export interface WithdrawalCommand {
  holderId: string
  accountId: string
  // The caller's: the same again is the same withdrawal.
  requestId: string
  amount: bigint
  destination: Destination
  deviceLabel: string
}

// The first that applies. gone: the account was closed in the meantime.
export type WithdrawalRefusal = 'gone' | 'conflict' | 'stopped' | 'insufficient' | 'too_many'
type WithdrawalOutcome =
  | { kind: 'requested' | 'again'; withdrawal: ShownWithdrawal }
  | { kind: 'refused'; reason: WithdrawalRefusal }

export type RequestWithdrawal = (command: WithdrawalCommand) => Promise<WithdrawalOutcome>

type Deps = VaultDeps & { metrics: WithdrawalMetrics }

const refused = (reason: WithdrawalRefusal) => ({ kind: 'refused', reason }) as const

// Won leave the holder's deposit at once, so that they cannot be spent twice, and wait to be paid. Killed before the commit,
// nothing was done; after it, the same request gets the same answer.
export function createRequestWithdrawal({ metrics, ...deps }: Deps): RequestWithdrawal {
  return async (command) => {
    const outcome = await withVault(deps, (tx, vault) => request(tx, vault, command))
    metrics.withdrawals.inc({ outcome: outcome.kind === 'refused' ? outcome.reason : outcome.kind })
    return outcome
  }
}

// Locks the member account first: a stop waits for this, or this sees the stop. Then the ledger accounts in id order:
// requests of one holder queue up, so a repeated one sees the first.
async function request(tx: Tx, vault: Vault, command: WithdrawalCommand): Promise<WithdrawalOutcome> {
  const { holderId, requestId, amount, destination } = command
  const account = await holdAccount(tx, command.accountId)
  if (!account) return refused('gone')
  if (account.frozen) throw new MemberFrozen()
  const deposit = await openHolding(tx, holderId, 'KRW')
  const waiting = await findHouseAccount(tx, 'withdrawals', 'KRW')
  const balances = await lockBalances(tx, [deposit, waiting])
  const before = await findRequest(tx, holderId, requestId)
  if (before) {
    return isSame(vault, before, command)
      ? { kind: 'again', withdrawal: showWithdrawal(vault, before) }
      : refused('conflict')
  }
  const recent = await readRecent(tx, account.id, holderId)
  const reason = refusalOf(account, { balance: balances.get(deposit)!, amount, requests: recent.requests })
  if (reason) return refused(reason)
  const known = await findPaidBefore(tx, vault, command)
  const id: WithdrawalId = newId<'withdrawal'>()
  const stop = newStopCode()
  await insertWithdrawal(tx, {
    id,
    holderId,
    requestId,
    amount,
    bank: destination.bank,
    destination: sealDestination(vault, id, destination),
    sameAccountAs: known?.id ?? null,
    waitHours: known && !recent.changed ? 0 : PAYOUT_WAIT_HOURS,
    stopHash: stop.hash,
  })
  const transfer = { groupId: id, cardId: null, debit: deposit, credit: waiting, amount }
  await postTransfers(tx, 'withdraw', [transfer])
  const withdrawal = (await findWithdrawal(tx, id))!
  await tell(tx, vault, account, { command, withdrawal, isNew: known === undefined, code: stop.code })
  return { kind: 'requested', withdrawal: showWithdrawal(vault, withdrawal) }
}

function refusalOf(
  account: Account,
  { balance, amount, requests }: { balance: bigint; amount: bigint; requests: number },
): WithdrawalRefusal | undefined {
  if (account.withdrawalsStopped) return 'stopped'
  if (balance < amount) return 'insufficient'
  return requests >= REQUESTS_A_DAY ? 'too_many' : undefined
}

export type PrecheckWithdrawal = (command: WithdrawalCommand) => Promise<WithdrawalRefusal | undefined>

// By a plain read, before the bank is asked, which costs: what a new request would be refused for anyway. The transaction
// decides again.
export function createPrecheckWithdrawal({ metrics, database: { db } }: Deps): PrecheckWithdrawal {
  return async ({ accountId, holderId, amount }) => {
    const account = await findAccount(db, accountId)
    const balance = await readHolding(db, holderId, 'KRW')
    const { requests } = await readRecent(db, accountId, holderId)
    const isOpen = account && !account.closedAt
    if (account?.frozen) throw new MemberFrozen()
    const reason = isOpen ? refusalOf(account, { balance, amount, requests }) : 'gone'
    if (reason) metrics.withdrawals.inc({ outcome: reason })
    return reason
  }
}

// How many were asked for within a day, and whether the password or the phone was changed within the wait: who changed
// it may not be the member.
async function readRecent(
  db: Db,
  accountId: string,
  holderId: string,
): Promise<{ requests: number; changed: boolean }> {
  const { rows } = await sql<{ requests: bigint; changed: boolean }>`
    select (select count(*) from withdrawal
             where holder_id = ${holderId} and requested_at > service_now() - interval '1 day') as requests,
           exists (select from member_account
                    where id = ${accountId}
                      and password_changed_at > service_now() - make_interval(hours => ${PAYOUT_WAIT_HOURS}))
           or exists (select from notice
                       where account_id = ${accountId} and purpose = 'phone'
                         and created_at > service_now() - make_interval(hours => ${PAYOUT_WAIT_HOURS})) as changed`.execute(
    db,
  )
  return { requests: Number(rows[0]!.requests), changed: rows[0]!.changed }
}

// A member has few of them: each is opened and compared, so that no hash of an account number needs to be kept.
async function findPaidBefore(
  tx: Tx,
  vault: Vault,
  { holderId, destination }: WithdrawalCommand,
): Promise<Withdrawal | undefined> {
  const paid = await listPaidTo(tx, holderId, destination.bank)
  return paid.find((one) => openDestination(vault, one)?.account === destination.account)
}

interface Told {
  command: WithdrawalCommand
  withdrawal: Withdrawal
  isNew: boolean
  code: string
}

function tell(tx: Tx, vault: Vault, account: Account, { command, withdrawal, isNew, code }: Told) {
  const { amount, destination, deviceLabel } = command
  const { id, waits, payableAfter } = withdrawal
  return writeNotice(tx, vault, account, {
    purpose: isNew ? 'payout_account' : 'withdrawal',
    actId: id,
    values: {
      device: deviceLabel,
      amount: amount.toString(),
      bank: bankName(destination.bank, account.language),
      account: maskAccount(destination.account),
      stopCode: code,
      ...(waits ? { waitsUntil: payableAfter.toString() } : {}),
    },
  })
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
