import { fingerprintOf } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import { writeNotice } from '#flows/deliveries/write-notices.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { loginTimeout, type Passwords } from '#modules/accounts/password.ts'
import { isWeakPassword } from '#modules/accounts/password-strength.ts'
import { findAccount, findAccountByLogin, lockAccount, setPassword } from '#modules/accounts/store.ts'
import type { Account, AccountDetails } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { countInLastHour } from '#modules/deliveries/notices/store.ts'
import { endOwnSessions } from '#modules/sessions/store.ts'

interface ChangeCommand {
  accountId: string
  sessionId: string
  // Null of an account that has no password yet.
  current: string | null
  next: string
  // For an account that has none yet.
  loginId: string | null
  deviceLabel: string
}

type PasswordRefusal = 'wrong_login' | 'login_id_needed' | 'weak_password' | 'login_id_taken'
type ChangeOutcome = { kind: 'changed' } | { kind: 'refused'; reason: PasswordRefusal } | Limited

export type ChangePassword = (command: ChangeCommand) => Promise<ChangeOutcome>

export interface PasswordDeps {
  passwords: Passwords
  guard: Guard
}

const WRONG = { kind: 'wrong' } as const
const CHANGES_AN_HOUR = 5
const HOUR_SECONDS = 3_600

// The account, if this is its password. An account without a password passes if none was given: every caller has just
// verified identity, and that counts. Wrong passwords are counted like wrong log-ins: an open session is no way
// around the limit.
export async function checkPassword(
  { database, passwords, guard }: PasswordDeps & { database: Database },
  { accountId, password }: { accountId: string; password: string | null },
): Promise<{ kind: 'right'; account: Account } | typeof WRONG | Limited> {
  const account = await findAccount(database.db, accountId)
  if (account && account.password === null && password === null) return { kind: 'right', account }
  const turn = { first: true, signal: loginTimeout() }
  return guard.attempt<{ kind: 'right'; account: Account } | typeof WRONG>(
    'login',
    // Counts signed-in people only: a stranger's guesses at the id do not keep its owner from changing the password.
    { account: `signed in ${accountId}`, address: undefined },
    async () =>
      (await passwords.verify(password ?? '', account?.password ?? null, turn)) && account
        ? { kind: 'right', account }
        : WRONG,
    ({ kind }) => kind === 'wrong',
    turn,
  )
}

// Ends all other sessions of the member.
export function createChangePassword(deps: VaultDeps & PasswordDeps): ChangePassword {
  return async (command) => {
    const { accountId, current } = command
    const checked = await checkPassword(deps, { accountId, password: current })
    if (checked.kind === 'limited') return checked
    if (checked.kind === 'wrong') return { kind: 'refused', reason: 'wrong_login' }
    const { account } = checked
    const loginId = account.loginId ?? command.loginId
    if (loginId === null) return { kind: 'refused', reason: 'login_id_needed' }
    const work = () => change(deps, command, account, loginId)
    if (account.loginId !== null) return work()
    // Who may ask for any number of ids gets a list of the members.
    return deps.guard.attempt<ChangeOutcome>(
      'login',
      { account: `chooses an id ${accountId}`, address: undefined },
      work,
      (outcome) => outcome.kind === 'refused' && outcome.reason === 'login_id_taken',
      { first: true, signal: loginTimeout() },
    )
  }
}

async function change(
  deps: VaultDeps & PasswordDeps,
  { accountId, sessionId, current, next, deviceLabel }: ChangeCommand,
  account: Account,
  loginId: string,
): Promise<ChangeOutcome> {
  if (next === current || (await isWeakPassword(next, { loginId, ...aboutOf(deps, account) })))
    return { kind: 'refused', reason: 'weak_password' }
  // Checked before hashing, which is expensive. An id that is taken in the meantime is seen below.
  if (account.loginId === null && (await findAccountByLogin(deps.database.db, loginId)))
    return { kind: 'refused', reason: 'login_id_taken' }
  const hashed = await deps.passwords.hash(next)
  return withVault(deps, async (tx, vault) => {
    const locked = await lockAccount(tx, account.id)
    if (!locked || locked.password !== account.password) return { kind: 'refused', reason: 'wrong_login' }
    // Each sends a text, and the phone must not ring all night.
    if ((await countInLastHour(tx, locked.id, 'password')) >= CHANGES_AN_HOUR)
      return { kind: 'limited', retryAfterSeconds: HOUR_SECONDS }
    if (!(await setPassword(tx, account.id, { password: hashed, loginId })))
      return { kind: 'refused', reason: 'login_id_taken' }
    await endOwnSessions(tx, { accountId, memberId: account.memberId, but: sessionId })
    const details = { fingerprint: fingerprintOf(Buffer.from(hashed)) }
    await insertAuditEntry(tx, { actor: 'member', action: 'member.password', subject: accountId, details })
    await writeNotice(tx, vault, locked, { purpose: 'password', values: { device: deviceLabel } })
    return { kind: 'changed' }
  })
}

function aboutOf(
  { keys }: VaultDeps,
  { id, details }: Account,
): Pick<AccountDetails, 'name' | 'birthday' | 'mdn'> {
  if (!details) return { name: '', birthday: '', mdn: '' }
  const place = { table: 'member_account', column: 'details', row: id }
  return JSON.parse(keys.vault().open(place, details)) as AccountDetails
}
