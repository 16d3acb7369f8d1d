import { sql } from 'kysely'
import { findTotpStep } from '#base/crypto/totp.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { hashOfRecoveryCode, spendRecoveryCode } from '#modules/staff/recovery-codes.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { noteCodeUsed } from '#modules/staff/store.ts'

export const totpPlace = (row: string) => ({ table: 'staff', column: 'totp', row }) as const

// The world's time, also in a sandbox whose clock was moved: a phone does not know of that.
export async function realNow(tx: Tx): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(tx)
  return rows[0]!.now
}

// A code of the authenticator app, or a recovery code. Right ones are used up. `staff` is locked, so that of two who
// bring the same code one is right.
export async function spendCode(
  tx: Tx,
  vault: Vault,
  staff: StaffMember,
  typed: string,
): Promise<'password' | 'recovery_code' | undefined> {
  const recovery = hashOfRecoveryCode(staff.id, typed)
  if (recovery) return (await spendRecoveryCode(tx, staff.id, recovery)) ? 'recovery_code' : undefined
  if (!staff.totp) return undefined
  const secret = vault.open(totpPlace(staff.id), staff.totp)
  const step = findTotpStep(secret, typed.replace(/\s/g, ''), {
    now: await realNow(tx),
    after: staff.totpStep,
  })
  if (step === undefined) return undefined
  await noteCodeUsed(tx, staff.id, step)
  return 'password'
}
