import type { ApiRequest } from '../../../../contract/console.gen.ts'
import type { Texts } from '../../../kit/language.tsx'
import type { BadgeLook } from '../values.tsx'

// What became of a request, by the word of the timeline.
export const REQUEST_WORDS: Texts<Record<string, string>> = {
  ko: {
    'request.done': 'API 요청 처리',
    'request.refused': 'API 요청 거절',
    'request.failed': 'API 요청 실패',
    'request.hung_up': 'API 요청 중 연결 끊김',
  },
  en: {
    'request.done': 'API request done',
    'request.refused': 'API request refused',
    'request.failed': 'API request failed',
    'request.hung_up': 'API caller hung up',
  },
}

export function outcomeOf(status: number): { word: string; look: BadgeLook } {
  if (status < 400) return { word: 'request.done', look: 'good' }
  // 499: the caller gave up before the answer came, so nobody refused anything.
  if (status === 499) return { word: 'request.hung_up', look: 'warn' }
  return status < 500 ? { word: 'request.refused', look: 'warn' } : { word: 'request.failed', look: 'bad' }
}

export const AUDIENCE_WORDS: Texts<Record<ApiRequest['audience'], string>> = {
  ko: { partner: '제휴사 API', member: '회원 화면', console: '콘솔', none: '없는 주소' },
  en: { partner: 'Partner API', member: "Member's pages", console: 'Console', none: 'Unknown path' },
}

// Why it was refused. What has no words here is the name of a bad field.
export const CAUSE_WORDS: Texts<Record<string, string>> = {
  ko: {
    no_key: 'API 키 없음',
    not_a_key: 'API 키 형식이 아님',
    wrong_mode: '다른 모드(테스트·운영)의 키',
    bad_checksum: '잘못 옮긴 키',
    unknown_key: '없는 키',
    wrong_secret: '키의 비밀 부분이 다름',
    key_revoked: '종료된 키',
    key_expired: '만료된 키',
    address_not_listed: '등록되지 않은 네트워크',
    partner_not_listed: '그 제휴사의 네트워크가 아님',
    other_partner: '다른 제휴사의 이름',
    scope_missing: '키에 없는 권한 범위',
    partner_suspended: '정지된 제휴사',
    user_suspended: '정지된 사용자',
    credit_limit: '한도 초과',
    amount_out_of_bounds: '허용 금액 밖',
    not_found: '없음',
    key_taken: '이미 쓰는 사용자 키',
    other_key: '다른 사용자 키로 등록된 사람',
    key_reused: '다른 요청에 쓴 멱등 키',
    no_session: '로그인하지 않음',
    session_over: '끝난 세션',
    foreign_origin: '다른 사이트에서 보낸 요청',
    role_missing: '역할에 없는 권한',
  },
  en: {
    no_key: 'no API key',
    not_a_key: 'not the form of an API key',
    wrong_mode: 'a key of the other mode (test or live)',
    bad_checksum: 'the key was copied wrong',
    unknown_key: 'no such key',
    wrong_secret: 'the secret part of the key is wrong',
    key_revoked: 'the key was revoked',
    key_expired: 'the key has expired',
    address_not_listed: 'the network is not listed',
    partner_not_listed: 'not a network of that partner',
    other_partner: "another partner's name",
    scope_missing: 'the key lacks the scope',
    partner_suspended: 'the partner is suspended',
    user_suspended: 'the user is suspended',
    credit_limit: 'above the credit limit',
    amount_out_of_bounds: 'the amount is out of bounds',
    not_found: 'there is none',
    key_taken: 'the user key is taken',
    other_key: 'the person is registered under another user key',
    key_reused: 'the idempotency key was used for another request',
    no_session: 'not signed in',
    session_over: 'the session was over',
    foreign_origin: 'sent from another site',
    role_missing: 'the role lacks the permission',
  },
}
