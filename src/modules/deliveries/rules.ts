import { randomInt } from 'node:crypto'
import { isUuid } from '#base/ids.ts'
import {
  type AttemptOutcome,
  CHANNELS,
  type DeliveryChange,
  type DeliveryKey,
  type DeliveryState,
  type MessageOutcome,
  type Provider,
  PURPOSES,
  type Sendable,
} from './types.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

// An attempt is taken for lost after this: longer than a provider is waited for, however many requests it takes.
export const LEASE_MS = 45 * SECOND
export const MOST_TOGETHER = 200 // a provider answers for so many in well under its ten seconds
const FAILED_TRIES = 4 // of messages that a carrier could not deliver at the moment
const REFUSED_FOR_MS = 24 * HOUR // a provider's bad day is waited out; a card's message is worth that long
const UNKNOWN_FOR_MS = 24 * HOUR
const UNREPORTED_FOR_MS = 72 * HOUR // carriers give up after a day or two, and then say so
const OTHER_MS = 30 * SECOND // until the outcome of a card's other message may be known
const NOBODY_MS = 5 * SECOND // until a provider may be there again

export function formatKey({ cardId, channel, purpose, ordinal }: DeliveryKey): string {
  return `${cardId}.${channel}.${purpose}.${ordinal}`
}

export function parseKey(text: string): DeliveryKey | undefined {
  const [cardId = '', channelText, purposeText, ordinalText = '', ...rest] = text.split('.')
  const channel = CHANNELS.find((name) => name === channelText)
  const purpose = PURPOSES.find((name) => name === purposeText)
  if (!isUuid(cardId) || !channel || !purpose || !/^\d{1,4}$/.test(ordinalText) || rest.length > 0)
    return undefined
  return { cardId: cardId.toLowerCase(), channel, purpose, ordinal: Number(ordinalText) }
}

// The key of a notice. Its third part tells it from a card's message.
export function formatNoticeKey(key: string): string {
  return `${key}.text.notice.0`
}

export function parseNoticeKey(text: string): string | undefined {
  const [key = '', ...rest] = text.split('.')
  return isUuid(key) && rest.join('.') === 'text.notice.0' ? key.toLowerCase() : undefined
}

// Chooses the provider for this attempt: the first that accepts messages, preferably one that did not just refuse
// this one. If there is none, the message ends or waits for a provider.
export function planAttempt(
  { state, dropped, waits }: Sendable,
  available: readonly string[],
): { provider: string } | { change: DeliveryChange } {
  if (dropped) return { change: end(state, 'failed', dropped, false) }
  if (waits) return { change: { ...keep(state), dueInMs: OTHER_MS } }
  const open = available.filter((name) => !state.barred.includes(name))
  const provider = open.find((name) => !state.avoided.includes(name)) ?? open[0]
  if (provider !== undefined) return { provider }
  if (state.tryingMs > REFUSED_FOR_MS)
    return { change: end(state, 'failed', state.reason ?? 'unreachable', true) }
  return { change: { ...keep(state), dueInMs: NOBODY_MS } }
}

// Nothing of it is under way.
export function isWaiting({ status, claimed }: DeliveryState): boolean {
  return status === 'queued' && !claimed
}

// A message that was not sent yet, of a card that was cancelled.
export function dropUnsent(state: DeliveryState): DeliveryChange {
  return end(state, 'failed', 'card_voided', false)
}

// The state machine of one message. Outcomes come late, twice, out of order, and before our own commit of the attempt.
// Undefined if one changes nothing.
export function decide(
  state: DeliveryState,
  reported: AttemptOutcome,
  providers: readonly Provider[],
): DeliveryChange | undefined {
  const { outcome } = reported
  const isPresent = reported.attempt === state.attempt
  // Delivered is final, whichever attempt it was and whatever the state said before.
  if (outcome.kind === 'delivered') {
    return state.status === 'delivered'
      ? undefined
      : {
          ...end(state, 'delivered', null),
          messageId: isPresent ? (outcome.messageId ?? state.messageId) : state.messageId,
        }
  }
  if (state.settled || !isPresent) return undefined
  const provider = providers.find(({ name }) => name === state.provider)
  switch (outcome.kind) {
    case 'accepted':
      return isOver(state) ? undefined : accept(state, outcome, provider)
    case 'failed':
      return isOver(state) ? undefined : fail(state, outcome, provider)
    case 'refused':
      return state.claimed || state.status === 'unknown' ? refuse(state, outcome, providers) : undefined
    case 'unknown':
      return doubt(state, outcome, provider)
    case 'absent':
      return miss(state, provider, providers)
  }
}

// It waits for its next attempt, since this one came to its end. Not so if it was only not found: then it may turn up.
function isOver(state: DeliveryState): boolean {
  return state.status === 'queued' && !state.claimed && state.reason !== 'absent'
}

function accept(
  state: DeliveryState,
  outcome: Extract<MessageOutcome, { kind: 'accepted' }>,
  provider: Provider | undefined,
): DeliveryChange {
  if (state.status === 'accepted' && state.triedMs > UNREPORTED_FOR_MS)
    return end(state, 'unknown', 'no_report')
  const pollAfterMs = provider?.pollAfterMs ?? MINUTE
  const soonest = state.status === 'accepted' ? Math.max(pollAfterMs, state.triedMs / 2) : pollAfterMs
  return {
    ...keep(state),
    status: 'accepted',
    messageId: outcome.messageId ?? state.messageId,
    reason: null,
    dueInMs: Math.min(soonest, HOUR),
    isNews: state.status !== 'accepted',
  }
}

