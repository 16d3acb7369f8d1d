import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import {
  addPasskey,
  audit,
  choosePassword,
  namePlace,
  type OfferedTotp,
  offerNewTotp,
  renewRecoveryCodes,
} from '#flows/staff/credentials.ts'
import { type BegunCeremony, beginCeremony } from '#flows/staff/passkey-proof.ts'
import type { Passwords } from '#modules/accounts/password.ts'
import { isWeakPassword } from '#modules/accounts/password-strength.ts'
import { proveMade } from '#modules/passkeys/ceremony.ts'
import {
  deletePasskey,
  listPasskeys,
  lockPasskey,
  OF_STAFF,
  renamePasskey,
  takeChallenge,
} from '#modules/passkeys/store.ts'
import type { MadeCredential, Passkey, PasskeyId, RelyingParty } from '#modules/passkeys/types.ts'
import { liveSession } from '#modules/sessions/rules.ts'
import { countRecoveryCodes } from '#modules/staff/recovery-codes.ts'
import {
  endStaffSessions,
  holdStaffSession,
  listStaffSessions,
  type OwnStaffSession,
} from '#modules/staff/sessions.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { findStaff, lockStaff, removePassword } from '#modules/staff/store.ts'
import type { Staff } from '#modules/staff/types.ts'

interface ShownAccount {
  passkeys: {
    id: PasskeyId
    name: string
    blocked: boolean
    createdAt: Temporal.Instant
    lastUsedAt: Temporal.Instant | null
  }[]
  hasPassword: boolean
  recoveryCodes: number
  singleSignOn: boolean
  sessions: OwnStaffSession[]
}

type Refused<Reason extends string> = { kind: 'refused'; reason: Reason }
const DONE = { kind: 'done' } as const
// The session has ended meanwhile.
const OVER = { kind: 'refused', reason: 'session_over' } as const
const FAILED = { kind: 'refused', reason: 'passkey_failed' } as const
const NONE = { kind: 'refused', reason: 'not_found' } as const
// Without it nobody could come in again but by `operator reset`.
const LAST = { kind: 'refused', reason: 'last_way_in' } as const

// What a signed-in person does with the own ways in. The edge has asked for a fresh proof.
export interface OwnAccount {
  show(staff: Staff): Promise<ShownAccount>
  beginPasskey(staff: Staff): Promise<BegunCeremony & { known: Passkey[] }>
  addPasskey(
    staff: Staff,
    made: { tokens: readonly string[]; credential: MadeCredential; label: string },
  ): Promise<Outcome<'passkey_failed'>>
  renamePasskey(staff: Staff, id: string, name: string): Promise<Outcome<'not_found'>>
  removePasskey(staff: Staff, id: string): Promise<Outcome<'not_found' | 'last_way_in'>>
  offerTotp(staff: Staff): Promise<Outcome<never, OfferedTotp>>
  setPassword(
    staff: Staff,
    chosen: { password: string; code: string },
  ): Promise<Outcome<'weak_password' | 'wrong_code', { recoveryCodes: string[] }>>
  removePassword(staff: Staff): Promise<Outcome<'not_found' | 'last_way_in'>>
  renewRecoveryCodes(staff: Staff): Promise<Outcome<'not_found', { recoveryCodes: string[] }>>
  // One of the own sessions, or all but this one. `ended`: how many had not.
  endSessions(staff: Staff, only: string | undefined): Promise<Outcome<never, { ended: number }>>
}

type Outcome<Reason extends string, Facts = unknown> =
  | ({ kind: 'done' } & Facts)
  | Refused<Reason | 'session_over'>

interface Deps extends VaultDeps {
  passwords: Passwords
  // The provider of single sign-on; undefined: there is none.
  issuer: string | undefined
}

export function createOwnAccount(deps: Deps, party: RelyingParty | undefined): OwnAccount {
  const { database, issuer } = deps
  const offered: Offered = { issuer, passkeys: party !== undefined }
  const locked: Locked = ({ staffId, sessionId }, work) =>
    withVault(deps, async (tx, vault) => {
      const own = await lockStaff(tx, staffId)
      // A reset or a suspension that was under way has ended it: nothing of before may become a lasting way in.
      if (!own || !(await holdStaffSession(tx, sessionId))) return OVER
      return work(tx, vault, own)
    })
  return {
    show: (staff) => show(deps, staff),
    async beginPasskey({ staffId, sessionId }) {
      return {
        ...(await beginCeremony(database, sessionId)),
        known: await listPasskeys(database.db, staffId, OF_STAFF),
      }
    },
    async addPasskey(staff, { tokens, credential, label }) {
      const hashes = hashesOfTokens(tokens)
      const challenge = await database.withTransaction((tx) => takeChallenge(tx, hashes, staff.sessionId))
      const key = challenge && party && (await proveMade(credential, { challenge, party }))
      if (!key) return FAILED
      return locked(staff, async (tx, vault, own) =>
        (await addPasskey(tx, vault, own, { key, label })) ? DONE : FAILED,
      )
    },
    renamePasskey: (staff, id, name) =>
      locked(staff, (tx, vault, own) => giveName(tx, vault, own, { id, name })),
    removePasskey: (staff, id) => locked(staff, (tx, _, own) => dropPasskey(tx, own, offered, { staff, id })),
    offerTotp: (staff) =>
      locked(staff, async (tx, vault, own) => ({ kind: 'done', ...(await offerNewTotp(tx, vault, own)) })),
    setPassword: (staff, chosen) => setOwnPassword(deps, locked, staff, chosen),
    removePassword: (staff) =>
      locked(staff, async (tx, _, own) => {
        if (!own.password) return NONE
        if ((await countWays(tx, { ...own, password: null }, offered)) === 0) return LAST
        await removePassword(tx, own.id)
        await audit(tx, own, 'staff.password_remove', {})
        await endSessions(tx, own, { but: staff.sessionId })
        return DONE
      }),
    renewRecoveryCodes: (staff) =>
      locked(staff, async (tx, _, own) =>
        own.password ? { kind: 'done', recoveryCodes: await renewRecoveryCodes(tx, own) } : NONE,
      ),
    endSessions: (staff, only) =>
      locked(staff, async (tx, _, own) => {
        const which = only === undefined ? { but: staff.sessionId } : { only }
        return { kind: 'done', ended: await endSessions(tx, own, which) }
      }),
  }
}

