import type { ErrorCode } from '../../../../contract/console.gen.ts'
import type { Language } from '../../../kit/language.tsx'
import type { Refusal } from './refusal.ts'
import { detailText } from './refusal-details.ts'
import { REFUSAL_REASONS } from './refusal-reasons.ts'

type Code = ErrorCode | 'offline'

// What happened, and what to do next. A page that knows more says it in its own words.
const SAYINGS: Record<Language, Partial<Record<Code, string>>> = {
  ko: {
    offline: '서버에 연결하지 못했습니다. 네트워크를 확인하고 다시 시도해 주세요.',
    service_unavailable: '서비스가 지금 응답하지 못합니다. 잠시 뒤 다시 시도해 주세요.',
    internal_error: '서버 오류입니다. 요청 ID로 로그를 확인해 주세요.',
    invalid_request: '입력한 내용을 확인해 주세요.',
    unauthorized: '로그아웃되었습니다. 다시 로그인해 주세요.',
    forbidden: '이 작업을 할 권한이 없습니다. 관리자에게 역할을 요청해 주세요.',
    not_found: '찾을 수 없습니다. 주소나 번호를 확인해 주세요.',
    conflict: '그사이 상태가 바뀌었습니다. 새로 고친 뒤 확인해 주세요.',
    wrong_login: '이메일, 비밀번호, 인증 코드 중 맞지 않는 것이 있습니다.',
    wrong_code: '인증 코드가 맞지 않습니다. 새 코드를 입력해 주세요.',
    passkey_failed: '패스키를 확인하지 못했습니다. 다시 시도하거나 다른 방법으로 로그인해 주세요.',
    weak_password: '추측하기 쉬운 비밀번호입니다. 더 길게 정해 주세요.',
    proof_required: '본인 확인이 필요합니다. 확인한 뒤 다시 시도해 주세요.',
    too_many_requests: '요청이 너무 많습니다. 잠시 뒤 다시 시도해 주세요.',
  },
  en: {
    offline: 'The service could not be reached. Check the network and try again.',
    service_unavailable: 'The service does not answer right now. Try again in a moment.',
    internal_error: 'Something went wrong on the server. Its log has the request id.',
    invalid_request: 'Check what you entered.',
    unauthorized: 'You are signed out. Sign in again.',
    forbidden: 'Your role does not allow this. An administrator can change your role.',
    not_found: 'There is nothing here. Check the address or the number.',
    conflict: 'It has changed meanwhile. Reload and look again.',
    wrong_login: 'Email, password or code is wrong.',
    wrong_code: 'The code is wrong. Enter a new one.',
    passkey_failed: 'The passkey was not accepted. Try again, or sign in another way.',
    weak_password: 'This password is easy to guess. Choose a longer one.',
    proof_required: 'Prove your identity, then try again.',
    too_many_requests: 'Too many requests. Try again in a moment.',
  },
}

export function sayRefusal({ code, details }: Refusal, language: Language): string {
  const sayings = SAYINGS[language]
  // A detail about no field has the pointer `#` in front of its code.
  const reasons = details.flatMap((detail) => REFUSAL_REASONS[language][detail.replace('# ', '')] ?? [])
  // A flow refuses an act by stable codes. Their words say more than the general sentence.
  if (code === 'conflict' && reasons.length > 0) return reasons.join(' ')
  // A code of a later release has no words here, so it is shown as it is.
  const said = sayings[code] ?? `${sayings.invalid_request} (${code})`
  return details.length > 0
    ? `${said} (${details.map((detail) => detailText(detail, language)).join('; ')})`
    : said
}
