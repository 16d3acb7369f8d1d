import { entryOf } from '#base/text/untrusted-json.ts'
import type { Failure, MessageOutcome, Refusal } from './port.ts'

type Told = Extract<MessageOutcome, { kind: 'accepted' | 'delivered' | 'failed' }>

// Why a message was not taken, by its status code in the answer to sending.
const REFUSED: Readonly<Record<string, readonly [Refusal, retryable: boolean]>> = {
  1014: ['too_long', false],
  1020: ['unauthorized', true],
  1024: ['unreachable', true],
  1026: ['bad_request', true],
  1030: ['no_balance', true],
  1031: ['too_long', false],
  1041: ['sender_not_registered', false],
  1042: ['no_template', false],
  1043: ['template_mismatch', false],
  1044: ['template_mismatch', false],
  1045: ['template_mismatch', false],
  1046: ['template_mismatch', false],
  1047: ['template_mismatch', false],
  1052: ['template_mismatch', false],
  1058: ['unreachable', true],
  1062: ['sender_not_registered', false],
  1064: ['sender_not_registered', false],
}

// Why a message did not arrive. Codes that are not here end as their first digit says.
const FAILED: Readonly<Record<string, readonly [Failure, retryable: boolean]>> = {
  1030: ['rejected', true],
  1060: ['blocked_by_recipient', false],
  1061: ['blocked_by_recipient', false],
  2024: ['rejected', true],
  2060: ['blocked_by_recipient', false],
  2061: ['blocked_by_recipient', false],
  2230: ['rejected', true],
  2254: ['filtered_as_spam', false],
  3010: ['bad_number', false],
  3011: ['rejected', false],
  3012: ['carrier_failed', true],
  3013: ['rejected', false],
  3024: ['carrier_failed', true],
  3031: ['carrier_failed', false],
  3032: ['bad_number', false],
  3040: ['expired_at_the_carrier', true],
  3041: ['phone_unreachable', true],
  3042: ['phone_unreachable', true],
  3043: ['phone_unreachable', true],
  3044: ['phone_unreachable', true],
  3045: ['phone_unreachable', true],
  3046: ['phone_unreachable', true],
  3047: ['blocked_by_recipient', false],
  3050: ['phone_unreachable', false],
  3051: ['phone_unreachable', true],
  3052: ['carrier_failed', true],
  3053: ['carrier_failed', true],
  3054: ['filtered_as_spam', false],
  3055: ['filtered_as_spam', false],
  3056: ['carrier_failed', true],
  3057: ['carrier_failed', true],
  3058: ['carrier_failed', true],
  3059: ['rejected', false],
  3060: ['rejected', false],
  3101: ['rejected', false],
  3102: ['blocked_by_recipient', false],
  3103: ['rejected', false],
  3104: ['not_a_messenger_user', false],
  3105: ['rejected', false],
  3106: ['rejected', false],
  3107: ['blocked_by_recipient', false],
  3108: ['rejected', true],
}

// A message's status in a report or in a list.
export function solapiStatus(code: string, messageId: string | null): Told {
  if (code === '4000') return { kind: 'delivered', messageId }
  if (code === '2000' || code === '3000') return { kind: 'accepted', messageId }
  const [reason, retryable] = entryOf(FAILED, code) ?? [
    code.startsWith('3') ? 'carrier_failed' : 'rejected',
    false,
  ]
  return { kind: 'failed', reason, retryable, messageId }
}

// A message's status in the answer to sending it, where 1xxx means that it was never taken.
export function solapiRegistration(code: string, messageId: string | null): MessageOutcome {
  if (!code.startsWith('1') || code === '1060' || code === '1061') return solapiStatus(code, messageId)
  const [reason, retryable] = entryOf(REFUSED, code) ?? ['bad_request', false]
  return { kind: 'refused', reason, retryable }
}

// A request refused as a whole: by its HTTP status, and by the name of its error where the status is a plain 400.
export function solapiRefusal(
  status: number,
  errorCode: string,
): Extract<MessageOutcome, { kind: 'refused' }> {
  const refused = (reason: Refusal, retryable: boolean) => ({ kind: 'refused', reason, retryable }) as const
  if (status === 429 || /TooMany|RateLimit|Throttl/i.test(errorCode)) return refused('rate_limited', true)
  if (status === 402 || /balance/i.test(errorCode)) return refused('no_balance', true)
  if (status === 401 || status === 403 || isAboutTheKey(errorCode)) return refused('unauthorized', true)
  return refused('bad_request', false)
}

function isAboutTheKey(errorCode: string): boolean {
  return /Signature|ApiKey|Unauthorized|Forbidden|TimeTooSkewed|AccessDenied/i.test(errorCode)
}
