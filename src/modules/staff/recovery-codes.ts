import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken } from '#base/crypto/token.ts'
import { toBase32 } from '#base/crypto/totp.ts'
import type { Db, Tx } from '#base/db/db.ts'
import type { StaffId } from './types.ts'

const CODES = 10
const CODE_BYTES = 10 // 80 random bits, so a plain hash is enough

export interface RecoveryCodes {
  // As they are shown, once.
  codes: string[]
  hashes: Buffer[]
}

export function newRecoveryCodes(staffId: StaffId): RecoveryCodes {
  const codes = Array.from({ length: CODES }, () =>
    toBase32(randomBytes(CODE_BYTES))
      .toLowerCase()
      .replace(/(.{4})(?!$)/g, '$1-'),
  )
  return { codes, hashes: codes.map((code) => hashOfRecoveryCode(staffId, code)!) }
}

// With or without hyphens and spaces, in either case. Undefined if it cannot be one.
export function hashOfRecoveryCode(staffId: StaffId, typed: string): Buffer | undefined {
  const code = typed.replace(/[\s-]/g, '').toLowerCase()
  return /^[a-z2-7]{16}$/.test(code) ? hashToken(`${staffId} ${code}`) : undefined
}

// The former ones are good no more. Their staff member is locked.
export async function replaceRecoveryCodes(
  tx: Tx,
  staffId: StaffId,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`delete from staff_recovery_code where staff_id = ${staffId}`.execute(tx)
  await sql`insert into staff_recovery_code (staff_id, hash)
    select ${staffId}, hash from unnest(${hashes}::bytea[]) as hash`.execute(tx)
}

// False if there is none like it, or it was used.
export async function spendRecoveryCode(tx: Tx, staffId: StaffId, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update staff_recovery_code set used_at = service_now()
     where staff_id = ${staffId} and hash = ${hash} and used_at is null returning staff_id`.execute(tx)
  return rows.length > 0
}

// How many are left.
export async function countRecoveryCodes(db: Db, staffId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from staff_recovery_code
     where staff_id = ${staffId} and used_at is null`.execute(db)
  return rows[0]!.count
}
