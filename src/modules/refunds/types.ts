import type { Id } from '#base/ids.ts'

// points: the member's points. money: the member's deposit, from which a withdrawal pays out.
export const PAYOUTS = ['points', 'money'] as const
export type Payout = (typeof PAYOUTS)[number]

type RefundQuoteId = Id<'refund quote'>
type RefundId = Id<'refund'>

// The refund rules of one version (table refund_policy). A card keeps those of the day it was bought.
export interface RefundPolicy {
  version: string
  // The first day of purchase that it is for. It ends where the next version begins.
  effectiveFrom: string
  cancelDays: number
  refundYears: number
  smallUpTo: bigint
  smallPercent: number
  largePercent: number
  pointsPercent: number
  // Of the one extension; 0: there is none.
  extensionMonths: number
  noticeDays: number[]
}

// How a refund comes about, line by line: face − deduction = total.
export interface RefundLines {
  face: bigint
  percent: number
  deduction: bigint
  total: bigint
}

export interface RefundQuote extends RefundLines {
  id: RefundQuoteId
  cardId: string
  holderId: string
  payout: Payout
  // The policy's version.
  policy: string
  expiresAt: Temporal.Instant
}

export interface Refund extends RefundLines {
  id: RefundId
  quoteId: RefundQuoteId
  cardId: string
  holderId: string
  payout: Payout
  policy: string
  at: Temporal.Instant
  // Null: the member claimed it.
  requestId: string | null
}

// The first that applies.
export type RefundRefusal = 'absent' | 'used' | 'voided' | 'still_valid' | 'refunded' | 'refund_too_late'

export type ExtendRefusal = 'absent' | 'used' | 'voided' | 'expired' | 'extended' | 'not_extendable'

export interface Extension {
  fromDay: string
  toDay: string
  at: Temporal.Instant
  // Null: the operator.
  holderId: string | null
}

// Why a policy cannot be added. The first that applies.
export type PolicyRefusal =
  | 'policy_invalid'
  | 'policy_exists'
  | 'policy_begins_too_soon'
  | 'policy_overlap'
  | 'policy_gap'
