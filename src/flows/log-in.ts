import type { Lane } from '#base/lane.ts'
import type { Metrics } from '#base/metrics.ts'
import type { Guard, Limited } from '#flows/guard-guesses.ts'
import { type Browser, type Opened, openMemberSession } from '#flows/open-session.ts'
import { type VaultDeps, withVault } from '#flows/with-vault.ts'
import { writeDeviceNotice } from '#flows/write-notices.ts'
import type { Passwords } from '#modules/accounts/password.ts'
import { isLoginId } from '#modules/accounts/rules.ts'
import { findAccountByLogin, holdAccount } from '#modules/accounts/store.ts'

interface LoginCommand {
  loginId: string
  password: string
  browser: Browser
}

type LoginOutcome = Opened | { kind: 'refused' } | Limited

export type LogIn = (command: LoginCommand) => Promise<LoginOutcome>

export interface LoginDeps extends VaultDeps {
  passwords: Passwords
  guard: Guard
  metrics: Metrics
  lane: Lane
}

const REFUSED = { kind: 'refused' } as const

export function createLogIn(deps: LoginDeps): LogIn {
  return async (command) => {
    const { loginId, browser } = command
    const outcome = await deps.guard.attempt<Opened | typeof REFUSED>(
      'login',
      { account: loginId, address: browser.address },
      () => logIn(deps, command),
      ({ kind }) => kind === 'refused',
    )
    deps.metrics.logins.inc({ outcome: outcome.kind })
    return outcome
  }
}

async function logIn(
  deps: LoginDeps,
  { loginId, password, browser }: LoginCommand,
): Promise<Opened | typeof REFUSED> {
  const { database, passwords, lane } = deps
  // What cannot be an id is not looked for, and takes as long.
  const account = isLoginId(loginId)
    ? await lane('log in', () => findAccountByLogin(database.db, loginId))
    : undefined
  // Also for an id that nobody has, so that both take the same time.
  const right = await passwords.verify(password, account?.password ?? null)
  if (!right || !account) return REFUSED
  return lane('log in', () =>
    withVault(deps, async (tx, vault) => {
      const held = await holdAccount(tx, account.id)
      // Changed or closed while it was being checked.
      if (held?.password !== account.password) return REFUSED
      const opened = await openMemberSession(tx, held.id, browser, { verified: false })
      if (opened.isNewDevice && !(await writeDeviceNotice(tx, vault, held, browser.deviceLabel)))
        deps.metrics.noticesLeftOut.inc()
      return opened
    }),
  )
}
