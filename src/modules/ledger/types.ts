export const ASSETS = ['KRW_POINT', 'KRW', 'XAU', 'XAG'] as const
export type Asset = (typeof ASSETS)[number]

// Account ids are the database's own numbers.
export interface Transfer {
  groupId: string
  cardId: string | null
  debit: bigint
  credit: bigint
  amount: bigint
}
export type TransferKind =
  | 'issue'
  | 'void'
  | 'expire'
  | 'redeem'
  | 'grant'
  | 'buy'
  | 'sell'
  | 'withdraw'
  | 'withdraw_back'
  | 'withdraw_paid'
  | 'join'
  | 'waive'
  | 'partner_payment'
  | 'partner_payment_back'
  | 'bullion_buy'
  | 'bullion_sell'
  | 'adjust_up'
  | 'adjust_down'
  | 'refund'
  | 'refund_exchange'
  | 'refund_fee'
  | 'lapse'
  | 'commission'
  | 'commission_back'
  | 'commission_payment'
  | 'commission_payment_back'
