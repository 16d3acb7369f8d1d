import { randomUUID } from 'node:crypto'
import { hashOfToken } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { updateDetails } from '#flows/accounts/update-details.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import type { Browser } from '#flows/sessions/open-session.ts'
import { isUnder14, maskLoginId } from '#modules/accounts/rules.ts'
import { findOpenAccount, lockAccount } from '#modules/accounts/store.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findBegun, insertVerification, lockBegun, markProven, markUsed } from '#modules/identity/store.ts'
import type { Person, Purpose, Verification } from '#modules/identity/types.ts'
import { listLinks } from '#modules/members/links.ts'
import { findMemberByCi } from '#modules/members/members-by-ci.ts'
import { maskName } from '#modules/members/rules.ts'
import { endTrust, findKnownDevices, trustDevice } from '#modules/sessions/devices.ts'
import { deviceList, newDevice, newSessionId } from '#modules/sessions/rules.ts'
import { lockSession, renewVerifiedSession } from '#modules/sessions/store.ts'
import type { DeviceId, SessionId } from '#modules/sessions/types.ts'

// Any visitor can begin a verification, or name one that does not exist.
type StrangerDeps = VaultDeps & { queue: WorkQueue }

// Stores identity verifications. The caller talks to the provider, between these calls and outside any transaction.

const placeOf = (column: 'mdn' | 'person', row: string) => ({ table: 'identity_verification', column, row })

export interface Begun {
  id: string
  purpose: Purpose
  sessionId: string | null
  mdn: string
  expiresAt: Temporal.Instant
}

export type BeginVerification = (
  wish: Pick<Begun, 'purpose' | 'sessionId' | 'mdn'> & { provider: string },
) => Promise<Begun>

// Its id is the only thing that a sign-up or a new password is asked for: random through and through.
export function createBeginVerification(deps: StrangerDeps): BeginVerification {
  return ({ provider, ...wish }) => {
    const id = randomUUID()
    return deps.queue('identity', () =>
      withVault(deps, async (tx, vault) => {
        const mdn = vault.seal(placeOf('mdn', id), wish.mdn)
        const expiresAt = await insertVerification(tx, { ...wish, id, provider, mdn })
        return { ...wish, id, expiresAt }
      }),
    )
  }
}

export type FindVerification = (id: string) => Promise<Begun | undefined>

export function createFindVerification({ database, keys, queue }: StrangerDeps): FindVerification {
  return async (id) => {
    const found = await queue('identity', () => findBegun(database.db, id))
    if (!found?.mdn) return undefined
    const { purpose, sessionId, expiresAt } = found
    return { id, purpose, sessionId, expiresAt, mdn: keys.vault().open(placeOf('mdn', id), found.mdn) }
  }
}

// The person whom the carrier named, and what this service decides. A caller sees the first that applies. Nothing is
// kept of a person who is refused.
export type ProofRefusal = 'gone' | 'not_eligible' | 'under_age' | 'other_person'

type ProofOutcome =
  | { kind: 'refused'; reason: ProofRefusal }
  | {
      kind: 'proven'
      purpose: Purpose
      maskedName: string
      // The account of this person, if there is one.
      accountId: string | null
      // Null also of an account that has none.
      loginId: string | null
      knownThrough: readonly string[]
      // For a step-up: the session continues under this id, and the browser under this one.
      renewed: { session: SessionId; devices: DeviceId } | null
    }

interface ProofCommand {
  id: string
  person: Person & { isForeigner: boolean }
  // The session that asks, whose it is, and the browser it is in. Of a web view there is no account.
  session: { id: string; memberId: string; accountId: string | null; browser: Browser } | null
  today: Temporal.PlainDate
}

export type RecordProof = (command: ProofCommand) => Promise<ProofOutcome>

export function createRecordProof(deps: StrangerDeps): RecordProof {
  return (command) =>
    deps.queue('identity', () => withVault(deps, (tx, vault) => recordProof(tx, vault, command)))
}

export async function recordProof(tx: Tx, vault: Vault, command: ProofCommand): Promise<ProofOutcome> {
  const { id, person, session, today } = command
  const begun = await lockBegun(tx, id)
  if (!begun || begun.sessionId !== (session?.id ?? null)) return { kind: 'refused', reason: 'gone' }
  const memberId = await findMemberByCi(tx, vault.indexes('ci', person.ci).current)
  const reason = refusalOf(command, memberId, today)
  if (reason) {
    await markUsed(tx, id)
    return { kind: 'refused', reason }
  }
  const renewed = session && (await stepUp(tx, vault, begun, { person, session }))
  if (renewed === undefined) return { kind: 'refused', reason: 'gone' }
  if (!session) {
    const { ci, name, birthday, gender, mdn } = person
    const text = JSON.stringify({ ci, name, birthday, gender, mdn } satisfies Person)
    await markProven(tx, id, vault.seal(placeOf('person', id), text))
  }
  const account = memberId ? await findOpenAccount(tx, memberId) : undefined
  const links = memberId ? await listLinks(tx, memberId) : []
  return {
    kind: 'proven',
    purpose: begun.purpose,
    maskedName: maskName(person.name),
    accountId: account?.id ?? null,
    loginId: shownLoginId(account?.loginId ?? null, begun.purpose),
    knownThrough: links.filter(({ status }) => status === 'active').map(({ partner }) => partner),
    renewed: renewed ?? null,
  }
}

function shownLoginId(loginId: string | null, purpose: Purpose): string | null {
  return loginId !== null && purpose !== 'recover' ? maskLoginId(loginId) : loginId
}

function refusalOf(
  { person, session }: ProofCommand,
  memberId: string | undefined,
  today: Temporal.PlainDate,
): ProofRefusal | undefined {
  if (person.isForeigner) return 'not_eligible'
  if (isUnder14(person.birthday, today)) return 'under_age'
  if (session && session.memberId !== memberId) return 'other_person'
  return undefined
}

// Undefined if the session ended while the code was on its way. Null if another tab has verified it: the browser has
// its new cookies from there, and after a second renewal it would be luck which ones it keeps.
async function stepUp(
  tx: Tx,
  vault: Vault,
  begun: Verification,
  proof: { person: Person; session: NonNullable<ProofCommand['session']> },
) {
  const { id, accountId, browser } = proof.session
  // Locks the account before its session, as everywhere. Nothing changes before both are known to exist: a refusal
  // must not leave a new phone behind.
  const account = accountId === null ? null : await lockAccount(tx, accountId)
  const session = await lockSession(tx, id)
  if (account === undefined || !session) return undefined
  if (account) await updateDetails(tx, vault, account, { person: proof.person, device: browser.deviceLabel })
  await markUsed(tx, begun.id)
  if (session.verified && !browser.sessions.some((token) => hashOfToken(token)?.equals(session.hash)))
    return null
  const [next, device] = [newSessionId(), newDevice()]
  await renewVerifiedSession(tx, id, { hash: next.hash, deviceHash: device.hash })
  const replaced = session.deviceHash ? [session.deviceHash] : []
  await endTrust(tx, session.owner, replaced)
  await trustDevice(tx, session.owner, device.hash)
  await insertAuditEntry(tx, { actor: 'member', action: 'member.verify', subject: session.owner })
  const devices = await deviceList(device.id, browser.devices, replaced, (hashes) =>
    findKnownDevices(tx, hashes),
  )
  return { session: next.id, devices }
}

// The person that a verification has proven, if it was for this purpose and is not used yet.
export function openPerson(vault: Vault, { id, person }: Verification): Person | undefined {
  return person === null ? undefined : (JSON.parse(vault.open(placeOf('person', id), person)) as Person)
}
