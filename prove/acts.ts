// What the client asks for. Each act carries what makes a retry the same act: a key, a PIN, a quote, an id of the
// request, a person.
export type Act =
  | { kind: 'buy'; key: string; phoneNumber: string; amount: number }
  | { kind: 'signup'; person: string }
  | { kind: 'redeem'; member: number; giftId: string; pin: string; amount: number }
  | { kind: 'order'; member: number; quoteId: string }
  | { kind: 'withdraw'; member: number; requestId: string; amount: number }

// What an acknowledgement says of it.
export interface Acknowledged {
  // Of the card, the user, the order or the withdrawal.
  id: string
  // What it did to the member's holdings.
  moved?: Partial<Record<'KRW_POINT' | 'KRW' | 'XAU' | 'XAG', number>>
}

export type Outcome =
  | ({ kind: 'ok' } & Acknowledged)
  // The service said no, or no one listened there: nothing may have happened.
  | { kind: 'refused'; code: string }
  // No answer, or one that promises nothing (503): it may have happened.
  | { kind: 'unknown'; why: string }

export interface Entry {
  // Its number in the record.
  n: number
  act: Act
  outcome: Outcome
}
