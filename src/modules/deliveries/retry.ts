import { decideResend } from './resend.ts'
import type { Channel, Purpose, ResendRefusal, Status } from './types.ts'

// Why a failed message is left alone. The first that applies.
export type RetryRefusal =
  | 'not_failed'
  | 'not_retryable'
  | Exclude<ResendRefusal, 'not_found'>
  // The recipient has the card by another message.
  | 'arrived'
  // A later message on this channel failed as well: that is the one to retry.
  | 'superseded'

// A message of a card, without reminders and cancellations.
export interface EarlierSend {
  id: bigint
  channel: Channel
  purpose: Purpose
  ordinal: number
  status: Status
  isOpen: boolean
  ageSeconds: number
}

export interface RetryFacts {
  card: { status: string; isPast: boolean }
  message: { id: bigint; channel: Channel; purpose: Purpose; status: Status }
  sends: readonly EarlierSend[]
}

// A provider may have it, even if nobody has heard of it for long.
const MAY_ARRIVE: readonly Status[] = ['queued', 'accepted', 'unknown']

// Whether a failed message is sent again: as a resend, on its own channel. What a provider may have is never sent twice.
export function decideRetry({
  card,
  message,
  sends,
}: RetryFacts): { ordinal: number } | { reason: RetryRefusal; retryAfterSeconds?: number } {
  if (message.status !== 'failed') return { reason: 'not_failed' }
  if (message.purpose !== 'gift' && message.purpose !== 'resend') return { reason: 'not_retryable' }
  const own = sends.filter(({ channel }) => channel === message.channel)
  if (card.status !== 'issued' || card.isPast) return { reason: 'not_valid' }
  if (sends.some(({ status }) => status === 'delivered')) return { reason: 'arrived' }
  if (own.some(({ status }) => MAY_ARRIVE.includes(status))) return { reason: 'on_its_way' }
  if (own.some(({ id }) => id > message.id)) return { reason: 'superseded' }
  // The limits of every resend, by channel: both channels of a card may be retried together.
  const decision = decideResend({ ...card, sends: own })
  if (!('reason' in decision)) return { ordinal: decision.ordinal }
  return decision as { reason: Exclude<ResendRefusal, 'not_found'>; retryAfterSeconds?: number }
}
