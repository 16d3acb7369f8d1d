import type { Id } from '#base/ids.ts'
import type { Role } from './permissions.ts'

export type StaffId = Id<'staff'>

// A person of the operator or of a partner, signed in to the console.
export interface Staff {
  staffId: StaffId
  // For audit entries and change requests: `staff:<email>`.
  actor: string
  email: string
  name: string
  role: Role
  // The tenant: null for the operator's own staff, who see every partner.
  partnerId: number | null
  sessionId: string
  // Proved identity in this session, and not long ago.
  fresh: boolean
  // One person may approve what they asked for themselves: a declared mode of a sandbox.
  singlePerson: boolean
}
