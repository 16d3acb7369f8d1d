// A partner's payment of its debt.
export interface Payment {
  // The id of the request that two people agreed on.
  id: string
  partnerId: number
  // The bank's word for it: one payment of a partner, for good.
  reference: string
  amount: bigint
  at: Temporal.Instant
  reversedAt: Temporal.Instant | null
}

// A payment that waits for a second person.
export interface WaitingPayment {
  amount: bigint
}

// The first that applies.
export type PaymentRefusal =
  | 'amount_out_of_bounds'
  | 'reference_reversed'
  | 'reference_booked'
  | 'reference_waits'
  | 'more_than_owed'
  | 'too_much_prepaid'
