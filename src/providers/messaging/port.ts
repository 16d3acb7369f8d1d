// What the service asks of a messaging provider. A provider's own codes and texts end here: what comes back is in our
// words, and nothing of it quotes a person.

export type Channel = 'alimtalk' | 'text'

export const PROVIDERS = ['solapi', 'nhn', 'simulated'] as const
export type ProviderName = (typeof PROVIDERS)[number]

export interface OutgoingMessage {
  // The same for every attempt at one delivery. It travels with the message and comes back with every report.
  key: string
  attempt: number
  // E.164.
  to: string
  content: AlimtalkContent | TextContent
}

interface AlimtalkContent {
  channel: 'alimtalk'
  // What each provider calls the approved template.
  templateIds: Readonly<Partial<Record<ProviderName, string>>>
  // By name, as in the template between `#{` and `}`.
  variables: Readonly<Record<string, string>>
  // What the recipient will read, for checks of length.
  text: string
}

interface TextContent {
  channel: 'text'
  subject: string
  text: string
}

// Why a message did not arrive, in our words. Recipient: nothing but another number or channel helps.
export type Failure =
  | 'not_a_messenger_user'
  | 'blocked_by_recipient'
  | 'bad_number'
  | 'phone_unreachable'
  | 'carrier_failed'
  | 'filtered_as_spam'
  | 'expired_at_the_carrier'
  | 'rejected'

// Why a provider did not take a message: certain, so it may be tried again, here or with another provider.
export type Refusal =
  | 'unreachable'
  | 'circuit_open'
  | 'rate_limited'
  | 'unauthorized'
  | 'no_balance'
  | 'no_template'
  | 'template_mismatch'
  | 'sender_not_registered'
  | 'too_long'
  | 'bad_request'

type Doubt = 'timeout' | 'connection_lost' | 'server_error' | 'answer_unreadable' | 'not_mentioned'

// What a provider says of one message.
export type MessageOutcome =
  | { kind: 'accepted'; messageId: string | null }
  | { kind: 'delivered'; messageId: string | null }
  | { kind: 'failed'; reason: Failure; retryable: boolean; messageId: string | null }
  // Certainly not taken. `retryable`: the same request may be taken later; otherwise only another provider may.
  | { kind: 'refused'; reason: Refusal; retryable: boolean }
  // It may have been taken: to be asked about, never sent again blindly.
  | { kind: 'unknown'; reason: Doubt }
  // Asked for, and not there.
  | { kind: 'absent' }

export interface Asked {
  key: string
  attempt: number
  channel: Channel
  to: string
  messageId: string | null
  // When the attempt began, by the real clock.
  sentAt: Temporal.Instant
}

// A message of ours in a provider's list.
export interface ListedMessage {
  key: string
  attempt: number
  channel: Channel
  // In the national form; null if the list does not say.
  to: string | null
  messageId: string
  sentAt: Temporal.Instant
  delivered: boolean
}

export interface ListWindow {
  from: Temporal.Instant
  until: Temporal.Instant
}

// One page of a list. `next` is null on the last one. `unknown`: it cannot be read now.
export type ListedPage =
  | { kind: 'page'; messages: ListedMessage[]; next: string | null }
  | { kind: 'unknown'; reason: Doubt }

// A report that came in by itself.
export interface Report {
  key: string
  attempt: number
  outcome: Extract<MessageOutcome, { kind: 'accepted' | 'delivered' | 'failed' }>
}

export interface MessagingProvider {
  readonly name: ProviderName
  readonly channels: readonly Channel[]
  // At most this many messages in one call of send().
  readonly maxBatch: number
  // Without a report, when to ask; and from when on an absent message was certainly never taken.
  readonly pollAfterMs: number
  readonly absentAfterMs: number
  // How long a phone that was out of reach is left alone, the first time.
  readonly retryAfterMs: number
  // False while the channel's circuit is open: nothing would be sent.
  isAvailable(channel: Channel): boolean
  // All of one channel. Never throws; one word per message, in order. Ends within half a minute.
  send(messages: readonly OutgoingMessage[]): Promise<MessageOutcome[]>
  // Never throws; one word per question, in order. `unknown` if it cannot be asked now. Ends within half a minute.
  find(asked: readonly Asked[]): Promise<MessageOutcome[]>
  // Messages of ours that it took within a time, page by page; a cursor is the `next` of the page before. Never throws.
  list(window: ListWindow, cursor: string | null): Promise<ListedPage>
  // What it posts to /hooks/<name>. Undefined for a provider that posts nothing.
  readonly hook: ReportHook | undefined
  close(): Promise<void>
}

export interface ReportHook {
  // Whether it is really the provider who calls, by its headers (lower case).
  isAuthentic(headers: Readonly<Record<string, string | string[] | undefined>>): boolean
  // The reports in a parsed body that are about messages of ours; undefined if the body is no such thing.
  read(body: unknown): Report[] | undefined
}

// What is measured of a provider, handed in so that the port knows no metrics.
export interface ProviderWatch {
  onRequest(fields: { provider: ProviderName; call: 'send' | 'find'; outcome: string; ms: number }): void
  // A provider may have a circuit for each channel, or one for all of them.
  onCircuit(provider: ProviderName, channels: readonly Channel[], open: boolean): void
}
