import { isCleanText } from '#base/text/text.ts'
import type { Payment, PaymentRefusal, WaitingPayment } from './types.ts'

const MAX_WON = 1_000_000_000_000_000n // as for credit: far above any use, exact in JSON

// Blanks are how banks and people differ, and not what makes two payments. Undefined: no reference.
export function toReference(typed: string): string | undefined {
  const reference = typed.normalize('NFC').trim().replace(/ +/g, ' ')
  return reference.length >= 1 && reference.length <= 100 && isCleanText(reference) ? reference : undefined
}

interface PaymentFacts {
  won: bigint
  // The partner may pay more than it owes.
  prepay: boolean
  // Negative: prepaid.
  owed: bigint
  // Under the same reference.
  booked: Pick<Payment, 'amount' | 'reversedAt'> | undefined
  waiting: WaitingPayment | undefined
}

type Decision =
  | { kind: 'new' }
  // The same command again.
  | { kind: 'booked' }
  | { kind: 'waiting' }
  | { kind: 'refused'; reason: PaymentRefusal }

const refused = (reason: PaymentRefusal) => ({ kind: 'refused', reason }) as const

// Asked when a payment is requested, and again, with nothing waiting, when it is approved.
export function decidePayment({ won, prepay, owed, booked, waiting }: PaymentFacts): Decision {
  if (won < 1n || won > MAX_WON) return refused('amount_out_of_bounds')
  if (booked?.reversedAt) return refused('reference_reversed')
  if (booked) return booked.amount === won ? { kind: 'booked' } : refused('reference_booked')
  if (waiting) return waiting.amount === won ? { kind: 'waiting' } : refused('reference_waits')
  if (won > owed && !prepay) return refused('more_than_owed')
  return won - owed > MAX_WON ? refused('too_much_prepaid') : { kind: 'new' }
}
