import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { openStaffSession, type StaffBrowser, type StaffOpened } from '#flows/staff/open-session.ts'
import { spendCode } from '#flows/staff/second-factor.ts'
import { loginTimeout, type Passwords } from '#modules/accounts/password.ts'
import { parseEmail } from '#modules/staff/rules.ts'
import { findStaffByEmail, lockStaff } from '#modules/staff/store.ts'

export interface StaffSignInDeps extends VaultDeps {
  passwords: Passwords
  guard: Guard
  queue: WorkQueue
}

interface SignInCommand {
  email: string
  password: string
  // Of the authenticator app, or a recovery code.
  code: string
  browser: StaffBrowser
  // Aborts when the caller is gone: nothing is hashed for it then.
  hangUp: AbortSignal
}

const REFUSED = { kind: 'refused' } as const

type StaffSignInOutcome = StaffOpened | typeof REFUSED | Limited

export type StaffSignIn = (command: SignInCommand) => Promise<StaffSignInOutcome>

// How guesses at a staff member are counted, by whatever way in.
export const guessedAs = (email: string) => `staff ${email}`

// Password and code together. One refusal for all: it does not say which emails there are, nor which of the two was wrong.
export function createStaffSignIn(deps: StaffSignInDeps): StaffSignIn {
  return (command) => {
    const email = parseEmail(command.email)
    const signal = AbortSignal.any([command.hangUp, loginTimeout()])
    const { address } = command.browser
    return deps.guard.attempt<StaffOpened | typeof REFUSED>(
      'login',
      { account: guessedAs(email ?? ''), address },
      () => signIn(deps, email, command, signal),
      ({ kind }) => kind === 'refused',
      { signal },
    )
  }
}

async function signIn(
  deps: StaffSignInDeps,
  email: string | undefined,
  { password, code, browser }: SignInCommand,
  signal: AbortSignal,
): Promise<StaffOpened | typeof REFUSED> {
  const { database, passwords, queue } = deps
  const staff =
    email === undefined
      ? undefined
      : await queue('console sign-in', () => findStaffByEmail(database.db, email))
  // Also for an unknown email, so that both take the same time.
  const right = await passwords.verify(password, staff?.password ?? null, { signal })
  if (!right || !staff) return REFUSED
  return queue('console sign-in', () =>
    withVault(deps, async (tx, vault) => {
      const locked = await lockStaff(tx, staff.id)
      // Reset or changed while it was being checked.
      if (locked?.status !== 'active' || locked.password !== staff.password) return REFUSED
      const how = await spendCode(tx, vault, locked, code)
      if (!how) return REFUSED
      return (await openStaffSession(tx, locked.id, browser, { how, provenAt: 'now' })) ?? REFUSED
    }),
  )
}