function fail(
  state: DeliveryState,
  outcome: Extract<MessageOutcome, { kind: 'failed' }>,
  provider: Provider | undefined,
): DeliveryChange {
  const failures = state.failures + 1
  const known = { messageId: outcome.messageId ?? state.messageId, failures }
  if (!outcome.retryable || failures >= FAILED_TRIES)
    return { ...end(state, 'failed', outcome.reason, outcome.retryable), ...known }
  // A phone that is off stays off for a while.
  const dueInMs = (provider?.retryAfterMs ?? MINUTE) * 5 ** (failures - 1)
  return { ...keep(state), ...known, status: 'queued', reason: outcome.reason, dueInMs, isNews: true }
}

// Faults of the message itself. An operator can repair every other cause.
const HOPELESS = ['too_long', 'bad_request']

// Certainly not taken.
function refuse(
  state: DeliveryState,
  { reason, retryable }: Extract<MessageOutcome, { kind: 'refused' }>,
  providers: readonly Provider[],
): DeliveryChange {
  const barred = retryable ? state.barred : [...state.barred, state.provider ?? '']
  return tryElsewhere({ ...state, barred }, reason, providers)
}

// The next provider is tried at once, and all of them again later, as long as one might take it.
function tryElsewhere(state: DeliveryState, reason: string, providers: readonly Provider[]): DeliveryChange {
  const avoided = [...state.avoided, state.provider ?? '']
  const open = providers.filter(
    ({ name, channels }) => channels.includes(state.channel) && !state.barred.includes(name),
  )
  if (open.length === 0) return end(state, 'failed', reason, !HOPELESS.includes(reason))
  if (state.tryingMs > REFUSED_FOR_MS) return end(state, 'failed', reason, true)
  const another = open.some(({ name }) => !avoided.includes(name))
  return {
    ...keep(state),
    status: 'queued',
    reason,
    avoided: another ? avoided : [],
    dueInMs: another ? 0 : backoff(state),
    isNews: true,
  }
}

// It may have been taken: to be asked about.
function doubt(
  state: DeliveryState,
  { reason }: Extract<MessageOutcome, { kind: 'unknown' }>,
  provider: Provider | undefined,
): DeliveryChange | undefined {
  // An answer that could not be had to a question: it stays what it was, and is asked about later.
  if (state.status === 'accepted') return accept(state, { kind: 'accepted', messageId: null }, provider)
  if (state.status === 'queued' && !state.claimed) return undefined
  const isNews = state.status !== 'unknown'
  if (!isNews && state.triedMs > UNKNOWN_FOR_MS) return end(state, 'unknown', 'given_up')
  return {
    ...keep(state),
    status: 'unknown',
    reason: isNews ? reason : state.reason,
    dueInMs: nextQueryMs(state, provider),
    isNews,
  }
}

// Asked for and not there: after a time in which it would have arrived, it was never taken.
function miss(
  state: DeliveryState,
  provider: Provider | undefined,
  providers: readonly Provider[],
): DeliveryChange | undefined {
  if (state.status === 'accepted') return accept(state, { kind: 'accepted', messageId: null }, provider)
  if (state.status !== 'unknown') return undefined
  if (!provider || state.triedMs < provider.absentAfterMs)
    return { ...keep(state), dueInMs: nextQueryMs(state, provider) }
  return { ...tryElsewhere(state, 'absent', providers), absences: state.absences + 1 }
}

// How many messages may share a request. One that makes a provider fail takes its whole request down. So a message in
// doubt travels with ever fewer others, and soon alone.
export function companyOf(absences: number): number {
  return Math.max(1, MOST_TOGETHER >> (3 * absences))
}

// Sooner at first; and right when an absence begins to mean something.
function nextQueryMs({ triedMs }: DeliveryState, provider: Provider | undefined): number {
  const later = Math.min(Math.max(SECOND, triedMs / 2), 10 * MINUTE)
  const left = (provider?.absentAfterMs ?? 0) - triedMs
  return left > 0 ? Math.min(later, left + 10) : later
}

function backoff({ attempt }: DeliveryState): number {
  const base = Math.min(2 * SECOND * 2 ** (attempt - 1), 10 * MINUTE)
  return base + randomInt(Math.ceil(base / 4)) // apart, so that a provider that comes back is not overrun
}

function keep(state: DeliveryState): DeliveryChange {
  const { id, status, provider, messageId, reason, barred, avoided, failures, absences } = state
  return {
    id,
    status,
    provider,
    messageId,
    reason,
    barred,
    avoided,
    failures,
    absences,
    retryable: null,
    dueInMs: 0,
    isNews: false,
  }
}

function end(
  state: DeliveryState,
  status: 'delivered' | 'failed' | 'unknown',
  reason: string | null,
  retryable: boolean | null = null,
): DeliveryChange {
  return { ...keep(state), status, reason, retryable, dueInMs: null, isNews: true }
}

const MENDABLE =
  /^(?:no_|template_|sender_|unauthorized|un(?:readable|encodable)|variables_|too_long|bad_request|given_up)/

// An end whose cause an operator can repair, unlike a phone that is off or a recipient without a messenger.
export function isMendable(reason: string | null): boolean {
  return MENDABLE.test(reason ?? '')
}
