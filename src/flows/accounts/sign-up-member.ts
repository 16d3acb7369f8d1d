import { fingerprintOf } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { createKeyedQueue } from '#base/queues/keyed-queue.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { openPerson } from '#flows/accounts/verify-identity.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { returnToUndecided } from '#flows/partner-users/decide-link.ts'
import { type Browser, type Opened, openMemberSession } from '#flows/sessions/open-session.ts'
import type { Passwords } from '#modules/accounts/password.ts'
import { isWeakPassword } from '#modules/accounts/password-strength.ts'
import {
  findAccountByLogin,
  findOpenAccount,
  insertAccount,
  insertConsents,
} from '#modules/accounts/store.ts'
import type { AccountDetails } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { countRefusal, findProven, lockProven, markUsed } from '#modules/identity/store.ts'
import type { Person } from '#modules/identity/types.ts'
import { listUnasked } from '#modules/members/links.ts'
import { findMemberByCi, findOrMakeMember } from '#modules/members/members-by-ci.ts'
import type { AgreedVersions } from '#modules/operator/types.ts'

interface MemberSignupCommand {
  verificationId: string
  // Null of a member who logs in by phone.
  login: { id: string; password: string } | null
  marketing: boolean
  // The versions of the terms and of the privacy policy that were shown; null if the page did not say.
  versions: { [Kind in keyof AgreedVersions]: string | null }
  browser: Browser
}

// A caller sees the first that applies.
type MemberSignupRefusal = 'identity_failed' | 'weak_password' | 'already_member' | 'login_id_taken'
type MemberSignupOutcome = Opened | { kind: 'refused'; reason: MemberSignupRefusal }

export type SignUpMember = (command: MemberSignupCommand) => Promise<MemberSignupOutcome>

const refused = (reason: MemberSignupRefusal) => ({ kind: 'refused', reason }) as const

type SignupDeps = VaultDeps & { passwords: Passwords; queue: WorkQueue }

// Makes an account for a person who was just verified. A person whom a partner registered before is the same member.
export function createSignUpMember(deps: SignupDeps): SignUpMember {
  // One at a time for each verification: the next one finds it used, before anything is hashed.
  const queue = createKeyedQueue({ atOnce: 1, maxWaiting: 5 })
  return (command) => queue(command.verificationId, () => begin(deps, command))
}

async function begin(deps: SignupDeps, command: MemberSignupCommand): Promise<MemberSignupOutcome> {
  const { verificationId, login } = command
  // Looked at before the password is hashed, which costs more than a stranger should be able to spend.
  const proven = await deps.queue('sign up', () => findProven(deps.database.db, verificationId, 'sign_up'))
  const person = proven && openPerson(deps.keys.vault(), proven)
  if (!person) return refused('identity_failed')
  if (login && (await isWeakPassword(login.password, { loginId: login.id, ...person }))) {
    await deps.queue('sign up', () => deps.database.withTransaction((tx) => countRefusal(tx, verificationId)))
    return refused('weak_password')
  }
  const reason = await deps.queue('sign up', () => lookAhead(deps, command, person))
  if (reason) return refused(reason)
  const hashed = login && { id: login.id, password: await deps.passwords.hash(login.password) }
  return deps.queue('sign up', () => withVault(deps, (tx, vault) => signUp(tx, vault, command, hashed)))
}

// What will be refused, as far as plain reads can tell; what they miss is seen in the transaction.
async function lookAhead(
  { database, keys }: SignupDeps,
  { verificationId, login }: MemberSignupCommand,
  { ci }: Person,
): Promise<MemberSignupRefusal | undefined> {
  // The id first: the one who took it at this moment may be the same person, and the second look sees that.
  const isTaken = login !== null && (await findAccountByLogin(database.db, login.id)) !== undefined
  const known = await findMemberByCi(database.db, keys.vault().indexes('ci', ci).current)
  if (known && (await findOpenAccount(database.db, known))) return 'already_member'
  if (!isTaken) return undefined
  const isCounted = await database.withTransaction((tx) => countRefusal(tx, verificationId))
  return isCounted ? 'login_id_taken' : 'identity_failed'
}

async function signUp(
  tx: Tx,
  vault: Vault,
  command: MemberSignupCommand,
  login: MemberSignupCommand['login'],
): Promise<MemberSignupOutcome> {
  const { verificationId, marketing, versions, browser } = command
  // A second caller with the same verification waits here, and finds it used.
  const proven = await lockProven(tx, verificationId, 'sign_up')
  const person = proven && openPerson(vault, proven)
  if (!person) return refused('identity_failed')
  const ciHash = vault.indexes('ci', person.ci)
  const isTaken = login !== null && (await findAccountByLogin(tx, login.id)) !== undefined
  const known = await findMemberByCi(tx, ciHash.current)
  if (known && (await findOpenAccount(tx, known))) return refused('already_member')
  if (isTaken) {
    await countRefusal(tx, verificationId)
    return refused('login_id_taken')
  }

  const fresh = newId<'member'>()
  const ci = vault.seal({ table: 'member', column: 'ci', row: fresh }, person.ci)
  const memberId = await findOrMakeMember(tx, { id: fresh, ci, ciHash })
  if (memberId === undefined) throw new SignupRace()
  const id = newId<'member account'>()
  const details = vault.seal({ table: 'member_account', column: 'details', row: id }, detailsOf(person))
  // Another call signed up the same person or took the id at the same moment. The next try sees that above.
  const account = { id, memberId, login, details, language: browser.language }
  if (!(await insertAccount(tx, account))) throw new SignupRace()
  await insertConsents(tx, id, [
    { termsId: 'service', agreed: true, version: versions.terms },
    { termsId: 'privacy', agreed: true, version: versions.privacy },
    { termsId: 'marketing', agreed: marketing },
  ])
  await returnToUndecided(tx, memberId, await listUnasked(tx, memberId))
  await markUsed(tx, verificationId)
  const told = { member: memberId, ...(login && { fingerprint: fingerprintOf(Buffer.from(login.password)) }) }
  await insertAuditEntry(tx, { actor: 'member', action: 'member.signup', subject: id, details: told })
  return openMemberSession(tx, id, browser, { verified: true })
}

// Nothing is written, and the transaction runs again, as after a serialization failure.
class SignupRace extends Error {
  readonly code = '40001'
}

function detailsOf({ name, birthday, gender, mdn }: Person): string {
  return JSON.stringify({ name, birthday, nationality: 'K', mdn, gender } satisfies AccountDetails)
}
