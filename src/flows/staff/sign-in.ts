import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { noteFailedSignIn } from '#flows/staff/note-failure.ts'
import { openStaffSession, type StaffBrowser, type StaffOpened } from '#flows/staff/open-session.ts'
import { spendCode } from '#flows/staff/second-factor.ts'
import { loginTimeout, type Passwords } from '#modules/accounts/password.ts'
import { knownStaffDevice, newStaffDevice } from '#modules/staff/known-device.ts'
import { parseEmail } from '#modules/staff/rules.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
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

// Password and code together. One refusal for all: it does not say which emails there are, nor which of the two was wrong.
export function createStaffSignIn(deps: StaffSignInDeps): StaffSignIn {
  return async (command) => {
    const email = parseEmail(command.email)
    const signal = AbortSignal.any([command.hangUp, loginTimeout()])
    const { address } = command.browser
    const device = await findDevice(deps, email, command.browser)
    const account = `staff ${email ?? ''}`
    return deps.guard.attempt<StaffOpened | typeof REFUSED>(
      'login',
      device === undefined ? { account, address } : { account: `${account} ${device}`, address: undefined },
      () => signIn(deps, email, command, signal),
      ({ kind }) => kind === 'refused',
      { signal },
    )
  }
}

function findByEmail(
  { database, queue }: StaffSignInDeps,
  email: string | undefined,
): Promise<StaffMember | undefined> | undefined {
  if (email === undefined) return undefined
  return queue('console sign-in', () => findStaffByEmail(database.db, email))
}

// Read before anything is counted, and only for those who bring one.
async function findDevice(
  deps: StaffSignInDeps,
  email: string | undefined,
  { devices = [] }: StaffBrowser,
): Promise<string | undefined> {
  const staff = devices.length > 0 ? await findByEmail(deps, email) : undefined
  return staff && knownStaffDevice(deps.keys.vault(), staff, devices)
}

async function signIn(
  deps: StaffSignInDeps,
  email: string | undefined,
  { password, code, browser }: SignInCommand,
  signal: AbortSignal,
): Promise<StaffOpened | typeof REFUSED> {
  const { database, passwords, queue } = deps
  const staff = await findByEmail(deps, email)
  // Also for an unknown email, so that both take the same time.
  const right = await passwords.verify(password, staff?.password ?? null, { signal })
  const outcome =
    right && staff
      ? await queue('console sign-in', () => enter(deps, staff, code, browser))
      : ({ kind: 'refused', wrong: 'password' } as const)
  if (outcome.kind === 'opened') return outcome
  const { wrong } = outcome
  await queue('console sign-in', () => noteFailedSignIn(database, staff?.id, { how: 'password', wrong }))
  return REFUSED
}

// The password was right.
function enter(
  deps: StaffSignInDeps,
  staff: StaffMember,
  code: string,
  browser: StaffBrowser,
): Promise<StaffOpened | { kind: 'refused'; wrong: 'code' | 'status' }> {
  return withVault(deps, async (tx, vault) => {
    const locked = await lockStaff(tx, staff.id)
    // Suspended; or reset or changed while it was being checked.
    if (locked?.status !== 'active' || locked.password !== staff.password)
      return { kind: 'refused', wrong: 'status' }
    const how = await spendCode(tx, vault, locked, code)
    const opened = how && (await openStaffSession(tx, locked.id, browser, { how, provenAt: 'now' }))
    if (!opened) return { kind: 'refused', wrong: 'code' }
    const isKnown = knownStaffDevice(vault, locked, browser.devices ?? []) !== undefined
    return isKnown ? opened : { ...opened, device: newStaffDevice(vault, locked) }
  })
}
