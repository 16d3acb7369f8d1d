import type { Id } from '#base/ids.ts'
import type { Origin } from '#base/origin.ts'

export type ChangeRequestId = Id<'change request'>

// price: a metal's price by hand. terms: better trading terms for buyers. credit_limit: more credit for a partner.
// payment: a partner's payment. adjustment: won added to a holding, or taken from it. card_void: a large card taken back.
// refund: an expired card refunded by support. refund_policy: a new version of the refund rules.
// staff_role: another role for a person who works in the console.
// bullion: metal that the house bought or sold. commission_rate: what a partner is charged from a day on.
// safeguard: what an institution holds behind cards and points.
export const CHANGE_KINDS = [
  'price',
  'terms',
  'credit_limit',
  'payment',
  'payment_reversal',
  'adjustment',
  'card_void',
  'refund',
  'refund_policy',
  'staff_role',
  'bullion',
  'commission_rate',
  'safeguard',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

// Who asks for a change, or decides on one.
export interface Person {
  // For the audit log: `cli:<account>`, or `staff:<email>`.
  actor: string
  // What the machine knows about this person.
  origin?: Origin | undefined
  // Of a person in the console. The command line's is found by the account that `operator bind` named.
  staffId?: string | undefined
  // In a sandbox that declares it, one person may be both of two.
  singlePerson?: boolean | undefined
}

export type Payload = Readonly<Record<string, string | number | boolean>>

// A change that was carried out, with what was in fact written.
export interface Executed {
  kind: 'executed'
  payload: Payload
}

export interface ChangeRequest {
  id: ChangeRequestId
  kind: ChangeKind
  // A metal, a partner's code, a holder's id or a card's.
  subject: string
  payload: Payload
  // The state that the request started from.
  basis: Payload
  maker: string
  // What the machine knows about the maker; null if nothing.
  makerOrigin: Origin | null
  makerStaff: string | null
  reason: string
  createdAt: Temporal.Instant
  expiresAt: Temporal.Instant
  status: 'waiting' | 'executed' | 'refused'
  checker: string | null
  checkerOrigin: Origin | null
  checkerStaff: string | null
  // One person was both, in a sandbox.
  singlePerson: boolean
  decidedAt: Temporal.Instant | null
  isExpired: boolean
}

// The first that applies.
export type DecideRefusal =
  | 'not_found'
  | 'executed'
  | 'refused'
  | 'expired'
  | 'unknown_person'
  | 'same_person'
  | 'unbound_account'
  | 'not_permitted'
  | 'same_login'
