import type { Id } from '#base/ids.ts'

export type CardId = Id<'card'>
export type TxId = Id<'purchase'>

export interface IssuedCard {
  giftId: CardId
  txId: TxId
}

// A partner sees the first that applies. An answer once given stands, so a kept key comes before the limits.
export const REFUSALS = ['partner_suspended', 'key_reused', 'amount_out_of_bounds', 'credit_limit'] as const

export type PurchaseOutcome =
  | { kind: 'issued'; card: IssuedCard }
  | { kind: 'replayed'; card: IssuedCard }
  | { kind: 'refused'; reason: (typeof REFUSALS)[number] }

// What the path of a lookup can name: a UUID of the purchase (giftId or txId) or the card's number.
export type CardIdentifier = { kind: 'uuid'; uuid: string } | { kind: 'number'; number: bigint }

export interface CardView {
  id: CardId
  number: bigint
  amount: bigint
  used: boolean
  expiresOn: string
  valid: boolean
}

export interface Card {
  id: CardId
  txId: TxId
  number: bigint
  partnerId: number
  amount: bigint
  status: 'issued' | 'used' | 'voided' | 'expired'
  issuedAt: Temporal.Instant
  issuedOn: string
  expiresOn: string
  usedAt: Temporal.Instant | null
  // Whose points it became: a member, or a link that its member had not confirmed.
  usedBy: string | null
  voidedAt: Temporal.Instant | null
  recipient: Buffer
}

export type VoidRefusal = 'not_found' | 'used' | 'voided' | 'expired'

export type CancelRefusal = Exclude<VoidRefusal, 'voided'> | 'too_late'

// What the holder of a PIN learns about its card.
export interface CardOfPin {
  id: CardId
  partnerId: number
  amount: bigint
  expiresOn: string
}

export type RedeemRefusal = 'absent' | 'used' | 'voided' | 'expired'

// The reason of a refusal is for the log and for a verified member. Every other caller gets one answer for all of
// them.
export type RedeemOutcome =
  // `points`: the holder's balance now. `again`: the same holder redeemed it before.
  | { kind: 'redeemed'; card: CardOfPin; points: bigint; again: boolean }
  | { kind: 'refused'; reason: RedeemRefusal }
