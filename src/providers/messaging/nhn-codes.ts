import { entryOf } from '#base/text/untrusted-json.ts'
import type { Channel, Failure, MessageOutcome, Refusal } from './port.ts'

type Told = Extract<MessageOutcome, { kind: 'accepted' | 'delivered' | 'failed' }>
type Refusals = Readonly<Record<string, readonly [Refusal, retryable: boolean]>>
type Failures = Readonly<Record<string, readonly [Failure, retryable: boolean]>>

// Result codes of the API, in the header and for each recipient. The two products number alike and mean otherwise.
const REFUSED: Readonly<Record<Channel, Refusals>> = {
  alimtalk: {
    '-1000': ['unauthorized', true],
    '-1001': ['unauthorized', true],
    '-1006': ['sender_not_registered', false],
    '-1014': ['sender_not_registered', false],
    '-1017': ['rate_limited', true],
    '-1027': ['sender_not_registered', false],
    '-1030': ['unauthorized', true],
    '-2000': ['too_long', false],
    '-2017': ['sender_not_registered', false],
    '-2019': ['too_long', false],
    '-3003': ['no_template', false],
    '-3004': ['template_mismatch', false],
    '-3005': ['no_template', false],
    '-3010': ['template_mismatch', false],
    '-3011': ['template_mismatch', false],
    '-3048': ['too_long', false],
    '-3049': ['template_mismatch', false],
    '-4002': ['unauthorized', true],
    '-4004': ['unauthorized', true],
    '-4005': ['unauthorized', true],
  },
  text: {
    '-1000': ['unauthorized', true],
    '-1001': ['unauthorized', true],
    '-1002': ['unauthorized', true],
    '-1004': ['unauthorized', true],
    '-1008': ['unauthorized', true],
    '-2015': ['too_long', false],
    '-2312': ['sender_not_registered', false],
    '-2313': ['sender_not_registered', false],
  },
}

// The request may have been taken: a repeated idempotency key says that an earlier one was, the others that
// something broke behind the API.
const DOUBTFUL: Readonly<Record<Channel, ReadonlySet<string>>> = {
  alimtalk: new Set(['-1005', '-7000', '-9999']),
  text: new Set(['-2021', '-9999']),
}

const FAILED: Readonly<Record<Channel, Failures>> = {
  alimtalk: {
    1020: ['bad_number', false],
    2001: ['carrier_failed', true],
    3000: ['carrier_failed', true],
    // Sent, not confirmed, and it may still be read within three days: sending again could double it.
    3005: ['expired_at_the_carrier', false],
    3006: ['carrier_failed', true],
    3008: ['bad_number', false],
    3012: ['carrier_failed', true],
    // Cannot be received: not a user, or not a recent one, or blocked.
    3018: ['not_a_messenger_user', false],
    3019: ['not_a_messenger_user', false],
    3020: ['blocked_by_recipient', false],
    3021: ['not_a_messenger_user', false],
    9998: ['carrier_failed', true],
    9999: ['carrier_failed', true],
  },
  text: {
    1001: ['carrier_failed', true],
    1002: ['bad_number', false],
    1003: ['rejected', false],
    1019: ['expired_at_the_carrier', true],
    2000: ['expired_at_the_carrier', true],
    2001: ['carrier_failed', true],
    2002: ['carrier_failed', true],
    2003: ['phone_unreachable', true],
    2004: ['phone_unreachable', true],
    2005: ['phone_unreachable', true],
    2006: ['carrier_failed', true],
    2007: ['phone_unreachable', true],
    3001: ['bad_number', false],
    3003: ['bad_number', false],
    3004: ['phone_unreachable', true],
    3005: ['phone_unreachable', true],
    3006: ['blocked_by_recipient', false],
    3008: ['phone_unreachable', true],
    3010: ['phone_unreachable', false],
    3011: ['carrier_failed', true],
    3012: ['filtered_as_spam', false],
    3013: ['blocked_by_recipient', false],
    3014: ['carrier_failed', false],
    3015: ['carrier_failed', true],
  },
}

export function nhnRefusal(channel: Channel, code: string): MessageOutcome {
  if (DOUBTFUL[channel].has(code)) {
    return { kind: 'unknown', reason: code === '-1005' ? 'not_mentioned' : 'server_error' }
  }
  const [reason, retryable] = entryOf(REFUSED[channel], code) ?? ['bad_request', false]
  return { kind: 'refused', reason, retryable }
}

function nhnFailure(channel: Channel, code: string, messageId: string | null): Told {
  const [reason, retryable] = entryOf(FAILED[channel], code) ?? ['rejected', false]
  return { kind: 'failed', reason, retryable, messageId }
}

// A record of a message, in a list (`messageStatus` for notifications, `msgStatus` for texts) or in a report.
export function nhnStatus(
  channel: Channel,
  status: string | undefined,
  code: string | undefined,
  messageId: string | null,
): Told {
  if (isSuccess(status, code)) return { kind: 'delivered', messageId }
  if (isUnderWay(status, code)) return { kind: 'accepted', messageId }
  return nhnFailure(channel, code ?? '', messageId)
}

function isSuccess(status: string | undefined, code: string | undefined): boolean {
  const good = code === undefined || code === '1000' || code === 'MRC01'
  return status === undefined ? good && code !== undefined : good && /^(?:COMPLETED|3)$/.test(status)
}

function isUnderWay(status: string | undefined, code: string | undefined): boolean {
  return status === undefined
    ? code === undefined
    : !/^(?:COMPLETED|FAILED|CANCEL|DUPLICATED|FAILED_AD|[03456])$/.test(status)
}