// One, or all but one. The entry says which, so that none of them opens again.
async function endSessions(
  tx: Tx,
  own: StaffMember,
  which: { only: string } | { but: string },
): Promise<number> {
  const ended = await endStaffSessions(tx, own.id, which)
  const named = 'but' in which ? { kept: which.but } : { session: which.only }
  if (ended > 0) await audit(tx, own, 'staff.end_sessions', { sessions: ended, ...named })
  return ended
}

async function show({ database, keys, issuer }: Deps, { staffId }: Staff): Promise<ShownAccount> {
  const { db } = database
  const vault = keys.vault()
  const own = (await findStaff(db, staffId))!
  const passkeys = await listPasskeys(db, staffId, OF_STAFF)
  return {
    passkeys: passkeys.map(({ id, name, blockedAt, createdAt, lastUsedAt }) => ({
      id,
      name: vault.open(namePlace(id), name),
      blocked: blockedAt !== null,
      createdAt,
      lastUsedAt,
    })),
    hasPassword: own.password !== null,
    recoveryCodes: await countRecoveryCodes(db, staffId),
    singleSignOn: isBound(own, issuer),
    sessions: await listStaffSessions(db, staffId, liveSession('s', 'service_now()')),
  }
}

// What this service offers now. A way in that it no longer offers opens nothing, and does not count as one.
interface Offered {
  issuer: string | undefined
  passkeys: boolean
}

// Settings may end the address with a slash, and the provider's tokens without one.
const hrefOf = (issuer: string) => URL.parse(issuer)?.href

// To the provider that the settings name.
function isBound({ oidcIssuer }: StaffMember, issuer: string | undefined): boolean {
  return issuer !== undefined && oidcIssuer !== null && hrefOf(oidcIssuer) === hrefOf(issuer)
}

// `but`: a passkey that is about to go.
async function countWays(
  tx: Tx,
  own: StaffMember,
  { issuer, passkeys }: Offered,
  but?: PasskeyId,
): Promise<number> {
  const kept = (await listPasskeys(tx, own.id, OF_STAFF)).filter(
    ({ id, blockedAt }) => passkeys && blockedAt === null && id !== but,
  )
  return kept.length + (own.password ? 1 : 0) + (isBound(own, issuer) ? 1 : 0)
}

// Whoever came in with it is sent away.
async function dropPasskey(
  tx: Tx,
  own: StaffMember,
  offered: Offered,
  { staff, id }: { staff: Staff; id: string },
) {
  const passkey = await lockPasskey(tx, own.id, id, OF_STAFF)
  if (!passkey) return NONE
  // A blocked one opens nothing: it may always go.
  if (passkey.blockedAt === null && (await countWays(tx, own, offered, passkey.id)) === 0) return LAST
  await deletePasskey(tx, passkey.id, OF_STAFF)
  await audit(tx, own, 'staff.passkey_remove', { passkey: passkey.id })
  await endSessions(tx, own, { but: staff.sessionId })
  return DONE
}

// Both names are what a person typed, so the entry keeps them sealed.
async function giveName(
  tx: Tx,
  vault: Vault,
  own: StaffMember,
  { id, name }: { id: string; name: string },
): Promise<typeof DONE | typeof NONE> {
  const passkey = await lockPasskey(tx, own.id, id, OF_STAFF)
  if (!passkey) return NONE
  const place = namePlace(passkey.id)
  const before = vault.open(place, passkey.name)
  if (before === name) return DONE
  await renamePasskey(tx, passkey.id, vault.seal(place, name), OF_STAFF)
  await audit(tx, own, 'staff.passkey_rename', { passkey: passkey.id, note: `${before} → ${name}` })
  return DONE
}

type Locked = <Result>(
  staff: Staff,
  work: (tx: Tx, vault: Vault, own: StaffMember) => Promise<Result>,
) => Promise<Result | typeof OVER>

async function setOwnPassword(
  { passwords }: Deps,
  locked: Locked,
  staff: Staff,
  { password, code }: { password: string; code: string },
): Promise<Awaited<ReturnType<OwnAccount['setPassword']>>> {
  if (await isWeakPassword(password, { loginId: staff.email.split('@')[0]!, name: staff.name }))
    return { kind: 'refused', reason: 'weak_password' }
  const hash = await passwords.hash(password)
  return locked(staff, async (tx, vault, own) => {
    const recoveryCodes = await choosePassword(tx, vault, own, { password: hash, code })
    if (!recoveryCodes) return { kind: 'refused', reason: 'wrong_code' }
    await endSessions(tx, own, { but: staff.sessionId })
    return { kind: 'done', recoveryCodes }
  })
}
