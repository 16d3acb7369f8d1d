import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { proveUsed } from '#modules/passkeys/ceremony.ts'
import { newCeremony, userHandleOf, wentBack } from '#modules/passkeys/rules.ts'
import {
  blockPasskey,
  findPasskey,
  insertChallenge,
  lockPasskey,
  markPasskeyUsed,
  OF_STAFF,
  takeChallenge,
} from '#modules/passkeys/store.ts'
import type { CeremonyToken, Passkey, RelyingParty, UsedCredential } from '#modules/passkeys/types.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { lockStaff } from '#modules/staff/store.ts'

export interface BegunCeremony {
  token: CeremonyToken
  challenge: string
}

// `of` is the session or the link that a ceremony belongs to; null: a visitor who signs in.
export async function beginCeremony(database: Database, of: string | null): Promise<BegunCeremony> {
  const ceremony = newCeremony()
  await database.withTransaction((tx) => insertChallenge(tx, ceremony, of))
  return ceremony
}

export interface Shown {
  kind: 'shown'
  passkey: Passkey
  counter: number
  backedUp: boolean
}

// `stale`: the challenge was used or took too long, which is no guess. `of`: whose passkey was named, if it is known.
type Checked = Shown | { kind: 'wrong'; of: string | undefined } | { kind: 'stale' }

// Checks a signature, outside any transaction.
export async function checkPasskey(
  database: Database,
  party: RelyingParty,
  { tokens, credential, of }: { tokens: readonly string[]; credential: UsedCredential; of: string | null },
): Promise<Checked> {
  const hashes = hashesOfTokens(tokens)
  const challenge = await database.withTransaction((tx) => takeChallenge(tx, hashes, of))
  if (challenge === undefined) return { kind: 'stale' }
  const passkey = await findPasskey(database.db, Buffer.from(credential.id, 'base64url'), OF_STAFF)
  if (!passkey || credential.response.userHandle !== userHandleOf(passkey.accountId))
    return { kind: 'wrong', of: undefined }
  const used = await proveUsed(credential, passkey, { challenge, party })
  return used.kind === 'wrong'
    ? { kind: 'wrong', of: passkey.accountId }
    : { ...used, kind: 'shown', passkey }
}

// Its owner, locked, if the passkey still counts. Of a copy and its original, the one with the higher counter would keep
// working. So both are blocked.
export async function acceptPasskey(
  tx: Tx,
  { passkey, counter, backedUp }: Shown,
): Promise<StaffMember | 'copied' | undefined> {
  const staff = await lockStaff(tx, passkey.accountId)
  const locked = staff && (await lockPasskey(tx, staff.id, passkey.id, OF_STAFF))
  if (!locked || locked.blockedAt) return undefined
  if (wentBack(locked.counter, counter)) {
    await blockPasskey(tx, locked.id, OF_STAFF)
    const details = { email: staff.email, passkey: locked.id }
    await insertAuditEntry(tx, {
      actor: 'service',
      action: 'staff.passkey_block',
      subject: staff.id,
      details,
    })
    return 'copied'
  }
  await markPasskeyUsed(tx, locked.id, { counter, backedUp }, OF_STAFF)
  return staff
}
