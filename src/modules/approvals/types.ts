import type { Id } from '#base/ids.ts'
import type { Origin } from '#base/origin.ts'

export type ChangeRequestId = Id<'change request'>

// price: of a metal, by hand. terms: of trading, in the buyer's favour. credit_limit: of a partner, raised. payment: by a
// partner, of what it owes.
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
  // What the payload was measured against.
  basis: Payload
  maker: string
  // What the machine told of the maker; null: nothing.
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
