export const CHANNELS = ['alimtalk', 'text'] as const
export type Channel = (typeof CHANNELS)[number]

// A card's message to its recipient, or a notice to a member. Each kind has its own table of this name; states and
// rules are the same.
export type MessageKind = 'delivery' | 'notice'

// gift: the message of the purchase. resend: the same again, on request. reminder: before the card expires.
// cancellation: to the recipient of a card that was cancelled.
export const PURPOSES = ['gift', 'resend', 'reminder', 'cancellation'] as const
export type Purpose = (typeof PURPOSES)[number]

export type Status = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown'

// Which of a card's messages: the same for every attempt at it.
export interface DeliveryKey {
  cardId: string
  channel: Channel
  purpose: Purpose
  ordinal: number
}

// What is known about one attempt: from the provider's answer, a report, or a later status query.
export type MessageOutcome =
  | { kind: 'accepted'; messageId: string | null }
  | { kind: 'delivered'; messageId: string | null }
  | { kind: 'failed'; reason: string; retryable: boolean; messageId: string | null }
  | { kind: 'refused'; reason: string; retryable: boolean }
  | { kind: 'unknown'; reason: string }
  | { kind: 'absent' }

export interface AttemptOutcome {
  id: bigint
  attempt: number
  outcome: MessageOutcome
}

// A message as it stands, locked.
export interface DeliveryState {
  id: bigint
  channel: Channel
  status: Status
  attempt: number
  // An attempt is under way.
  claimed: boolean
  settled: boolean
  provider: string | null
  messageId: string | null
  reason: string | null
  barred: readonly string[]
  avoided: readonly string[]
  // Attempts that a carrier could not deliver; attempts that were in doubt, and had never arrived.
  failures: number
  absences: number
  // Since the first attempt began, and since the last one did, by the real clock; 0 if there was none.
  tryingMs: number
  triedMs: number
}

// What becomes of it. `dueInMs` is null when nothing more is to be done.
export interface DeliveryChange {
  id: bigint
  status: Status
  provider: string | null
  messageId: string | null
  reason: string | null
  retryable: boolean | null
  barred: readonly string[]
  avoided: readonly string[]
  failures: number
  absences: number
  dueInMs: number | null
  // Told in its history; otherwise only the next look at it has moved.
  isNews: boolean
}

// A provider as the rules know it, in order of preference.
export interface Provider {
  name: string
  channels: readonly Channel[]
  pollAfterMs: number
  absentAfterMs: number
  retryAfterMs: number
}

// Why a message is no longer worth sending. A cancellation is dropped if the card never reached its recipient, or if
// a text replaces it.
export type Dropped = 'card_used' | 'card_voided' | 'card_expired' | 'card_unsent' | 'told_by_text'

// Of messages that may be sent now.
export interface Wanted {
  ids: readonly bigint[]
  // Also those of which an attempt was in doubt.
  withDoubtful: boolean
}

// A message that may be sent now, locked.
export interface Sendable {
  state: DeliveryState
  dropped: Dropped | null
  // For what becomes of another message of its card.
  waits: boolean
}

// An attempt that this database has lost, and its provider knows.
export interface FoundAttempt {
  attempt: number
  provider: string
  messageId: string | null
  sentAt: Temporal.Instant
}

interface DeliveryEvent {
  at: Temporal.Instant
  status: Status
  attempt: number
  reason: string | null
}

// As the partner that bought the card may see it.
export interface DeliveryView {
  channel: Channel
  purpose: Purpose
  status: Status
  reason: string | null
  retryable: boolean | null
  attempts: number
  createdAt: Temporal.Instant
  sentAt: Temporal.Instant | null
  settledAt: Temporal.Instant | null
  events: DeliveryEvent[]
}

// A partner sees the first that applies.
export type ResendRefusal = 'not_found' | 'not_valid' | 'on_its_way' | 'too_soon' | 'too_often'

// The messages of a card so far, without reminders.
export interface SendsOfCard {
  // Its last day is over.
  isPast: boolean
  sends: readonly {
    channel: Channel
    purpose: Purpose
    ordinal: number
    // Still to be sent, or unknown.
    isOpen: boolean
    ageSeconds: number
  }[]
}
