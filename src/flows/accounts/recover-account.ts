import { fingerprintOf } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { createKeyedQueue } from '#base/queues/keyed-queue.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { updateDetails } from '#flows/accounts/update-details.ts'
import { openPerson } from '#flows/accounts/verify-identity.ts'
import { removedPasskeys, writeNotice } from '#flows/deliveries/write-notices.ts'
import type { Guard } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { type Browser, type Opened, openMemberSession } from '#flows/sessions/open-session.ts'
import type { Passwords } from '#modules/accounts/password.ts'
import { isWeakPassword } from '#modules/accounts/password-strength.ts'
import { findOpenAccount, lockAccount, resumeWithdrawals, setPassword } from '#modules/accounts/store.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { countRefusal, findProven, lockProven, markUsed } from '#modules/identity/store.ts'
import type { Verification } from '#modules/identity/types.ts'
import { findMemberByCi } from '#modules/members/members-by-ci.ts'
import { deletePasskeys } from '#modules/passkeys/store.ts'
import { endOwnSessions } from '#modules/sessions/store.ts'

interface RecoverCommand {
  verificationId: string
  // Null for an account that has no password and stays without.
  password: string | null
  // For an account that has none yet.
  loginId: string | null
  browser: Browser
}

// A caller sees the first that applies.
type RecoverRefusal =
  | 'identity_failed'
  | 'password_needed'
  | 'login_id_needed'
  | 'weak_password'
  | 'login_id_taken'
type RecoverOutcome = Opened | { kind: 'refused'; reason: RecoverRefusal }

export type RecoverAccount = (command: RecoverCommand) => Promise<RecoverOutcome>

const FAILED = { kind: 'refused', reason: 'identity_failed' } as const
const PASSWORD_NEEDED = { kind: 'refused', reason: 'password_needed' } as const
const WEAK = { kind: 'refused', reason: 'weak_password' } as const

type RecoverDeps = VaultDeps & { passwords: Passwords; queue: WorkQueue; guard: Guard }

// A new password for the account of a person who was just verified. All sessions end. An account without a password
// needs none: its member proves identity in this way only.
export function createRecoverAccount(deps: RecoverDeps): RecoverAccount {
  // As with signing up: one at a time for each verification.
  const queue = createKeyedQueue({ atOnce: 1, maxWaiting: 5 })
  return (command) => queue(command.verificationId, () => begin(deps, command))
}

async function begin(deps: RecoverDeps, command: RecoverCommand): Promise<RecoverOutcome> {
  const { database, queue } = deps
  const { verificationId, password } = command
  const findOwner = async (tx: Tx, vault: Vault) =>
    ownerOf(tx, vault, await findProven(tx, verificationId, 'recover'))
  // Looked at before the password is, which costs more than a stranger should be able to spend; one that is made up,
  // by a plain read.
  const isProven = await queue('recover', () => findProven(database.db, verificationId, 'recover'))
  const found = isProven && (await queue('recover', () => withVault(deps, findOwner)))
  if (!found) return FAILED
  if (password === null) {
    if (found.account.password !== null || command.loginId !== null) return PASSWORD_NEEDED
    return queue('recover', () => withVault(deps, (tx, vault) => recover(tx, vault, command, null)))
  }
  const loginId = found.account.loginId ?? command.loginId
  if (loginId === null) return { kind: 'refused', reason: 'login_id_needed' }
  if (await isWeakPassword(password, { loginId, ...found.person })) {
    await queue('recover', () => database.withTransaction((tx) => countRefusal(tx, verificationId)))
    return WEAK
  }
  const hashed = await deps.passwords.hash(password)
  const outcome = await queue('recover', () =>
    withVault(deps, (tx, vault) => recover(tx, vault, command, { loginId, password: hashed })),
  )
  // What others tried with this id is no reason to keep its owner out on the next device.
  if (outcome.kind !== 'refused') await deps.guard.forgive('login', loginId)
  return outcome
}

async function ownerOf(tx: Tx, vault: Vault, proven: Verification | undefined) {
  const person = proven && openPerson(vault, proven)
  const memberId = person && (await findMemberByCi(tx, vault.indexes('ci', person.ci).current))
  const account = memberId && (await findOpenAccount(tx, memberId))
  return account ? { person, account } : undefined
}

async function recover(
  tx: Tx,
  vault: Vault,
  { verificationId, browser }: RecoverCommand,
  login: { loginId: string; password: string } | null,
): Promise<RecoverOutcome> {
  const found = await ownerOf(tx, vault, await lockProven(tx, verificationId, 'recover'))
  // Waits for logins that are being opened with the old password: their sessions end with the others.
  const locked = found && (await lockAccount(tx, found.account.id))
  if (!locked) return FAILED
  const { person } = found
  if (!login && locked.password !== null) return PASSWORD_NEEDED
  if (login && !(await setPassword(tx, locked.id, login))) {
    await countRefusal(tx, verificationId)
    return { kind: 'refused', reason: 'login_id_taken' }
  }
  const account = await updateDetails(tx, vault, locked, { person, device: browser.deviceLabel })
  await resumeWithdrawals(tx, account.id)
  await endOwnSessions(tx, { accountId: account.id, memberId: account.memberId })
  // One of them may be the thief's, and only the owner can tell which.
  const passkeys = await deletePasskeys(tx, account.id)
  await markUsed(tx, verificationId)
  await insertAuditEntry(tx, {
    actor: 'member',
    action: 'member.recover',
    subject: account.id,
    details: {
      passkeysRemoved: passkeys,
      ...(login ? { fingerprint: fingerprintOf(Buffer.from(login.password)) } : { withoutPassword: true }),
    },
  })
  await writeNotice(tx, vault, account, {
    purpose: login ? 'password' : 'new_device',
    values: { device: browser.deviceLabel, ...removedPasskeys(passkeys) },
  })
  return openMemberSession(tx, account.id, browser, { verified: true })
}
