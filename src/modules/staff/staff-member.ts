import type { Role } from './permissions.ts'
import type { StaffId } from './types.ts'

// One of the people who may work in the console, as the database has them.
export interface StaffMember {
  id: StaffId
  email: string
  name: string
  role: Role
  partnerId: number | null
  // The code of that partner.
  partner: string | null
  status: 'active' | 'suspended'
  password: string | null
  // Sealed: the secret in use, and one that waits for its first code.
  totp: Buffer | null
  totpNext: Buffer | null
  totpStep: bigint | null
  oidcIssuer: string | null
  oidcSubject: string | null
  createdAt: Temporal.Instant
}
