import type { Id } from '#base/ids.ts'
import type { Origin } from '#base/origin.ts'

export type ChangeRequestId = Id<'change request'>

// price: a metal's price by hand. terms: better trading terms for buyers. credit_limit: more credit for a partner.
// payment: a partner's payment.
export type ChangeKind = 'price' | 'terms' | 'credit_limit' | 'payment' | 'payment_reversal'

export type Payload = Readonly<Record<string, string | number | boolean>>

// A change that was carried out, with what was in fact written.
export interface Executed {
  kind: 'executed'
  payload: Payload
}

export interface ChangeRequest {
  id: ChangeRequestId
  kind: ChangeKind
  // A metal, or a partner's code.
  subject: string
  payload: Payload
  // The state that the request started from.
  basis: Payload
  maker: string
  // What the machine knows about the maker; null if nothing.
  makerOrigin: Origin | null
  reason: string
  createdAt: Temporal.Instant
  expiresAt: Temporal.Instant
  status: 'waiting' | 'executed' | 'refused'
  checker: string | null
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
  | 'same_login'
