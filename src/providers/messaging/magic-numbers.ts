import type { Channel, Failure } from './port.ts'

// Numbers that misbehave on purpose: 010-0000-NNNN, where NNNN chooses how. The simulated provider and the
// stand-ins of the real ones share this table, and the documentation is made from it.

export type Magic =
  // Taken, and reported as failed: on these channels, and with `once` for the first attempt only.
  | { kind: 'fails'; reason: Failure; channels: readonly Channel[]; once: boolean; code: MagicCodes }
  // What happens to the request of a first attempt. Later attempts are taken as usual.
  | { kind: 'request'; fault: RequestFault }
  // Taken and delivered, and no report is posted.
  | { kind: 'never_reported' }
  // The first provider has no balance left for it; another one takes it.
  | { kind: 'no_balance' }

export const REQUEST_FAULTS = [
  'slow',
  'error_500',
  'accepted_then_500',
  'reset_before',
  'reset_after',
  'timeout_after',
  'rate_limited',
] as const
export type RequestFault = (typeof REQUEST_FAULTS)[number]

// How the providers call the failure.
interface MagicCodes {
  solapi: string
  nhn: Readonly<Record<Channel, string>>
}

const BOTH = ['alimtalk', 'text'] as const

export const MAGIC_NUMBERS: Readonly<Record<string, { does: { en: string; ko: string }; magic: Magic }>> = {
  '3104': {
    does: {
      en: 'No KakaoTalk user: the notification fails, the text message arrives.',
      ko: '카카오톡을 쓰지 않는 번호: 알림톡은 실패하고 문자는 도착해요.',
    },
    magic: {
      kind: 'fails',
      reason: 'not_a_messenger_user',
      channels: ['alimtalk'],
      once: false,
      code: { solapi: '3104', nhn: { alimtalk: '3019', text: '1000' } },
    },
  },
  '3107': {
    does: {
      en: 'Blocks the KakaoTalk channel: the notification fails, the text message arrives.',
      ko: '카카오톡 채널을 차단한 번호: 알림톡은 실패하고 문자는 도착해요.',
    },
    magic: {
      kind: 'fails',
      reason: 'blocked_by_recipient',
      channels: ['alimtalk'],
      once: false,
      code: { solapi: '3107', nhn: { alimtalk: '3020', text: '1000' } },
    },
  },
  '3032': {
    does: {
      en: 'Not in service: both messages fail.',
      ko: '없는 번호: 둘 다 실패해요.',
    },
    magic: {
      kind: 'fails',
      reason: 'bad_number',
      channels: BOTH,
      once: false,
      code: { solapi: '3032', nhn: { alimtalk: '3008', text: '3001' } },
    },
  },
  '3043': {
    does: {
      en: 'Switched off: the first attempt fails, the second arrives.',
      ko: '꺼진 전화: 첫 시도는 실패하고 두 번째에 도착해요.',
    },
    magic: {
      kind: 'fails',
      reason: 'phone_unreachable',
      channels: BOTH,
      once: true,
      code: { solapi: '3043', nhn: { alimtalk: '3006', text: '2003' } },
    },
  },
  '3054': {
    does: {
      en: 'Filtered as spam: the text message fails, the notification arrives.',
      ko: '스팸으로 걸러지는 번호: 문자는 실패하고 알림톡은 도착해요.',
    },
    magic: {
      kind: 'fails',
      reason: 'filtered_as_spam',
      channels: ['text'],
      once: false,
      code: { solapi: '3054', nhn: { alimtalk: '1000', text: '3012' } },
    },
  },
  '1030': {
    does: {
      en: 'The first provider’s account is empty: it refuses, and the other provider takes the message.',
      ko: '첫 발송사의 잔액이 없어 다른 발송사가 보내요.',
    },
    magic: { kind: 'no_balance' },
  },
  '4000': {
    does: {
      en: 'Arrives, but no report of it is posted: only asking finds it.',
      ko: '도착하지만 결과가 통보되지 않아, 조회해야 알 수 있어요.',
    },
    magic: { kind: 'never_reported' },
  },
  '4290': {
    does: {
      en: 'The first attempt is refused for coming too fast.',
      ko: '첫 시도가 너무 빠르다며 거절돼요.',
    },
    magic: { kind: 'request', fault: 'rate_limited' },
  },
  '5000': {
    does: {
      en: 'The first attempt is answered with 500 and was not taken.',
      ko: '첫 시도에 500을 답하고 접수하지 않아요.',
    },
    magic: { kind: 'request', fault: 'error_500' },
  },
  '5001': {
    does: {
      en: 'The first attempt is taken and then answered with 500.',
      ko: '첫 시도를 접수하고 500을 답해요.',
    },
    magic: { kind: 'request', fault: 'accepted_then_500' },
  },
  '5002': {
    does: {
      en: 'The connection is reset before the first attempt is taken.',
      ko: '첫 시도가 접수되기 전에 연결이 끊겨요.',
    },
    magic: { kind: 'request', fault: 'reset_before' },
  },
  '5003': {
    does: {
      en: 'The connection is reset after the first attempt was taken.',
      ko: '첫 시도가 접수된 뒤에 연결이 끊겨요.',
    },
    magic: { kind: 'request', fault: 'reset_after' },
  },
  '5004': {
    does: {
      en: 'The first attempt is taken and never answered.',
      ko: '첫 시도를 접수하고 답하지 않아요.',
    },
    magic: { kind: 'request', fault: 'timeout_after' },
  },
  '5005': {
    does: {
      en: 'The first attempt is taken, and answered slowly.',
      ko: '첫 시도를 접수하고 늦게 답해요.',
    },
    magic: { kind: 'request', fault: 'slow' },
  },
}

// In either form, +821000003104 or 01000003104.
export function magicOf(to: string): Magic | undefined {
  const digits = /^(?:\+82|0)100000(\d{4})$/.exec(to)?.[1]
  return digits === undefined ? undefined : MAGIC_NUMBERS[digits]?.magic
}

// The failure that awaits a message after it was taken.
export function failureAwaiting(to: string, channel: Channel, attempt: number) {
  const magic = magicOf(to)
  if (magic?.kind !== 'fails' || !magic.channels.includes(channel)) return undefined
  return magic.once && attempt > 1 ? undefined : magic
}

// What happens to the request a message travels in.
export function requestFaultOf(to: string, attempt: number): RequestFault | undefined {
  const magic = magicOf(to)
  return magic?.kind === 'request' && attempt === 1 ? magic.fault : undefined
}
