import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import type { QueueOptions } from '#base/queues/keyed-queue.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { writeDeviceNotice } from '#flows/deliveries/write-notices.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import type { SessionMetrics } from '#flows/sessions/metrics.ts'
import { type Browser, type Opened, openMemberSession } from '#flows/sessions/open-session.ts'
import { loginTimeout, type Passwords } from '#modules/accounts/password.ts'
import { isLoginId } from '#modules/accounts/rules.ts'
import { findAccountByLogin, holdAccount } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import { findTrustedDevice } from '#modules/sessions/devices.ts'

interface LoginCommand {
  loginId: string
  password: string
  browser: Browser
  // Aborts when the caller is gone: nothing is hashed for it then.
  hangUp: AbortSignal
}

type LoginOutcome = Opened | { kind: 'refused' } | Limited

export type LogIn = (command: LoginCommand) => Promise<LoginOutcome>

export interface LoginDeps extends VaultDeps {
  passwords: Passwords
  guard: Guard
  metrics: SessionMetrics
  queue: WorkQueue
}

const REFUSED = { kind: 'refused' } as const

export function createLogIn(deps: LoginDeps): LogIn {
  return async (command) => {
    const { loginId, browser } = command
    const device = await findKnownDevice(deps, command)
    const signal = AbortSignal.any([command.hangUp, loginTimeout()])
    const outcome = await deps.guard.attempt<Opened | typeof REFUSED>(
      'login',
      // A device that this account trusts has its own count. So guesses of strangers at the id, or behind the same
      // address, do not keep its owner out.
      device
        ? { account: `${loginId} ${device.toString('hex')}`, address: undefined }
        : { account: loginId, address: browser.address },
      () => logIn(deps, command, { first: device !== undefined, signal }),
      ({ kind }) => kind === 'refused',
      { signal },
    )
    deps.metrics.logins.inc({ outcome: outcome.kind })
    return outcome
  }
}

// The hash of the device that the browser says it is, if the account trusts that one. Read before anything is counted, and
// only for those who bring one.
async function findKnownDevice(
  { database, queue }: LoginDeps,
  { loginId, browser }: LoginCommand,
): Promise<Buffer | undefined> {
  const hashes = hashesOfTokens(browser.devices)
  if (hashes.length === 0 || !isLoginId(loginId)) return undefined
  return queue('log in', async () => {
    const account = await findAccountByLogin(database.db, loginId)
    return account && (await findTrustedDevice(database.db, account.id, hashes))
  })
}

async function logIn(
  deps: LoginDeps,
  { loginId, password, browser }: LoginCommand,
  turn: QueueOptions,
): Promise<Opened | typeof REFUSED> {
  const { database, passwords, queue } = deps
  // What cannot be an id is not looked for, and takes as long.
  const account = isLoginId(loginId)
    ? await queue('log in', () => findAccountByLogin(database.db, loginId))
    : undefined
  // Also for an unknown id, so that both take the same time.
  const right = await passwords.verify(password, account?.password ?? null, turn)
  if (!right || !account) return REFUSED
  return queue('log in', () =>
    withVault(deps, async (tx, vault) => {
      const held = await holdAccount(tx, account.id)
      // Changed or closed while it was being checked.
      if (held?.password !== account.password) return REFUSED
      return letIn(deps, tx, vault, held, browser)
    }),
  )
}

// However the account's owner has shown who they are: a session, and a notice if the browser is new. `account` is held.
export async function letIn(
  { metrics }: Pick<LoginDeps, 'metrics'>,
  tx: Tx,
  vault: Vault,
  account: Account,
  browser: Browser,
  how = { verified: false },
): Promise<Opened> {
  const opened = await openMemberSession(tx, account.id, browser, how)
  if (opened.isNewDevice && !(await writeDeviceNotice(tx, vault, account, browser.deviceLabel)))
    metrics.noticesLeftOut.inc()
  return opened
}
