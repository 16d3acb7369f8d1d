import { fingerprintOf } from '#base/crypto/token.ts'
import { findTotpStep, newTotpSecret, totpUri } from '#base/crypto/totp.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { realNow, totpPlace } from '#flows/staff/second-factor.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { MAX_PASSKEYS } from '#modules/passkeys/rules.ts'
import { insertPasskey, listPasskeys, OF_STAFF } from '#modules/passkeys/store.ts'
import type { ProvenKey } from '#modules/passkeys/types.ts'
import { newRecoveryCodes, replaceRecoveryCodes } from '#modules/staff/recovery-codes.ts'
import { actorOf } from '#modules/staff/rules.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { offerTotp, setPassword } from '#modules/staff/store.ts'

// Ways in that a person chooses, by a one-time link or in the own account. In each, `staff` is locked.

const ISSUER = 'Ingot'
const nextPlace = (row: string) => ({ table: 'staff', column: 'totp_next', row }) as const
export const namePlace = (row: string) => ({ table: 'staff_passkey', column: 'name', row }) as const

export interface OfferedTotp {
  // To type, and as the address that a QR code holds. Shown to its owner only.
  secret: string
  uri: string
}

// It counts when its first code was right. Until then, the secret of before does.
export async function offerNewTotp(tx: Tx, vault: Vault, staff: StaffMember): Promise<OfferedTotp> {
  const secret = newTotpSecret()
  await offerTotp(tx, staff.id, vault.seal(nextPlace(staff.id), secret))
  return { secret, uri: totpUri(secret, { issuer: ISSUER, name: staff.email }) }
}

// The recovery codes, shown once; undefined if the code is wrong. A hash of the password, never the password.
export async function choosePassword(
  tx: Tx,
  vault: Vault,
  staff: StaffMember,
  { password, code }: { password: string; code: string },
): Promise<string[] | undefined> {
  if (!staff.totpNext) return undefined
  const secret = vault.open(nextPlace(staff.id), staff.totpNext)
  const step = findTotpStep(secret, code.replace(/\s/g, ''), { now: await realNow(tx), after: null })
  if (step === undefined) return undefined
  await setPassword(tx, staff.id, { password, totp: vault.seal(totpPlace(staff.id), secret), step })
  await audit(tx, staff, 'staff.password', {})
  return renewRecoveryCodes(tx, staff)
}

export async function renewRecoveryCodes(tx: Tx, staff: StaffMember): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes(staff.id)
  await replaceRecoveryCodes(tx, staff.id, hashes)
  await audit(tx, staff, 'staff.recovery_codes', {
    count: codes.length,
    fingerprint: fingerprintOf(...hashes),
  })
  return codes
}

// False if there are as many as there may be, or that very key is known.
export async function addPasskey(
  tx: Tx,
  vault: Vault,
  staff: StaffMember,
  { key, label }: { key: ProvenKey; label: string },
): Promise<boolean> {
  if ((await listPasskeys(tx, staff.id, OF_STAFF)).length >= MAX_PASSKEYS) return false
  const id = newId<'passkey'>()
  const name = vault.seal(namePlace(id), label)
  if (!(await insertPasskey(tx, { ...key, id, accountId: staff.id, name }, OF_STAFF))) return false
  await audit(tx, staff, 'staff.passkey_add', { passkey: id, fingerprint: fingerprintOf(key.publicKey) })
  return true
}

export function audit(
  tx: Tx,
  staff: StaffMember,
  action: string,
  details: Record<string, string | number>,
): Promise<void> {
  return insertAuditEntry(tx, { actor: actorOf(staff), action, subject: staff.id, details })
}
